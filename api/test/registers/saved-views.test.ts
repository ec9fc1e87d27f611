import { mostViews } from '@portal/contracts/saved-views'
import { expect, test } from 'vitest'
import { startPortal } from '../portal.ts'

const portal = await startPortal()
const list = '/admin/schools/students'
const late = { list, name: 'Late in Ségou', query: 'search=sego+late&region=3&sort=-last_name' }
type Person = Awaited<ReturnType<typeof portal.signedIn>>
const viewsOf = async (who: Person, of = list) => (await who.get(`/views?list=${of}`)).body.views
const save = (who: Person, view: object) => who.post('/views', { ...late, ...view })

test('a person saves what she filtered under a name and finds it with its list, and nobody else does', async () => {
  const officer = await portal.signedIn('students.view')
  const other = await portal.signedIn('students.view')
  const saved = await save(officer, { name: '  Late in Ségou ' })
  expect(saved.body).toEqual({
    message: 'View saved',
    view: { id: expect.any(Number), ...late, version: 1 },
  })
  const { id } = saved.body.view
  expect(await viewsOf(officer)).toEqual([{ id, ...late, version: 1 }])
  expect(await viewsOf(officer, '/admin/schools')).toEqual([])
  expect((await officer.get('/views')).body.views).toHaveLength(1)
  expect(await viewsOf(other)).toEqual([])
  expect((await other.put(`/views/${id}`, { name: 'Mine', query: '', version: 1 })).status).toBe(404)
  expect((await other.delete(`/views/${id}`)).status).toBe(404)
  expect(await viewsOf(officer)).toEqual([{ id, ...late, version: 1 }])
  expect((await (await portal.visitor()).get('/views')).status).toBe(401)
})

test('a person renames a view, saves other filters under its name, and deletes it; the audit log has it all', async () => {
  const officer = await portal.signedIn('students.view')
  const { id } = (await save(officer, {})).body.view
  const changed = await officer.put(`/views/${id}`, { name: 'Late', query: 'search=late', version: 1 })
  expect(changed.body.view).toMatchObject({ name: 'Late', query: 'search=late', version: 2 })
  const stale = await officer.put(`/views/${id}`, { name: 'Later', query: '', version: 1 })
  expect(stale.status).toBe(409)
  expect((await officer.put(`/views/${id}`, { name: 'Late', query: 'search=late', version: 2 })).status).toBe(
    200,
  )
  expect((await officer.delete(`/views/${id}`)).body).toEqual({ message: 'View deleted' })
  expect((await officer.delete(`/views/${id}`)).status).toBe(404)
  expect(await viewsOf(officer)).toEqual([])
  const admin = await portal.signedInAs('Administrator')
  const { logs } = (
    await admin.get(`/admin/users/audit/logs?auditable_type=saved+view&user_id=${officer.user.id}`)
  ).body
  expect(logs.data).toMatchObject([
    { event: 'deleted', old_values: { list, name: 'Late', query: [{ en: 'search: yes' }] } },
    { event: 'updated', old_values: { name: late.name }, new_values: { name: 'Late' } },
    { event: 'created', new_values: { list, name: late.name } },
  ])
  const { rowCount } = await portal.owner.query(
    "select from audit_values where concat(old_values, new_values) ~ 'search=(sego|late)'",
  )
  expect(rowCount).toBe(0)
})

test('a person cannot give one list two views of the same name, whatever the case', async () => {
  const officer = await portal.signedIn('students.view')
  await save(officer, {})
  const { id } = (await save(officer, { name: 'Other' })).body.view
  const taken = ['You have a view of this name for this list already.']
  const again = await save(officer, { name: 'LATE IN SÉGOU' })
  expect([again.status, again.body.errors]).toEqual([422, { name: taken }])
  const renamed = await officer.put(`/views/${id}`, { name: 'late in ségou', query: '', version: 1 })
  expect([renamed.status, renamed.body.errors]).toEqual([422, { name: taken }])
  expect((await save(officer, { list: '/admin/schools' })).status).toBe(200)
})

test('a person keeps thirty views of a list, even when she saves two at the same moment', async () => {
  const officer = await portal.signedIn('students.view')
  for (let number = 1; number < mostViews; number++) await save(officer, { name: `View ${number}` })
  const last = await Promise.all(['One', 'Other'].map((name) => save(officer, { name })))
  expect(last.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(last.find(({ status }) => status === 409)?.body.message).toBe(
    'You keep 30 views of this list already. Delete one first.',
  )
  expect(await viewsOf(officer)).toHaveLength(mostViews)
  expect((await save(officer, { list: '/admin/schools' })).status).toBe(200)
})

test.each([
  ['an address', { query: 'https://example.org/' }],
  ['an address of the portal', { query: '/admin/users?search=a' }],
  ['a question mark', { query: '?search=a' }],
  ['a page', { query: 'search=a&page=3' }],
  ['a text that is too long', { query: `search=${'a'.repeat(1000)}` }],
  ['another place as its list', { list: '//example.org' }],
  ['a script as its list', { list: 'javascript:alert(1)' }],
  ['no name', { name: '  ' }],
  ['a name that is too long', { name: 'a'.repeat(61) }],
])('a view with %s is refused, and nothing is saved', async (_, wrong) => {
  const officer = await portal.signedIn('students.view')
  const refused = await save(officer, wrong)
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, Object.keys(wrong)])
  expect((await officer.get('/views')).body.views).toEqual([])
})

/** Where the portal takes a person after her sign-in. */
const startOf = async ({ user }: Person) =>
  (await (await portal.visitor()).post('/login', { email: user.email, password: user.password })).body.start

test('a person begins where she chose after her sign-in: home, a page, or one of her views', async () => {
  const officer = await portal.signedIn('students.view')
  expect((await officer.get('/start-page')).body).toEqual({ start: '' })
  expect(await startOf(officer)).toBeNull()
  await officer.put('/start-page', { start: '/home/attendance' })
  expect(await startOf(officer)).toBe('/home/attendance')
  const { id } = (await save(officer, {})).body.view
  const chosen = await officer.put('/start-page', { start: `view:${id}` })
  expect(chosen.body).toEqual({ message: 'Start page saved', start: `view:${id}` })
  expect(await startOf(officer)).toBe(`${list}?${late.query}`)
  expect((await officer.delete(`/views/${id}`)).status).toBe(200)
  expect((await officer.get('/start-page')).body).toEqual({ start: '' })
  expect(await startOf(officer)).toBeNull()
  await officer.put('/start-page', { start: list })
  await officer.put('/start-page', { start: list })
  await officer.put('/start-page', { start: '' })
  expect(await startOf(officer)).toBeNull()
  const admin = await portal.signedInAs('Administrator')
  const { logs } = (
    await admin.get(`/admin/users/audit/logs?auditable_type=user&event=updated&user_id=${officer.user.id}`)
  ).body
  expect(logs.data.map((entry: { new_values: object }) => entry.new_values)).toEqual([
    { start_page: '' },
    { start_page: list },
    { start_page: `view:${id}` },
    { start_page: '/home/attendance' },
  ])
})

test('a person cannot begin at the view of somebody else, or outside of the portal', async () => {
  const officer = await portal.signedIn('students.view')
  const other = await portal.signedIn('students.view')
  const { id } = (await save(other, {})).body.view
  const refused = await officer.put('/start-page', { start: `view:${id}` })
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    { start: ['This view is gone. Choose another page.'] },
  ])
  for (const start of ['//example.org', 'https://example.org', '/admin?next=/', 'view:0', null])
    expect([start, (await officer.put('/start-page', { start })).status]).toEqual([start, 422])
  expect(await startOf(officer)).toBeNull()
})

test('a view of a page with a number is no start page: the person begins at home', async () => {
  const officer = await portal.signedIn('students.view')
  const { id } = (await save(officer, { list: '/admin/schools/:id/users' })).body.view
  await officer.put('/start-page', { start: `view:${id}` })
  expect(await startOf(officer)).toBeNull()
})
