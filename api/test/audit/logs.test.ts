import pg from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { audit, eraseAudit } from '../../src/kit/audit/audit.ts'
import { openDb } from '../../src/kit/database/db.ts'
import { portal as system } from '../../src/kit/http/session.ts'
import type { Client } from '../client.ts'
import { waitingForLock } from '../locks.ts'
import { startPortal, until } from '../portal.ts'
import { addPlaces, addSchools } from '../registers/registers.ts'
import { changed, exported, logs } from './logs-stage.ts'

const portal = await startPortal()
const { db, owner } = portal
/** Only the owner of the database may empty values of the log. */
const asOwner = openDb(portal.settings.databaseOwnerUrl ?? '', 1)
afterAll(() => asOwner.pool.end())
await portal.worker()

test('an auditor reads who changed what, newest first, with old and new values', async () => {
  const admin = await portal.signedInAs('Administrator')
  const auditor = await portal.signedInAs('Auditor')
  const target = await portal.account()
  await admin.put(
    `/users/profile/update/${target.id}`,
    { first_name: 'Néné', last_name: 'Coulibaly', gender: 'female' },
    { 'user-agent': 'Firefox/150' },
  )
  const { data } = await logs(auditor, 'event=updated&auditable_type=user')
  expect(data).toMatchObject([
    {
      user: { id: admin.user.id, first_name: 'Awa' },
      event: 'updated',
      auditable_type: 'user',
      auditable_id: target.id,
      auditable_name: 'Néné Coulibaly',
      ip_address: '127.0.0.1',
      user_agent: 'Firefox/150',
      old_values: { first_name: 'Awa', gender: null },
      new_values: { first_name: 'Néné', last_name: 'Coulibaly', gender: 'female' },
      erased: false,
    },
  ])
  const all = await logs(auditor)
  const ids = all.data.map(({ id }) => id)
  expect(ids).toEqual(ids.toSorted((a, b) => b - a))
  expect((await logs(auditor, 'sort=created_at')).data[0]?.id).toBe(Math.min(...ids))
})

test('an auditor searches the log and filters it by person, event, type and day', async () => {
  const auditor = await portal.signedInAs('Auditor')
  const officer = await portal.signedIn()
  await owner.query("update users set first_name = 'Djénéba', last_name = 'Kouyaté' where id = $1", [
    officer.user.id,
  ])
  await officer.post('/logout')
  const of = async (query: string) => (await logs(auditor, query)).data
  expect((await of(`user_id=${officer.user.id}`)).map(({ event }) => event)).toEqual([
    'signed out',
    'signed in',
  ])
  expect(await of('search=KOUYATE')).toHaveLength(2)
  expect((await of('search=deconnexion')).every(({ event }) => event === 'signed out')).toBe(true)
  expect(await of('search=127.0.0.1')).not.toEqual([])
  expect(await of('search=50%25')).toEqual([])
  expect(await of('event=signed%20out')).toHaveLength(1)
  expect(await of('event=signed%20out&auditable_type=role')).toEqual([])
  await db.transaction().execute((tx) => audit(tx, system, 'old one', 'school', 1))
  const today = new Date().toISOString().slice(0, 10)
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  expect(await of(`event=old%20one&from=${today}&to=${today}`)).toHaveLength(1)
  expect(await of(`event=old%20one&from=${tomorrow}`)).toEqual([])
  expect(await of('event=old%20one&to=2020-01-01')).toEqual([])
  for (const query of ['from=yesterday', 'user_id=x', 'sort=ip_address', 'page=0', 'per_page=101'])
    expect((await auditor.get(`/admin/users/audit/logs?${query}`)).status).toBe(422)
  const choices = (await auditor.get('/admin/users/audit/filters')).body
  expect(choices.fields.student.gender).toMatchObject({
    label: { en: 'Gender', fr: 'Sexe' },
    values: { female: { fr: 'Féminin' } },
  })
  expect(choices.events).toEqual([...choices.events].sort())
  expect(choices.events).toContain('signed out')
  expect(choices.auditable_types).toContain('user')
  expect(choices.users).toContainEqual({ id: officer.user.id, first_name: 'Djénéba', last_name: 'Kouyaté' })
})

test('an auditor’s page stays the same while new entries are added', async () => {
  const auditor = await portal.signedInAs('Auditor')
  const first = (await auditor.get('/admin/users/audit/logs?per_page=5')).body
  const page = await logs(auditor, `per_page=5&page=2&until=${first.newest}`)
  await changed(portal, 1, { language_spoken: 'bm' })
  const again = await logs(auditor, `per_page=5&page=2&until=${first.newest}`)
  expect(again).toEqual(page)
  expect(again.total).toBe(first.logs.total)
  expect((await auditor.get('/admin/users/audit/logs?per_page=5')).body.newest).toBe(first.newest + 1)
  const poll = await auditor.get('/admin/users/audit/logs', { 'x-poll': '1' })
  const same = await auditor.get('/admin/users/audit/logs', {
    'x-poll': '1',
    'if-none-match': poll.headers.etag ?? '',
  })
  expect(same.status).toBe(304)
})

test('somebody who reads the log while the database cuts its connections gets an error, and the api goes on', async () => {
  const auditor = await portal.signedInAs('Auditor')
  const rejections: unknown[] = []
  const note = (reason: unknown) => rejections.push(reason)
  process.on('unhandledRejection', note)
  const writer = await owner.connect()
  // The application's role may only terminate its own connections.
  const application = new pg.Client({ connectionString: portal.settings.databaseUrl })
  await application.connect()
  onTestFinished(async () => {
    process.off('unhandledRejection', note)
    writer.release()
    await application.end()
  })
  await writer.query('begin; lock table audits in access exclusive mode')
  const answers: number[] = []
  const reading = auditor.get('/admin/users/audit/logs').then(({ status }) => answers.push(status))
  await until(async () => {
    for (const pid of await waitingForLock(application))
      await application.query('select pg_terminate_backend($1)', [pid])
    return answers.length
  })
  await reading
  expect(answers[0]).toBeGreaterThanOrEqual(500)
  await writer.query('rollback')
  expect((await auditor.get('/admin/users/audit/logs')).status).toBe(200)
  expect(rejections).toEqual([])
})

test('an auditor without the permission sees no maternal status or disability, in the log or in its export', async () => {
  const id = await changed(
    portal,
    7,
    {
      maternal_status: 'pregnant',
      disability_vision: 'cannot_do',
      vision: 'cannot_do',
      language_spoken: 'bm',
      nested: { hearing: 'cannot_do', kept: 1 },
    },
    { maternal_status: 'none' },
  )
  const seen = async (client: Client) =>
    (await logs(client, 'auditable_type=student&search=7')).data.find((row) => row.id === id)
  const auditor = await portal.signedIn('audit-logs.view')
  expect(await seen(auditor)).toMatchObject({
    new_values: { language_spoken: 'bm', nested: { kept: 1 } },
    old_values: {},
  })
  expect(JSON.stringify(await seen(auditor))).not.toMatch(/maternal|pregnant|cannot_do/)
  const trusted = await portal.signedIn('audit-logs.view', 'students.sensitive')
  expect(await seen(trusted)).toMatchObject({
    new_values: { maternal_status: 'pregnant', vision: 'cannot_do' },
  })
  expect(JSON.stringify(await exported(auditor, {}))).not.toMatch(/maternal|pregnant|cannot.do/i)
  expect(JSON.stringify(await exported(trusted, {}))).toMatch(/Maternal status: Pregnant/)
})

test('an auditor reads that an entry was erased, and nothing of its content', async () => {
  const auditor = await portal.signedInAs('Auditor')
  const id = await changed(portal, 9, { first_name: 'Effacée' })
  await asOwner.transaction().execute((tx) => eraseAudit(tx, system, id))
  const { data } = await logs(auditor, 'auditable_type=student')
  expect(data.find((row) => row.id === id)).toMatchObject({
    erased: true,
    new_values: null,
    old_values: null,
  })
})

test('an auditor reads that there is more to find where a school was changed by more imports than a page looks at', async () => {
  await addPlaces(portal)
  await addSchools(portal)
  const auditor = await portal.signedInAs('Auditor')
  const { rows } = await owner.query(
    "update schools set name = 'Zebulon school' where id = (select min(id) from schools) returning id",
  )
  await owner.query(
    `with made as (insert into files (key, name, type, size, sha256) select md5(n::text), 'schools.xlsx', 'x', 1, '\\x00' from generate_series(1, 2001) n returning id),
       sent as (insert into imports (kind, user_id, file_id, file_name, file_hash, state) select 'schools', $1, id, 'schools.xlsx', 'x', 'imported' from made returning id)
     insert into import_changes (import_id, "row", subject_id, "column", old_value, new_value) select id, 2, $2, 'name', 'a', 'b' from sent`,
    [auditor.user.id, rows[0].id],
  )
  const found = await auditor.get('/admin/users/audit/logs?search=zebulon')
  expect(found.body).toMatchObject({ too_many: true })
})
