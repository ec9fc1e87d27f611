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
