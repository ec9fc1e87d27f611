import { type KnownLink, verifyAudits } from '../kit/audit-chain.ts'
import { openDb } from '../kit/db.ts'
import { readSettings, SettingsFault } from '../kit/settings.ts'

/**
 * npm run audit:verify [-- POSITION:HASH]: verifies the audit log. Prints the first broken row and exits with 1 if
 * there is one. The end that it prints can be kept elsewhere and passed to a later run, which then detects a log that
 * was cut off before that end.
 */
async function run() {
  const known = readKnown(process.argv[2])
  const settings = readSettings(process.env)
  const db = openDb(settings.databaseUrl, 1)
  const { linked, unlinked, tail, end, fault } = await verifyAudits(db, settings.secret, known)
  await db.pool.end()
  if (fault) {
    console.error(`The audit log is broken: ${fault}. ${linked} links before it hold.`)
    process.exitCode = 1
    return
  }
  const rows = tail ? ` (audit rows ${tail.first} to ${tail.last})` : ''
  console.log(`The audit log holds: ${linked} linked rows, ${unlinked} not linked yet${rows}.`)
  if (end) console.log(`Its end: ${end.position}:${end.hash}`)
}

function readKnown(text: string | undefined): KnownLink | undefined {
  if (text === undefined) return undefined
  const [, position, hash] = /^(\d+):([0-9a-f]{64})$/.exec(text) ?? []
  if (!position || !hash)
    throw new SettingsFault('Write: npm run audit:verify -- POSITION:HASH, as an earlier run printed it')
  return { position: Number(position), hash }
}

try {
  await run()
} catch (error) {
  console.error(error instanceof SettingsFault ? error.message : error)
  process.exitCode = 1
}
