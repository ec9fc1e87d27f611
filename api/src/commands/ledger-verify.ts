import { parseArgs } from 'node:util'
import { readSettings } from '../kit/process/settings.ts'
import { verifyAgencies } from '../transfers/agencies/ledger-agencies.service.ts'
import { verifyLedger } from '../transfers/ledger/ledger-check.service.ts'
import { recordLedgerCheck } from '../transfers/ledger/ledger-record.service.ts'
import { withDatabase } from './connected.ts'
import { runCommand } from './run-command.ts'

/**
 * npm run ledger:verify [-- --agencies]: checks that the payments are those that were approved, that their events give
 * the same figures, and with --agencies that the agencies list them. Prints each fault and exits with 1 if there is one.
 * The numbers, and whether they agree, are kept as a row for the page of the portal's state. Nothing else is written.
 */
async function run() {
  const { values } = parseArgs({ options: { agencies: { type: 'boolean', default: false } } })
  const settings = readSettings(process.env)
  const { lists, payments, events, agencies, all } = await withDatabase(settings, 1, async (db) => {
    const began_at = new Date()
    const { faults, ...read } = await verifyLedger(db)
    const agencies = values.agencies ? await verifyAgencies(db, settings) : []
    const ofAgencies = agencies.flatMap((each) =>
      each.faults.map((fault) => `agency "${each.agency}": ${fault}`),
    )
    const all = [...faults, ...ofAgencies]
    const listed = agencies.filter(({ listed }) => listed !== null).length
    await recordLedgerCheck(db, {
      ...read,
      began_at,
      agencies: values.agencies ? listed : null,
      differences: all.length,
    })
    return { ...read, agencies, all }
  })
  for (const { agency, listed } of agencies)
    console.log(
      listed === null
        ? `${agency}: gives no list, or did not answer.`
        : `${agency}: ${listed} payments in its list.`,
    )
  if (all.length > 0) {
    console.error(`The ledger does not hold:\n${all.map((fault) => `- ${fault}`).join('\n')}`)
    process.exitCode = 1
    return
  }
  console.log(`The ledger holds: ${lists} approved lists, ${payments} payments, ${events} events.`)
}

await runCommand(run)
