import { expect, test } from 'vitest'
import { atItsEnd, bothAtOnce } from '../at-once.ts'
import { password, startPortal } from '../portal.ts'

const portal = await startPortal()
const { owner } = portal
const change = { current_password: password, password: 'une phrase assez longue' }

test('somebody whose sessions an administrator ends while she changes her password is signed out', async () => {
  const admin = await portal.signedInAs('Administrator')
  const person = await portal.signedInAs('School Officer')
  const [ended, changed] = await bothAtOnce(
    portal,
    atItsEnd,
    () => admin.delete(`/admin/users/${person.user.id}/sessions`),
    () => person.put('/password', change),
  )
  expect(ended.status).toBe(200)
  expect(changed.status).toBe(401)
  const { rows } = await owner.query('select from sessions where user_id = $1 and ended_at is null', [
    person.user.id,
  ])
  expect(rows).toHaveLength(0)
})

test('whose address an administrator changes while she changes her password is told of it at the new address', async () => {
  const admin = await portal.signedInAs('Administrator')
  const person = await portal.signedInAs('School Officer')
  const { id, version, ...named } = (await admin.get(`/admin/users/${person.user.id}`)).body.user
  const address = 'her-new-address@example.org'
  const [edited, changed] = await bothAtOnce(
    portal,
    atItsEnd,
    () => admin.put(`/users/profile/update/${id}`, { ...named, id, version, email: address }),
    () => person.put('/password', change),
  )
  expect([edited.status, changed.status]).toEqual([200, 200])
  const { rows: letters } = await owner.query(
    "select recipient from mails where subject like '%was changed%'",
  )
  expect(letters).toEqual([{ recipient: address }])
})
