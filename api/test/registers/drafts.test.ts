import { isSecret } from '@portal/contracts/drafts'
import { expect, test } from 'vitest'
import { draftsPerSession, forgetDrafts } from '../../src/access/drafts.service.ts'
import type { Client } from '../client.ts'
import { password, startPortal } from '../portal.ts'

const portal = await startPortal()
const form = 'PUT /admin/students/7'
const typed = {
  values: { first_name: 'Aïssata', tags: [1, 2] },
  opened: { first_name: 'Aissata', version: 3 },
}
const keep = (who: Client, changes: object = {}) => who.put('/drafts', { form, ...typed, ...changes })
const draftOf = async (who: Client, of = form) =>
  (await who.get(`/drafts?form=${encodeURIComponent(of)}`)).body.draft
const drop = (who: Client) => who.delete(`/drafts?form=${encodeURIComponent(form)}`)
const stored = async (who: { user: { id: number } }) =>
  (
    await portal.owner.query(
      `select d.form, d.content from drafts d join sessions s on s.id = d.session_id
       where s.user_id = $1 order by d.saved_at`,
      [who.user.id],
    )
  ).rows as { form: string; content: Buffer }[]

test('a person finds what she typed as she left it, the last words of each form', async () => {
  const officer = await portal.signedInAs('School Officer')
  expect(await draftOf(officer)).toBeNull()
  expect((await keep(officer)).status).toBe(200)
  await keep(officer, { values: { first_name: 'Aïssatou' } })
  expect(await draftOf(officer)).toEqual({
    values: { first_name: 'Aïssatou' },
    opened: typed.opened,
    saved_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  })
  expect(await draftOf(officer, 'PUT /admin/students/8')).toBeNull()
  expect((await drop(officer)).status).toBe(200)
  expect(await draftOf(officer)).toBeNull()
})

test('what a person typed is sealed in the database, and no other session reads it, not even hers', async () => {
  const officer = await portal.signedInAs('School Officer')
  await keep(officer)
  const [draft] = await stored(officer)
  expect(draft?.content.toString('latin1')).not.toContain('first_name')
  const elsewhere = await portal.visitor()
  await elsewhere.post('/login', { email: officer.user.email, password })
  expect(await draftOf(elsewhere)).toBeNull()
  await drop(elsewhere)
  expect(await draftOf(await portal.signedInAs('School Officer'))).toBeNull()
  expect(await draftOf(officer)).toMatchObject(typed)
})

test('a person who signs out or in again leaves nothing behind', async () => {
  const officer = await portal.signedInAs('School Officer')
  await keep(officer)
  expect(await stored(officer)).toHaveLength(1)
  await officer.post('/logout')
  expect(await stored(officer)).toEqual([])
  const again = await portal.signedInAs('School Officer')
  await keep(again)
  await again.post('/login', { email: again.user.email, password })
  expect(await stored(again)).toEqual([])
  expect(await draftOf(again)).toBeNull()
})

test.each([
  ['unused for 8 hours', "last_seen_at = now() - interval '9 hours'"],
  ['7 days old', "created_at = now() - interval '8 days'"],
])('what was typed in a session that is %s is deleted by the worker', async (_, end) => {
  const officer = await portal.signedInAs('School Officer')
  const other = await portal.signedInAs('School Officer')
  await keep(officer)
  await keep(other)
  await portal.owner.query(`update sessions set ${end} where user_id = $1`, [officer.user.id])
  expect((await officer.get(`/drafts?form=${encodeURIComponent(form)}`)).status).toBe(401)
  await forgetDrafts(portal.db)
  expect(await stored(officer)).toEqual([])
  expect(await stored(other)).toHaveLength(1)
})

test('a person keeps her newest twenty forms, also when they are saved at the same time', async () => {
  const officer = await portal.signedInAs('School Officer')
  await keep(officer)
  const forms = Array.from({ length: draftsPerSession }, (_, n) => `POST /form/${n}`)
  await Promise.all(forms.map((form) => keep(officer, { form })))
  expect((await stored(officer)).map(({ form }) => form).sort()).toEqual(forms.sort())
  expect(await draftOf(officer)).toBeNull()
})

test.each([
  ['a password', { values: { current_password: 'secret' } }],
  ['a code', { opened: { code: '123456' } }],
  ['details of an agency', { values: { details: '{"api_key": "k"}' } }],
  ['a file', { values: { file: { name: 'photo.jpg' } } }],
  ['a book', { values: { description: 'x'.repeat(33_000) } }],
  ['a form without a name', { form: '' }],
])('%s is not kept', async (_, changes) => {
  const officer = await portal.signedInAs('School Officer')
  const { status, body } = await keep(officer, changes)
  const [field] = Object.keys(changes)
  expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [expect.stringMatching(`^${field}`)]])
  expect(await stored(officer)).toEqual([])
})

test('fields of the registers are no secrets', () => {
  const own = ['student_code', 'admin_code', 'student_assigned_id', 'description', 'date_of_birth']
  expect(own.filter(isSecret)).toEqual([])
})

test('a long form leaves no trace in the audit log', async () => {
  const officer = await portal.signedInAs('School Officer')
  const count = async () => (await portal.owner.query('select count(*) as n from audits')).rows[0].n
  const before = await count()
  await keep(officer)
  await drop(officer)
  expect(await count()).toBe(before)
})
