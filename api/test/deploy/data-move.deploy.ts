import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../commands.ts'
import { cloneDatabase } from '../database.ts'
import { addPeople, addRound } from '../people.ts'
import { type Portal, startPortal, until } from '../portal.ts'
import { startAgency } from '../transfers/agencies/agency.ts'
import { type EmptyDatabase, startDebianPostgres } from './debian-postgres.ts'

const debian = await startDebianPostgres()

/** The folder with the two addresses of the target. */
function folderOf({ appUrl, ownerUrl }: EmptyDatabase) {
  const folder = mkdtempSync(join(tmpdir(), 'portal-move-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'database'), `${appUrl}\n`)
  writeFileSync(join(folder, 'database-owner'), `${ownerUrl}\n`)
  return folder
}
/** Ends the connections of a portal, as if its processes had stopped. Each role may end its own. */
async function disconnect({ settings, owner }: Portal) {
  owner.on('error', () => {})
  for (const connectionString of [settings.databaseUrl, settings.databaseOwnerUrl]) {
    const client = new pg.Client({ connectionString })
    await client.connect()
    await client.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`,
    )
    await client.end()
  }
}
const tablesOf = async (url: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows: tables } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace) and relkind = 'r' order by 1`,
  )
  const found: Record<string, { n: number; hash: string }> = {}
  for (const { name } of tables)
    found[name] = (
      await client.query(
        `select count(*)::int as n, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as hash from ${name} t`,
      )
    ).rows[0]
  const { rows: keys } = await client.query(
    `select conrelid::regclass::text as t, conname, pg_get_constraintdef(oid) as d, convalidated from pg_constraint where contype = 'f'
       and connamespace in ('public'::regnamespace, 'pgboss'::regnamespace) order by 1, 2`,
  )
  const { rows: triggers } = await client.query(
    `select tgrelid::regclass::text as t, tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`,
  )
  await client.end()
  return { found, keys, triggers }
}

test('an operator moves a portal that has paid to a server of another version, and finds every row there', async () => {
  const database = await cloneDatabase()
  const agency = await startAgency()
  const portal = await startPortal({ agencyHosts: [agency.host] }, database)
  const { officer } = await addPeople(portal.db, 40, agency.url)
  await addRound(portal.db, officer, 40, 'Moved list')
  const stop = await portal.worker()
  await until(async () => {
    const { rows } = await portal.owner.query(
      "select count(*)::int as n from transfer_payrolls where status = 'success'",
    )
    return rows[0].n > 20
  }, 60_000)
  await stop()
  const target = await debian.database('moved')
  const folder = folderOf(target)

  const running = await runCommand(portal.settings, 'data-move', ['--to', folder])
  expect([running.code, running.err]).toEqual([
    1,
    expect.stringMatching(/\d+ connections\): stop the portal first\.\n$/),
  ])

  await disconnect(portal)
  const before = await tablesOf(database.ownerUrl)
  const moved = await runCommand(portal.settings, 'data-move', ['--to', folder])
  expect([moved.err, moved.code]).toEqual(['', 0])
  expect(moved.out).toMatch(
    /^Moved \d+ rows of \d+ tables; each table has as many as before\.\nAudit log \(\d+ linked rows\) and ledger \(40 payments, \d+ events\) hold there\.\n$/,
  )
  const after = await tablesOf(target.ownerUrl)
  expect(after).toEqual(before)
  expect(after.found.transfer_payrolls?.n).toBe(40)
  await agency.close()

  const again = await runCommand(portal.settings, 'data-move', ['--to', folder])
  expect([again.code, again.err]).toEqual([
    1,
    expect.stringMatching(/^The target has \d+ tables already: nothing was copied\. Make an empty database/),
  ])
})

test('an operator who names no folder, or one without the addresses, is told what to write', async () => {
  const database = await cloneDatabase()
  const portal = await startPortal({}, database)
  const none = await runCommand(portal.settings, 'data-move')
  expect(none.err).toMatch(/^Write: npm run data:move -- --to FOLDER/)
  const empty = await runCommand(portal.settings, 'data-move', ['--to', tmpdir()])
  expect(empty.err).toMatch(/database cannot be read: write the address of that role into it\.\n$/)
})

test('a move that broke off can be repeated, and leaves nothing half done', async () => {
  const database = await cloneDatabase()
  const portal = await startPortal({}, database)
  await addPeople(portal.db, 3, 'http://127.0.0.1:1')
  await disconnect(portal)
  const target = await debian.database('broken')
  const folder = folderOf(target)
  // The target refuses a row in the middle of the copy.
  const spoil = async (statement: string) => {
    const client = new pg.Client({ connectionString: target.ownerUrl })
    await client.connect()
    await client.query(statement)
    await client.end()
  }
  await runMigrations(portal.settings, target)
  await spoil("comment on schema public is 'npm run data:move has not finished here'")
  await spoil("alter table schools add constraint never check (name <> 'Kayes Khasso 1')")
  const broken = await runCommand(portal.settings, 'data-move', ['--to', folder])
  expect([broken.code, broken.err]).toEqual([1, expect.stringContaining('violates check constraint "never"')])
  expect((await tablesOf(target.ownerUrl)).found.regions?.n).toBe(0)
  await spoil('alter table schools drop constraint never')
  const moved = await runCommand(portal.settings, 'data-move', ['--to', folder])
  expect([moved.err, moved.code]).toEqual(['', 0])
  expect(await tablesOf(target.ownerUrl)).toEqual(await tablesOf(database.ownerUrl))
})

const runMigrations = (settings: Parameters<typeof runCommand>[0], { appUrl, ownerUrl }: EmptyDatabase) =>
  runCommand({ ...settings, databaseUrl: appUrl, databaseOwnerUrl: ownerUrl }, 'migrate')
