import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { demoSyncToken } from '../demo/sync-token.ts'
import { type Db, openDb } from '../kit/database/db.ts'
import { signerOf } from '../kit/files/signed-file.ts'
import { readSettings, type Settings, SettingsFault } from '../kit/process/settings.ts'
import type { Key } from '../kit/secrets/keys.ts'
import { sha256 } from '../kit/secrets/seal.ts'
import { adoptFirstKey, checkKey, checkSecrets } from '../kit/secrets/secret-keys.ts'
import {
  addKey,
  type Counted,
  countSealed,
  keepAuditKey,
  resealAll,
  retireKey,
} from '../secrets/rotation.service.ts'
import { runCommand } from './run-command.ts'

/**
 * npm run secret:rotate [-- --check]: changes the secret, step by step as in docs/secrets.md. With PORTAL_SECRET_NEXT it makes
 * the next secret known to the database; with PORTAL_SECRET_FORMER it seals everything with the current one. `--check` only
 * counts, and exits with 1 while the former secret is still needed. It runs as the owner of the database, because the
 * application's role may not change the credentials of agencies.
 */
async function run() {
  const { values } = parseArgs({
    args: process.argv.slice(2).filter((word) => word !== '--'),
    options: { check: { type: 'boolean' } },
  })
  const settings = readSettings(process.env)
  if (!settings.databaseOwnerUrl)
    throw new SettingsFault(
      'DATABASE_OWNER_URL is missing: the secret is changed as the owner of the database.',
    )
  const db = openDb(settings.databaseOwnerUrl, 2, settings.jobLimits)
  try {
    if (values.check) await check(db, settings)
    else await rotate(db, settings)
  } finally {
    await db.pool.end()
  }
}

async function rotate(db: Db, settings: Settings) {
  const { next, former, current } = settings.secret
  const known = next ? current : former
  const added = next ?? current
  if (!known)
    throw new SettingsFault(
      'Set the new secret as PORTAL_SECRET_NEXT, or as PORTAL_SECRET with the one before as PORTAL_SECRET_FORMER: docs/secrets.md has the steps.',
    )
  await adoptFirstKey(db, settings.secret)
  await checkKey(db, known)
  if (await addKey(db, added)) console.log(`The database knows the new secret (key ${added.id}).`)
  await checkSecrets({ db, settings })
  if (former) await reseal(db, settings, former)
  else
    console.log(
      `On each machine set PORTAL_SECRET_NEXT and restart; then set this secret as PORTAL_SECRET, the one before (key ${current.id}) as PORTAL_SECRET_FORMER, and restart; then run this again.`,
    )
}

async function reseal(db: Db, settings: Settings, former: Key) {
  const { secret } = settings
  await keepAuditKey(db, secret, former)
  const done = await resealAll(db, secret)
  const devices = settings.demo ? await renewDemoDevice(db, secret, former) : 0
  const list = [...done, ...(devices ? [{ what: 'keys of the demo’s devices', count: devices }] : [])]
  console.log(
    `Sealed with the key ${secret.current.id}:\n${list.map(({ what, count }) => `- ${count} ${what}`).join('\n')}`,
  )
  const faults = done.flatMap((place) => place.faults)
  if (faults.length > 0) throw new SettingsFault(`Not everything could be opened:\n${faults.join('\n')}`)
  const left = others(await countSealed(db), secret.current)
  if (left.length > 0)
    throw new SettingsFault(
      `Meanwhile something was sealed with another key:\n${lines(left)}\nSet the new secret on all machines, restart them, and run this again.`,
    )
  await retireKey(db, former)
  console.log(
    `The former secret (key ${former.id}) has nothing sealed any more. Once npm run secret:rotate -- --check says so, too, take PORTAL_SECRET_FORMER away.`,
  )
}

async function check(db: Db, settings: Settings) {
  await checkSecrets({ db, settings })
  const counts = [...(await countSealed(db)), ...(await countFiles(settings))]
  console.log(counts.length > 0 ? lines(counts) : 'Nothing is sealed.')
  const left = others(counts, settings.secret.current)
  if (left.length > 0)
    throw new SettingsFault(
      'The former secret is still needed: run npm run secret:rotate; files are signed again by the worker within a minute.',
    )
  console.log('The former secret is not needed: PORTAL_SECRET_FORMER can be taken away on all machines.')
}

/** The files in the data folder that the worker signs. */
async function countFiles({ dataDir }: Settings): Promise<Counted[]> {
  const counts: Counted[] = []
  for (const name of ['audit-end.json', 'sending-mark.json']) {
    const key = await signerOf(dataDir, name)
    if (key !== undefined) counts.push({ what: name, key, count: 1 })
  }
  return counts
}

/** A demo's device has a token that is derived from the secret. */
async function renewDemoDevice(db: Db, secret: Settings['secret'], former: Key): Promise<number> {
  const [old, fresh] = [demoSyncToken({ current: former }), demoSyncToken(secret)]
  const renewed = await sql`
    update sync_tokens set token_hash = ${sha256(fresh)} where token_hash = ${sha256(old)}`.execute(db)
  return Number(renewed.numAffectedRows ?? 0)
}

const others = (counts: Counted[], { id }: Key) => counts.filter(({ key }) => key !== id)
const lines = (counts: Counted[]) =>
  counts
    .map(({ what, key, count }) => `- ${count} ${what}: ${key ? `key ${key}` : 'no key id, so the oldest'}`)
    .join('\n')

await runCommand(run)
