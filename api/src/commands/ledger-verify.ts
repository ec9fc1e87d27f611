import { readSettings } from '../kit/settings.ts'
import { verifyLedger } from '../transfers/ledger-check.service.ts'
import { withDatabase } from './connected.ts'
import { runCommand } from './run-command.ts'

/**
 * npm run ledger:verify: checks that the payments are those that were approved, and that their events give the same figures.
 * Prints each fault and exits with 1 if there is one.
 */
async function run() {
  const settings = readSettings(process.env)
  const { lists, payments, events, faults } = await withDatabase(settings, 1, (db) => verifyLedger(db))
  if (faults.length > 0) {
    console.error(`The ledger does not hold:\n${faults.map((fault) => `- ${fault}`).join('\n')}`)
    process.exitCode = 1
    return
  }
  console.log(`The ledger holds: ${lists} approved lists, ${payments} payments, ${events} events.`)
}

await runCommand(run)
