import { expect, test } from 'vitest'
import { startPortal } from '../portal.ts'
import { asked, isolatedStage, record, view, visits } from './isolated-stage.ts'

const portal = await startPortal()
const { before, live } = await isolatedStage(portal)
const { registry } = portal.context

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

test('an isolated module tells people what its own build declares, and nobody what another build or module does', async () => {
  const nurse = await portal.signedIn(view, record)
  const { id } = (await nurse.post(visits, { data: { school: 'Coura' } }, asked(live))).body.record
  const tell = (module: string, build: string) =>
    nurse.post(`/modules/${module}/notices`, { notice: 'seen', record: id }, asked(build))
  expect(await tell('mfe-health', live)).toMatchObject({ status: 200, body: { people: expect.any(Number) } })
  expect((await tell('mfe-health', before)).status).toBe(403)
  expect((await tell('mfe-water', live)).status).toBe(403)
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
