import type { Permission } from '@portal/contracts/permissions'
import { beforeAll, expect, test } from 'vitest'
import { followModules } from '../../src/modules/permissions.service.ts'
import { startPortal } from '../portal.ts'
import { release } from './modules.ts'

const portal = await startPortal()
const { registry } = portal.context

// Permissions of modules are not in the type `Permission`, so the test casts them.
const view = 'health.view' as Permission
const record = 'health.record' as Permission

const own = (name: string) => ({ name, read: view, write: record })
const short = {
  title: { en: 'Short form', fr: 'Formulaire court' },
  text: { en: 'Asks for less.', fr: 'Demande moins.' },
}
const seen = {
  ...{ id: 'seen', collection: 'visits', permission: view, link: '/admin/health' },
  ...{ title: { en: 'Seen', fr: 'Vue' }, text: { en: 'A girl was seen.', fr: 'Une élève a été vue.' } },
}
const both = (en: string, fr: string) => ({ en, fr })
const modes = ['short', 'long'].map((value) => ({ value, label: both(value, value) }))
const health = (version: string, calls: string[]) => ({
  ...{ name: 'mfe-health', version, calls },
  permissions: [view, record].map((name) => ({ name, label: { en: name, fr: name } })),
  collections: [own('visits')],
  flags: [
    { ...short, id: 'short-form', default: false },
    { ...short, id: 'old-form', default: true },
  ],
  settings: [
    {
      name: 'girls',
      label: both('Girls per visit', 'Filles par visite'),
      type: 'whole',
      min: 1,
      max: 50,
      default: 20,
    },
    { name: 'mode', label: both('Mode', 'Mode'), type: 'text', values: modes, default: 'short' },
    ...(version === '1.0.0'
      ? []
      : [{ name: 'photos', label: both('Photos', 'Photos'), type: 'boolean', default: false }]),
  ],
  notices: version === '1.0.0' ? [] : [seen],
  backends: [{ ...own('stock'), url: 'https://stock.example.org' }],
})
const water = { name: 'mfe-water', version: '1.0.0', collections: [own('wells')] }

const settingsOf = '/admin/modules/mfe-health/settings'

/** The header by which the shell says for which module it calls. */
const asked = (module: string) => ({ 'x-portal-module': module })
let live = ''
let before = ''
const buildOf = async (name: string) =>
  (await registry.now()).modules.find((module) => module.name === name)?.build ?? ''

beforeAll(async () => {
  await release(
    registry,
    health('1.0.0', ['GET /admin/schools/list', 'GET /admin/schools/students/list']),
    water,
  )
  before = `mfe-health/${await buildOf('mfe-health')}`
  await release(
    registry,
    health('1.1.0', [
      ...['GET /admin/schools/list', 'PUT /password', 'GET /sessions', 'PUT /start-page'],
      ...['GET /views', 'POST /views', 'PUT /views/:id', 'DELETE /views/:id'],
      ...['POST /admin/transfers/cohorts/:id/approve', 'POST /admin/transfers/payrolls/retry'],
      ...['POST /admin/transfers/corrections/:id/decide', 'GET /admin/transfers/cohorts'],
    ]),
    water,
  )
  live = `mfe-health/${await buildOf('mfe-health')}`
  await followModules(portal.context)()
})

const visits = '/modules/mfe-health/records/visits'
const refused = 'The module mfe-health may not make this call, because its manifest does not name it.'

test('a nurse reads and saves what her module declares, and the audit log says through which build', async () => {
  const nurse = await portal.signedIn(view, record, 'schools.view')
  expect((await nurse.get('/admin/schools/list', asked(live))).status).toBe(200)
  const saved = await nurse.post(visits, { data: { school: 'Coura' } }, asked(live))
  expect(saved.status).toBe(200)
  expect((await nurse.get(visits, asked(live))).body.records.data).toMatchObject([
    { id: saved.body.record.id },
  ])
  const { rows } = await portal.owner.query(
    'select module from audits where event = $1 and auditable_type = $2',
    ['created', 'module record'],
  )
  expect(rows).toEqual([{ module: live }])
  const auditor = await portal.signedIn('audit-logs.view')
  const { logs } = (await auditor.get('/admin/users/audit/logs?event=created&auditable_type=module record'))
    .body
  expect(logs.data).toMatchObject([{ module: live }])
  await nurse.post(visits, { data: { school: 'Coura' } })
  const again = (await auditor.get('/admin/users/audit/logs?event=created&auditable_type=module record')).body
  expect(again.logs.data[0]).toMatchObject({ module: null })
})

test('an administrator changes settings of a module, which everybody’s browser reads, and each change is in the audit log', async () => {
  const admin = await portal.signedInAs('Administrator')
  const nurse = await portal.signedIn(view)
  const own = async () => (await nurse.get('/modules/mfe-health/settings', asked(live))).body.settings
  expect(await own()).toEqual({ girls: 20, mode: 'short', photos: false })
  const first = (await admin.get(settingsOf)).body
  expect(first).toMatchObject({ version: 0, changed: null })
  expect(first.settings[0]).toMatchObject({ name: 'girls', default: 20, value: 20, max: 50 })
  const change = (values: object, version: number) => admin.put(settingsOf, { values, version })
  const saved = await change({ girls: '30', mode: 'long', photos: true }, 0)
  expect(saved.body).toMatchObject({ version: 1, changed: { by: {} } })
  expect(await own()).toEqual({ girls: 30, mode: 'long', photos: true })
  expect((await change({ girls: 10 }, 0)).status).toBe(409)

  const faulty = (await change({ girls: 51, mode: 'deep', colour: 'red' }, 1)).body
  expect(faulty.errors).toEqual({
    'values.girls': ['Girls per visit: Write a number from 1 to 50.'],
    'values.mode': ['Mode: Choose one of the list.'],
    'values.colour': ['The module does not declare a setting “colour”.'],
  })
  // What is blank or left out is as declared again.
  await change({ girls: '', photos: true }, 1)
  expect(await own()).toEqual({ girls: 20, mode: 'short', photos: true })

  expect((await nurse.get(settingsOf)).status).toBe(403)
  expect((await admin.put('/admin/modules/mfe-water/settings', { values: {}, version: 0 })).status).toBe(404)
  expect((await admin.get('/modules/mfe-water/settings', asked(live))).status).toBe(403)
  const { rows } = await portal.owner.query(
    "select old_values, new_values from audits a join audit_values w on w.audit_id = a.id where event = 'setting changed' order by a.id",
  )
  expect(rows).toHaveLength(5)
  expect(rows[0]).toEqual({
    old_values: { value: 20 },
    new_values: { module: 'mfe-health', setting: 'girls', value: 30 },
  })
  // The version before finds what it knows, and a value that it could not have is as declared there.
  await portal.owner.query('update module_settings set settings = $1', [{ girls: 400, mode: 'long' }])
  expect(await own()).toEqual({ girls: 20, mode: 'long', photos: false })
})

test('an isolated module tells people what its own build declares, and nobody what another build or module does', async () => {
  const nurse = await portal.signedIn(view, record)
  const { id } = (await nurse.post(visits, { data: { school: 'Coura' } }, asked(live))).body.record
  const tell = (module: string, build: string) =>
    nurse.post(`/modules/${module}/notices`, { notice: 'seen', record: id }, asked(build))
  expect(await tell('mfe-health', live)).toMatchObject({ status: 200, body: { people: expect.any(Number) } })
  expect((await tell('mfe-health', before)).status).toBe(403)
  expect((await tell('mfe-water', live)).status).toBe(403)
})

test('an administrator decides who has a switch of a module, and the module asks for the person', async () => {
  const admin = await portal.signedInAs('Administrator')
  const nurse = await portal.signedIn(view)
  const clerk = await portal.signedInAs('School Officer')
  const list = '/admin/modules/mfe-health/flags'
  const own = async (who: typeof nurse, headers = {}) =>
    (await who.get('/modules/mfe-health/flags', headers)).body.flags
  let version = 0
  const decide = async (body: object) => {
    const answer = await admin.put(`${list}/short-form`, { version, ...body })
    if (answer.status === 200) version = answer.body.flag.version
    return answer
  }
  expect(await own(nurse)).toEqual({ 'short-form': false, 'old-form': true })
  expect((await admin.get(list)).body.flags).toMatchObject([
    { id: 'short-form', who: 'declared', version: 0, changed: null },
    { id: 'old-form', default: true },
  ])
  expect((await decide({ who: 'everybody' })).status).toBe(200)
  expect(await own(nurse, asked(live))).toEqual({ 'short-form': true, 'old-form': true })
  const { roles } = (await admin.get(list)).body
  const officers = roles.find(({ name }: { name: string }) => name === 'School Officer').id
  expect((await decide({ who: 'some', roles: [officers] })).body.flag).toMatchObject({ roles: [officers] })
  expect([(await own(nurse))['short-form'], (await own(clerk))['short-form']]).toEqual([false, true])
  expect((await decide({ who: 'some' })).body.errors.roles).toEqual([
    'Choose roles, or a share of the people.',
  ])
  expect((await decide({ who: 'some', roles: [999999] })).status).toBe(422)
  // A share is the same people at each question, and not the same for each switch.
  await decide({ who: 'some', percent: 50 })
  const people = await Promise.all(Array.from({ length: 12 }, () => portal.signedIn(view)))
  const has = await Promise.all(people.map(async (each) => (await own(each))['short-form']))
  expect(new Set(has)).toEqual(new Set([true, false]))
  expect(await Promise.all(people.map(async (each) => (await own(each))['short-form']))).toEqual(has)
  const stale = await admin.put(`${list}/short-form`, { who: 'nobody', version: 1 })
  expect(stale.status).toBe(409)
  await decide({ who: 'nobody' })
  expect((await own(clerk))['short-form']).toBe(false)
  expect((await admin.put(`${list}/no-form`, { who: 'nobody', version: 0 })).status).toBe(404)
  expect([(await nurse.get(list)).status, (await nurse.get('/modules/mfe-none/flags')).status]).toEqual([
    403, 404,
  ])
  expect((await admin.get('/modules/mfe-water/flags', asked(live))).status).toBe(403)
  const { rows } = await portal.owner.query(
    "select old_values, new_values from audits a join audit_values w on w.audit_id = a.id where event = 'flag decided' order by a.id limit 2",
  )
  expect(rows[1]).toEqual({
    old_values: { who: 'everybody', roles: [], percent: 0 },
    new_values: {
      module: 'mfe-health',
      flag: 'short-form',
      who: 'some',
      roles: ['School Officer'],
      percent: 0,
    },
  })
})

test('what an administrator may, her module may not unless its manifest names it', async () => {
  const admin = await portal.signedInAs('Administrator')
  for (const [method, path, body] of [
    ['GET', '/admin/schools/students/list'],
    ['GET', '/admin/modules'],
    ['GET', '/session'],
    ['GET', '/admin/schools/options'],
    ['POST', '/admin/roles', {}],
    ['POST', '/admin/roles', { name: 'Mine' }],
    ['POST', '/logout'],
    ['POST', '/modules/mfe-health/sandbox', { collections: [] }],
  ] as const) {
    const answer = await admin.send(method, path, body, asked(live))
    expect([path, answer.status, answer.body]).toEqual([path, 403, { message: refused }])
  }
  expect((await admin.get('/session')).body.user.id).toBe(admin.user.id)
  const { rows } = await portal.owner.query(
    "select new_values ->> 'call' as call, module from audits a join audit_values w on w.audit_id = a.id where event = 'refused' and user_id = $1",
    [admin.user.id],
  )
  expect(rows).toContainEqual({ call: 'POST /api/admin/roles', module: live })
})

test('a module reaches its own records and servers only, and none that it does not declare', async () => {
  const admin = await portal.signedInAs('Administrator')
  const paths = [
    '/modules/mfe-water/records/wells',
    '/modules/mfe-health/records/wells',
    '/modules/mfe-water/backend/stock/items',
    '/modules/mfe-health/backend/other/items',
  ]
  for (const path of paths) expect([path, (await admin.get(path, asked(live))).status]).toEqual([path, 403])
  // The server of the example does not exist, which is another answer than a refusal.
  expect((await admin.get('/modules/mfe-health/backend/stock/items', asked(live))).status).toBe(502)
})

test('calls about the person’s own account stay closed to a module that names them', async () => {
  const nurse = await portal.signedIn(view)
  for (const [method, path] of [
    ['PUT', '/password'],
    ['GET', '/sessions'],
  ] as const)
    expect([path, (await nurse.send(method, path, {}, asked(live))).status]).toEqual([path, 403])
})

test('acts that approve money stay closed to a module that names them, and what it reads of money stays open', async () => {
  const approver = await portal.signedInAs('Transfer Approver')
  for (const path of ['cohorts/1/approve', 'payrolls/retry', 'corrections/1/decide']) {
    const act = () => approver.post(`/admin/transfers/${path}`, { action: 'approved' }, asked(live))
    expect([path, await act()]).toMatchObject([path, { status: 403, body: { message: refused } }])
  }
  expect((await approver.get('/admin/transfers/cohorts', asked(live))).status).toBe(200)
})

test('a module sees and changes a nurse’s views of its own lists only, and she sees all of them in the portal', async () => {
  const nurse = await portal.signedIn(view)
  const save = (list: string, headers = {}) =>
    nurse.post('/views', { list, name: 'Late', query: 'search=Awa' }, headers)
  const own = (await save('/admin/health', asked(live))).body.view
  const child = (await save('/admin/health/:id/visits', asked(live))).body.view
  const other = (await save('/admin/schools/students')).body.view
  const alike = (await save('/admin/healthy')).body.view
  const seen = async (query = '', headers = {}) => {
    const { status, body } = await nurse.get(`/views${query}`, headers)
    return [status, body.views?.map(({ id }: { id: number }) => id).toSorted() ?? body.message]
  }
  const elsewhere = 'A module has saved views of lists at its own pages only, which begin with /admin/health.'
  expect(await seen('', asked(live))).toEqual([200, [own.id, child.id]])
  expect(await seen('?list=/admin/health', asked(live))).toEqual([200, [own.id]])
  expect(await seen('?list=/admin/schools/students', asked(live))).toEqual([403, elsewhere])
  expect(await save('/admin/users', asked(live))).toMatchObject({ status: 403, body: { message: elsewhere } })
  for (const { id } of [other, alike]) {
    const edit = { name: 'Mine', query: 'search=b', version: 1 }
    expect((await nurse.put(`/views/${id}`, edit, asked(live))).status).toBe(404)
    expect((await nurse.send('DELETE', `/views/${id}`, {}, asked(live))).status).toBe(404)
    const start = await nurse.put('/start-page', { start: `view:${id}` }, asked(live))
    expect([start.status, start.body.errors]).toEqual([
      422,
      { start: ['This view is gone. Choose another page.'] },
    ])
  }
  expect(await seen()).toEqual([200, [own.id, child.id, other.id, alike.id]])
  expect((await nurse.put('/start-page', { start: `view:${own.id}` }, asked(live))).status).toBe(200)
  // The view that is her start page goes with its list, as if she had deleted it herself.
  const changed = await nurse.put(`/views/${own.id}`, { name: 'Now', query: '', version: 1 }, asked(live))
  expect(changed.body.view).toMatchObject({ list: '/admin/health', version: 2 })
  expect((await nurse.send('DELETE', `/views/${own.id}`, {}, asked(live))).status).toBe(200)
  expect((await nurse.get('/start-page')).body).toEqual({ start: '' })
  expect(await seen()).toEqual([200, [child.id, other.id, alike.id]])
})

test('a module never adds to the rights of the person', async () => {
  const clerk = await portal.signedIn('students.view')
  expect((await clerk.get('/admin/schools/list', asked(live))).status).toBe(403)
  expect((await clerk.get(visits, asked(live))).status).toBe(403)
})

test('an open tab goes on with the version that was live before, within what that version names', async () => {
  const admin = await portal.signedInAs('Administrator')
  expect((await admin.get('/admin/schools/students/list', asked(before))).status).toBe(200)
  expect((await admin.get('/sessions', asked(before))).status).toBe(403)
})

test('a module reports how it fares, and nothing of others', async () => {
  const nurse = await portal.signedIn(view)
  const load = (module: string) => ({
    ...{ kind: 'load', module, version: '1.1.0', build: live.split('/')[1], ms: 400, bytes: 9000 },
  })
  const reports = [load('mfe-health'), load('mfe-water')]
  expect((await nurse.post('/modules/reports', { reports }, asked(live))).status).toBe(200)
  const { rows } = await portal.owner.query('select module from module_reports where user_id = $1', [
    nurse.user.id,
  ])
  expect(rows).toEqual([{ module: 'mfe-health' }])
})

test('a build that nobody has let in, one that was withdrawn, and a module that is switched off may nothing', async () => {
  const admin = await portal.signedInAs('Administrator')
  const closed = {
    message:
      'This version of the module may not make calls, because it is no longer in use. Reload the page.',
  }
  for (const module of ['mfe-health/0123456789ab', 'mfe-none/0123456789ab', 'mfe-health', '', '../x'])
    expect([module, await admin.get('/admin/schools/list', asked(module))]).toMatchObject([
      module,
      { status: 403, body: closed },
    ])
  const { generation } = await registry.now()
  await registry.change({ name: 'mfe-health', action: 'disable', generation, by: 'A test' })
  expect(await admin.get('/admin/schools/list', asked(live))).toMatchObject({ status: 403, body: closed })
  expect((await admin.get('/admin/schools/list')).status).toBe(200)
})
