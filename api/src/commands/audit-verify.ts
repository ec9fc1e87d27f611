import { type KnownLink, verifyAudits } from '../kit/audit/audit-chain.ts'
import { verifyCheckpoints } from '../kit/audit/audit-checkpoints.ts'
import { auditEnd } from '../kit/audit/audit-end.ts'
import { readSettings, SettingsFault } from '../kit/process/settings.ts'
import { withDatabase } from './connected.ts'
import { runCommand } from './run-command.ts'

/**
 * npm run audit:verify [-- POSITION:HASH]: verifies the audit log. Prints the first broken row and exits with 1 if
 * there is one. It compares with the end that the worker keeps in the data folder, or with one that an earlier run
 * printed, and so detects a log that was cut off or deleted since.
 */
async function run() {
  const settings = readSettings(process.env)
  const kept = await auditEnd.read(settings)
  const known = readKnown(process.argv[2]) ?? (kept.kind === 'read' ? kept.value : undefined)
  const { linked, unlinked, tail, end, fault, misplaced } = await withDatabase(settings, 1, async (db) => ({
    ...(await verifyAudits(db, settings.secret, known)),
    misplaced: await verifyCheckpoints(db),
  }))
  if (fault) {
    console.error(`The audit log is broken: ${fault}. ${linked} links before it hold.`)
    process.exitCode = 1
    return
  }
  if (kept.kind === 'unreadable') {
    console.error('audit-end.json in the data folder is damaged, or not written by this portal.')
    process.exitCode = 1
    return
  }
  if (!known && end)
    console.log('No end was kept outside the database: the worker writes audit-end.json every minute.')
  const rows = tail ? ` (audit rows ${tail.first} to ${tail.last})` : ''
  console.log(`The audit log holds: ${linked} linked rows, ${unlinked} not linked yet${rows}.`)
  if (end) console.log(`Its end: ${end.position}:${end.hash}`)
  if (!misplaced) return
  console.error(`Its pages are not right: ${misplaced}.`)
  process.exitCode = 1
}

function readKnown(text: string | undefined): KnownLink | undefined {
  if (text === undefined) return undefined
  const [, position, hash] = /^(\d+):([0-9a-f]{64}|[0-9a-f]{72})$/.exec(text) ?? []
  if (!position || !hash)
    throw new SettingsFault('Write: npm run audit:verify -- POSITION:HASH, as an earlier run printed it')
  return { position: Number(position), hash }
}

await runCommand(run)
