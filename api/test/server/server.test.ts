import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { modulesAddress } from '@portal/contracts/modules-address'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { applyAll, migrate } from '../../src/commands/migrate.ts'
import { makeServer } from '../../src/kit/http/server.ts'
import { maskedUrl, withoutValues } from '../../src/kit/process/log.ts'
import { readSettings, SettingsFault } from '../../src/kit/process/settings.ts'
import { fileOf, migrationNames } from '../../src/migrations.ts'
import { Client } from '../client.ts'
import { startPortal } from '../portal.ts'

const portal = await startPortal()

test('an operator may run the migrations twice and concurrently', async () => {
  const again = () => migrate(portal.settings.databaseOwnerUrl ?? '', portal.settings.databaseUrl)
  expect(await Promise.all([again(), again()])).toEqual([[], []])
  const { rows } = await portal.owner.query(
    'select name, count(*) as n from roles group by name having count(*) > 1',
  )
  expect(rows).toEqual([])
})

test('migrations are numbered one after the other', () => {
  const numbers = migrationNames().map((name) => Number(fileOf(name).slice(0, 4)))
  expect(numbers).toEqual(numbers.map((_, before) => before + 1))
})

test('an index of a large table is built outside of a transaction, and built anew where an upgrade broke off', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'portal-migrations-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(join(import.meta.dirname, '../../migrations'), folder, { recursive: true })
  const file = '9998_a_large_index.sql'
  writeFileSync(
    join(folder, file),
    `-- outside of a transaction
drop index concurrently if exists schools_trial;
create index concurrently if not exists schools_trial on schools (created_at);`,
  )
  await portal.owner.query('create index schools_trial on schools (id)')
  expect(await applyAll(portal.settings.databaseOwnerUrl ?? '', folder)).toEqual([file])
  const { rows } = await portal.owner.query(
    "select indexdef from pg_indexes where indexname = 'schools_trial'",
  )
  expect(rows[0].indexdef).toContain('(created_at)')
  await portal.owner.query('drop index schools_trial')
  await portal.owner.query('delete from migrations where name like $1', [`${file}%`])
})

test('an operator whose migration waits for a lock is told so after five seconds, nothing of it is done, and it can be repeated', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'portal-migrations-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(join(import.meta.dirname, '../../migrations'), folder, { recursive: true })
  const file = '9997_waits_for_a_lock.sql'
  writeFileSync(
    join(folder, file),
    'create table made_before (id int);\nalter table schools add column made_after int;',
  )
  const ownerUrl = portal.settings.databaseOwnerUrl ?? ''
  const made = async () => {
    const { rows } = await portal.owner.query(
      `select to_regclass('made_before') is not null as table, exists (select from migrations where name like '9997%') as noted,
        exists (select from information_schema.columns where column_name = 'made_after') as column`,
    )
    return rows[0]
  }
  const holder = await portal.owner.connect()
  try {
    await holder.query('begin; lock table schools in access share mode')
    await expect(applyAll(ownerUrl, folder)).rejects.toEqual(
      new SettingsFault(
        `The migration ${file} waited longer than 5s for a lock that another connection has, so it was given up, and nothing of it was done. Start it again. If this repeats, end what runs long, such as a backup or an export: select pid, query from pg_stat_activity.`,
      ),
    )
    expect(await made()).toEqual({ table: false, noted: false, column: false })
  } finally {
    await holder.query('rollback')
    holder.release()
  }
  expect(await applyAll(ownerUrl, folder)).toEqual([file])
  expect(await made()).toEqual({ table: true, noted: true, column: true })
  await portal.owner.query('drop table made_before; alter table schools drop column made_after')
  await portal.owner.query('delete from migrations where name like $1', [`${file}%`])
})

test('an operator whose database was made with another version of a migration is told what to do', async () => {
  const [name = ''] = migrationNames()
  await portal.owner.query('update migrations set name = $2 where name = $1', [
    name,
    `${fileOf(name)} changed`,
  ])
  await expect(migrate(portal.settings.databaseOwnerUrl ?? '', portal.settings.databaseUrl)).rejects.toThrow(
    'The database was made with another version of the migration 0001_baseline.sql: make a new database, or restore the file.',
  )
  await portal.owner.query('update migrations set name = $1 where name = $2', [
    name,
    `${fileOf(name)} changed`,
  ])
})

test('an operator who goes back a release reads that its programs run on the newer database', async () => {
  const later = '9999_of_a_later_release.sql 0123456789'
  await portal.owner.query('insert into migrations (name, timestamp) values ($1, now())', [later])
  await expect(migrate(portal.settings.databaseOwnerUrl ?? '', portal.settings.databaseUrl)).rejects.toThrow(
    'The database is that of a newer release, which has the migration 9999_of_a_later_release.sql. To go back, start api and worker of this release without this step; to go on, install the newer release.',
  )
  await portal.owner.query('delete from migrations where name = $1', [later])
})

test('people of the shipped roles have the permissions of Access 3.2, and the Administrator has all', async () => {
  const { rows } = await portal.owner.query(
    `select r.name, array_agg(p.name order by p.id) as held from roles r join role_permissions rp on rp.role_id = r.id
     join permissions p on p.id = rp.permission_id group by r.id order by r.id`,
  )
  expect(rows.map((row) => row.name)).toEqual([
    'Administrator',
    'Transfer Officer',
    'Transfer Approver',
    'School Officer',
    'Case Reviewer',
    'Auditor',
  ])
  expect(rows[1].held).toEqual([
    'transfers.view',
    'cohorts.create',
    'cohorts.export',
    'recipients.correct',
    'payrolls.export',
    'holds.manage',
    'statements.import',
  ])
  expect(rows[2].held).toEqual([
    'transfers.view',
    'cohorts.approve',
    'cohorts.export',
    'payrolls.export',
    'arrears.write-off',
    'holds.manage',
    'statements.sign',
  ])
})

test('health is 200 only when the database answers and migrations are done, 503 while draining', async () => {
  const health = { draining: false }
  const server = await makeServer(portal.context, health, migrationNames(), () => {})
  const client = new Client(server, portal.settings.apiBase)
  expect((await client.get('/health')).status).toBe(200)
  health.draining = true
  expect(await client.get('/health')).toMatchObject({ status: 503, body: { status: 'draining' } })
  const behind = await makeServer(
    portal.context,
    { draining: false },
    [...migrationNames(), 'next.sql'],
    () => {},
  )
  expect((await new Client(behind, portal.settings.apiBase).get('/health')).status).toBe(503)
})

test('an operator reads one sentence for each wrong setting', () => {
  const read = (env: Record<string, string>) => () =>
    readSettings({ DATABASE_URL: 'postgresql://a:b@localhost/c', PORTAL_DEMO: 'true', ...env })
  expect(read({ PORT: 'eighty', PORTAL_FOUR_EYES: 'maybe' })).toThrow(
    'PORT is a whole number from 0 to 65535.\nPORTAL_FOUR_EYES is true or false.',
  )
  expect(read({ MAIL_FROM: 'Portal <portal.example.org>' })).toThrow('MAIL_FROM has an address, such as')
  expect(read({ DATABASE_URL: '' })).toThrow('DATABASE_URL is missing')
  expect(read({ PORTAL_DEMO: 'false' })).toThrow('PORTAL_SECRET is missing')
  expect(read({ HOST: '0.0.0.0' })).toThrow('a demo listens on 127.0.0.1 only')
  // Without https cookies would travel in the open.
  const real = { NODE_ENV: 'production', PORTAL_DEMO: 'false', PORTAL_SECRET: 'x'.repeat(32) }
  expect(read(real)).toThrow('PORTAL_PUBLIC_URL is missing')
  expect(read({ ...real, PORTAL_PUBLIC_URL: 'http://portal.example.org' })).toThrow(
    'PORTAL_PUBLIC_URL is http://portal.example.org',
  )
  expect(read({ ...real, PORTAL_PUBLIC_URL: 'https://portal.example.org' })().publicUrl).toMatch(/^https/)
})

test('an operator who gives isolated modules the portal’s own host is told why that is not safe', () => {
  const read = (PORTAL_PUBLIC_URL: string, PORTAL_MODULES_URL: string) => () =>
    readSettings({
      DATABASE_URL: 'postgresql://a:b@localhost/c',
      PORTAL_DEMO: 'true',
      PORTAL_PUBLIC_URL,
      PORTAL_MODULES_URL,
    }).modulesAt?.originOf('mfe-health')
  expect(read('http://localhost:8080', 'http://127.0.0.1:8080/')()).toBe('http://127.0.0.1:8080')
  expect(read('http://localhost:8080', 'http://localhost:8081')).toThrow(
    'PORTAL_MODULES_URL has the host name of the portal, localhost: modules need another one, because cookies do not tell ports apart.',
  )
  // A demo on one machine has a host for each module without any set-up.
  for (const host of ['localhost:8080', '127.0.0.1:8080'])
    expect(read(`http://${host}`, '')()).toBe('http://mfe-health.localhost:8080')
  expect(read('http://localhost:8080', 'http://*.localhost:8080')()).toBe('http://mfe-health.localhost:8080')
  expect(read('https://portal.example', '')()).toBeUndefined()
  expect(read('https://portal.example', 'https://*.modules.example')()).toBe(
    'https://mfe-health.modules.example',
  )
  for (const other of [
    'http://modules.example',
    'https://modules.example/frames',
    'http://*.modules.example',
    'https://*.modules.example/frames',
    'https://modules.*.example',
    'https://m-*.modules.example',
    'https://*',
  ])
    expect(read('https://portal.example', other)).toThrow('PORTAL_MODULES_URL is an address like https://')
  for (const [portal, other] of [
    ['portal.example.org', '*.example.org'],
    ['portal.example.org', '*.portal.example.org'],
    ['portal.localhost', '*.localhost'],
  ])
    expect(read(`https://${portal}`, `https://${other}`)).toThrow(
      `PORTAL_MODULES_URL is ${other}, and the portal is ${portal}: neither may be below the other.`,
    )
})

test.each([
  ['one host for all isolated modules', 'http://127.0.0.1:8080', '127.0.0.1:8080'],
  ['the host of an isolated module', 'http://*.modules.test:8080', 'mfe-health.modules.test:8080'],
  ['a host that no module has', 'http://*.modules.test:8080', 'a.b.Modules.test:8080'],
])('%s answers no call, has no page, and sets no cookie', async (_, modulesUrl, host) => {
  const settings = { ...portal.settings, demo: false, modulesAt: modulesAddress(modulesUrl) }
  const context = { ...portal.context, settings }
  const server = await makeServer(context, { draining: false }, migrationNames(), (app) => {
    app.http.get('/open', { config: { access: 'public' } }, async () => 'open')
    app.http.post('/open', { config: { access: 'public' } }, async () => 'open')
  })
  const ask = (method: 'GET' | 'POST', url: string, host: string) =>
    server.inject({ method, url, headers: { host } })
  const open = `${settings.apiBase}/open`
  expect((await ask('GET', open, 'localhost:8080')).statusCode).toBe(200)
  for (const [method, url] of [
    ['GET', open],
    ['POST', open],
    ['GET', `${settings.apiBase}/health`],
    ['GET', '/'],
    ['POST', '/frame/mfe-health/0123456789ab'],
    ['GET', '/frame/'],
  ] as const) {
    const { statusCode, headers } = await ask(method, url, host)
    expect([method, url, statusCode, headers['set-cookie']]).toEqual([method, url, 404, undefined])
  }
  // Who opens it by hand is led to the portal.
  const opened = await server.inject({
    url: '/admin/users?page=2',
    headers: { host, 'sec-fetch-dest': 'document' },
  })
  expect([opened.statusCode, opened.headers.location, opened.headers['set-cookie']]).toEqual([
    302,
    'http://localhost:8080/admin/users?page=2',
    undefined,
  ])
})

test.each([['http://127.0.0.1:8080'], ['http://*.localhost:8080']])(
  'whoever tries a demo with curl is answered at both of its names, and a browser at one (%s)',
  async (modulesUrl) => {
    const settings = { ...portal.settings, demo: true, modulesAt: modulesAddress(modulesUrl) }
    const server = await makeServer(
      { ...portal.context, settings },
      { draining: false },
      migrationNames(),
      (app) => {
        app.http.get('/open', { config: { access: 'public' } }, async () => 'open')
      },
    )
    const url = `${settings.apiBase}/open`
    const host = '127.0.0.1:8080'
    expect((await server.inject({ url, headers: { host } })).statusCode).toBe(200)
    expect((await server.inject({ url: '/login', headers: { host } })).statusCode).toBe(302)
    for (const site of ['same-origin', 'cross-site', 'none'])
      expect((await server.inject({ url, headers: { host, 'sec-fetch-site': site } })).statusCode).toBe(404)
  },
)

test('an operator gets one-time codes required unless it is a demo, or she says otherwise', () => {
  const required = (env: Record<string, string>) =>
    readSettings({
      DATABASE_URL: 'postgresql://a:b@localhost/c',
      PORTAL_SECRET: 'a secret of 32 characters or more',
      ...env,
    }).requireCodes
  expect(required({ PORTAL_DEMO: 'true' })).toBe(false)
  expect(required({ PORTAL_DEMO: 'false' })).toBe(true)
  expect(required({ PORTAL_DEMO: 'false', PORTAL_REQUIRE_CODES: 'false' })).toBe(false)
  expect(required({ PORTAL_DEMO: 'true', PORTAL_REQUIRE_CODES: 'true' })).toBe(true)
})

test('someone who reads the log finds no invite and no reset token', async () => {
  expect(maskedUrl('/api/external/cases/abcDEF?x=1')).toBe('/api/external/cases/***')
  expect(maskedUrl('/api/external/cases/file')).toBe('/api/external/cases/file')
  expect(maskedUrl('/api/external/cases/filed')).toBe('/api/external/cases/***')
  expect(maskedUrl('/api/admin/users/list?search=Diarra')).toBe('/api/admin/users/list')
  expect(maskedUrl('/password/reset/abc')).toBe('/password/reset/***')
  expect(maskedUrl('/api/external/c%61ses/abcDEF')).toBe('/api/external/cases/***')
  expect(maskedUrl('/api/%65xternal%2Fcases%2fabcDEF?x=1')).toBe('/api/external/cases/***')
  expect(maskedUrl('/api/external/c%2561ses/abc%44EF%')).toBe('/api/external/cases/***')
  expect(maskedUrl('/API/External/Cases/abcDEF')).toBe('/API/External/Cases/***')
  expect(maskedUrl('/password/r%65set/abc')).toBe('/password/reset/***')
  // A call that fails is in the log twice: as a failure and as a call.
  const { log } = portal.context
  const written = [vi.spyOn(log, 'error'), vi.spyOn(log, 'info')]
  const lines = () => JSON.stringify(written.map(({ mock }) => mock.calls))
  const visitor = await portal.visitor()
  await portal.owner.query('alter table referrals rename to gone')
  expect((await visitor.get('/external/c%61ses/abcDEF')).status).toBe(500)
  await portal.owner.query('alter table gone rename to referrals')
  await expect.poll(() => lines().split('/api/external/').length - 1).toBe(2)
  expect(lines()).not.toContain('abcDEF')
})

test('a person whose address is not encoded as addresses are, or is very long, reads in her language that nothing is there', async () => {
  const officer = await portal.signedIn('schools.view')
  officer.headers['accept-language'] = 'fr'
  const nothing = await officer.get('/nowhere')
  const paths = ['/nowhere/%ff', '/%', '/admin/schools/%zz', `/admin/schools/${'a'.repeat(300)}`]
  for (const path of paths) {
    const { status, body } = await officer.get(path)
    expect([path, status, body]).toEqual([path, 404, nothing.body])
  }
})

test('a stranger’s address that is encoded thousands of times is not decoded to its end, and not logged', async () => {
  const visitor = await portal.visitor()
  const info = vi.spyOn(portal.context.log, 'info')
  const { status } = await visitor.get(`/external/cases/%${'25'.repeat(7_500)}41bcDEF`)
  expect(status).toBe(414)
  const lines = () => JSON.stringify(info.mock.calls)
  await expect.poll(lines).toContain('"/***"')
  expect(lines()).not.toContain('bcDEF')
  expect(maskedUrl(`/api/external%${'25'.repeat(100)}2fcases/abcDEF`)).toBe('/***')
})

test('someone who reads a logged database error finds no values of the statement', async () => {
  const failure = await sql`
    insert into users (first_name, last_name) values ('Awa', ${'Fatoumata'}) returning first_name::int
  `
    .execute(portal.db)
    .then(
      () => undefined,
      (error: unknown) => error,
    )
  const logged = JSON.stringify(withoutValues(failure))
  expect(logged).toContain('insert into users')
  expect(logged).not.toContain('Fatoumata')
})

const databaseLog = process.env.PORTAL_TEST_DATABASE_LOG ?? ''
test.skipIf(!databaseLog)(
  'someone who reads the log of the embedded database finds no e-mail of a person',
  async () => {
    const { email } = await portal.account()
    const twice = sql`insert into users (first_name, last_name, email, type, account)
    values ('Awa', 'Diarra', ${email}, 'developer', true)`.execute(portal.db)
    await expect(twice).rejects.toThrow('duplicate key')
    const log = readFileSync(databaseLog, 'utf8')
    expect(log).toContain('duplicate key value violates unique constraint')
    expect(log).not.toContain(email)
    expect((statSync(databaseLog).mode & 0o077).toString(8)).toBe('0')
    const { rows } = await portal.owner.query(
      "select name from pg_settings where name like 'log_parameter_max_length%' and setting <> '0'",
    )
    expect(rows).toEqual([])
  },
)
