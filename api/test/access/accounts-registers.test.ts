import { expect, test } from 'vitest'
import { startPortal } from '../portal.ts'

const portal = await startPortal()
const { owner } = portal

test('nobody lists, reads, invites or signs out somebody of the registers as if she had an account', async () => {
  const admin = await portal.signedInAs('Administrator')
  const { rows } = await owner.query(
    `insert into users (first_name, last_name, email, type) values ('Oumou', 'Sangaré', 'oumou@test.example', 'teacher') returning id`,
  )
  const path = `/admin/users/${rows[0].id}`
  const answers = [
    await admin.get(path),
    await admin.post(`${path}/invitation`),
    await admin.delete(`${path}/sessions`),
    await admin.post(`${path}/approval-limit`, { amount: 100_000 }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  const found = (await admin.get('/admin/users/list?search=Oumou')).body.users
  expect([found.data, found.total]).toEqual([[], 0])
  const { rows: letters } = await owner.query(
    "select from mails where recipient = 'oumou@test.example' union all select from password_tokens where user_id = $1",
    [rows[0].id],
  )
  expect(letters).toEqual([])
})
