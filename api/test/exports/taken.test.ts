import { beforeAll, expect, test } from 'vitest'
import { startPortal, until } from '../portal.ts'

const portal = await startPortal()
beforeAll(async () => {
  await portal.worker()
})

test('an auditor who may no longer see maternal status cannot fetch the log that has it', async () => {
  const person = await portal.signedIn('audit-logs.view', 'students.sensitive')
  const { file_name } = (await person.post('/admin/users/audit/logs/export', {})).body
  const address = `/storage/exports/${file_name}`
  await until(async () => (await person.get(address)).status === 200)
  await portal.owner.query(
    `delete from role_permissions rp using user_roles ur, permissions p
     where ur.user_id = $1 and rp.role_id = ur.role_id and p.id = rp.permission_id and p.name = 'students.sensitive'`,
    [person.user.id],
  )
  expect((await person.get(address)).status).toBe(403)
})
