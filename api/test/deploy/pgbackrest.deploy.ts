import { execFileSync } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { migrate } from '../../src/commands/migrate.ts'
import { clearLine } from '../database.ts'
import { addPeople, addRound } from '../people.ts'
import { type Portal, startPortal, until } from '../portal.ts'
import { startAgency } from '../transfers/agencies/agency.ts'
import { postgresPrograms, startDebianPostgres } from './debian-postgres.ts'
import { handed } from './handed.ts'

const shipped = join(import.meta.dirname, '../../../deploy/systemd')
if (!existsSync('/usr/bin/pgbackrest')) throw new Error('pgBackRest is missing: apt-get install pgbackrest')
const folder = mkdtempSync(join(tmpdir(), 'portal-pgbackrest-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
for (const name of ['repository', 'logs', 'locks', 'restored']) mkdirSync(join(folder, name), { mode: 0o700 })

// The file as it is shipped. Only folders and ports are others, because all is on one machine.
const places: Record<string, string> = {
  PGBACKREST_CONFIG: join(shipped, 'pgbackrest.conf'),
  PGBACKREST_REPO1_PATH: join(folder, 'repository'),
  PGBACKREST_LOG_PATH: join(folder, 'logs'),
  PGBACKREST_LOCK_PATH: join(folder, 'locks'),
}
const { archive_mode, archive_command } = parse(readFileSync(join(shipped, 'patroni.yml'), 'utf8')).bootstrap
  .dcs.postgresql.parameters
const debian = await startDebianPostgres({
  settings: [`archive_mode=${archive_mode}`, `archive_command=${archive_command}`, 'archive_timeout=60'],
  env: (data) => ({ ...places, PGBACKREST_PG1_PATH: data }),
})
Object.assign(places, {
  PGBACKREST_PG1_PATH: debian.data,
  PGBACKREST_PG1_PORT: String(debian.port),
  PGBACKREST_PG1_SOCKET_PATH: debian.folder,
})
const { uid = 0, gid = 0 } = debian.account
for (const name of ['', 'repository', 'logs', 'locks', 'restored']) chownSync(join(folder, name), uid, gid)
const agency = await startAgency()
afterAll(() => agency.close())

/** Runs a command as `postgres`, as its units do. */
const asPostgres = (command: string, words: string[], env: Record<string, string> = {}) =>
  execFileSync(command, words, {
    uid,
    gid,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: '/',
    env: {
      PATH: `${postgresPrograms()}:${process.env.PATH}`,
      PGHOST: debian.folder,
      PGPORT: String(debian.port),
      PGUSER: 'postgres',
      ...places,
      ...env,
    },
  })
const paid = async (of: Portal) =>
  (await of.owner.query("select count(*)::int as n from transfer_payrolls where status = 'success'")).rows[0]
    .n

test('an operator goes back to a moment between two backups, in the middle of payments, and nobody is paid twice', async () => {
  const database = await debian.database('portal')
  await migrate(database.ownerUrl, database.appUrl)
  await clearLine(database.ownerUrl)
  const portal = await startPortal({ agencyHosts: [agency.host] }, database)
  const { officer } = await addPeople(portal.db, 200, agency.url)
  asPostgres('pgbackrest', ['--stanza=portal', 'stanza-create'])
  asPostgres('pgbackrest', ['--stanza=portal', 'check'])
  const script = join(shipped, 'pgbackrest.sh')
  asPostgres(script, ['full'])
  await agency.set({ latency_ms: 200 })
  await addRound(portal.db, officer, 200, 'Archived list')
  // The list of the fixture has a row for its file, and no file.
  await portal.owner.query("update files set dropped_at = now() where name = 'list.xlsx'")
  const stop = await portal.worker()
  await until(async () => (await paid(portal)) > 5, 60_000)
  asPostgres(script, ['diff'])
  await until(async () => (await paid(portal)) > 40, 60_000)
  const { rows } = await portal.owner.query('select now()::text as moment')
  const moment: string = rows[0].moment
  const then = await paid(portal)
  await until(async () => (await paid(portal)) > then + 40, 60_000)
  await stop()
  const before = (await agency.ledger()).filter(({ executed }) => executed > 0).length
  // Each backup left its row for the page and the alert.
  const { rows: backups } = await portal.owner.query('select maker, bytes > 1000000 as large from backups')
  expect(backups).toEqual([1, 2].map(() => ({ maker: 'pgBackRest', large: true })))
  await portal.owner
    .query('select pg_switch_wal()')
    .catch(() => debian.superuser.query('select pg_switch_wal()'))

  const data = join(folder, 'restored')
  const target = ['--type=time', `--target=${moment}`, '--target-action=promote']
  asPostgres('pgbackrest', ['--stanza=portal', ...target, 'restore'], { PGBACKREST_PG1_PATH: data })
  const server = await startDebianPostgres({
    restored: data,
    settings: ['archive_mode=off'],
    env: () => ({ ...places, PGBACKREST_PG1_PATH: data }),
  })
  const restored = server.addresses('portal')
  // The data folder of the machine is that of now, with the mark of sending.
  const dataDir = join(folder, 'data-folder')
  cpSync(portal.settings.dataDir, dataDir, { recursive: true })
  const env = handed(folder, portal, restored, dataDir)
  const verified = execFileSync(process.execPath, ['api/src/commands/verify.ts'], { env, encoding: 'utf8' })
  expect(verified).toMatch(/ledger: holds, 1 approved lists, 200 payments/)

  const copy = await startPortal({ agencyHosts: [agency.host], dataDir }, restored)
  const known = await paid(copy)
  expect(known).toBeGreaterThanOrEqual(then - 1)
  expect(known).toBeLessThan(before)
  await copy.worker()
  const held = await until(async () => {
    const open = await copy.owner.query('select reasons from sending_holds where released_at is null')
    return open.rows[0]
  })
  // The database is another server than the one of the mark, and behind it.
  expect(held.reasons).toEqual(expect.arrayContaining(['timeline', 'behind']))
  // The agency is asked about what the database does not know any more.
  await until(async () => (await paid(copy)) >= before, 60_000)
  expect((await agency.ledger()).filter(({ executed }) => executed > 1)).toEqual([])
}, 240_000)
