import { expect, test } from 'vitest'
import { startPortal } from '../portal.ts'
import { archive } from '../privacy/archives.ts'
import { dayBack, machine, makeToken, report, settled } from '../sync/sync.ts'
import { addPlaces, addSchools, addStudents } from './registers.ts'

const portal = await startPortal()
await portal.worker()
await addPlaces(portal)
await addSchools(portal)
await addStudents(portal, 1)

test('what an administrator exports about a girl has the reports of her class, however the register writes its name', async () => {
  const { owner } = portal
  await owner.query("update classes set name = '7 ɲɛ a' where name = '7A'")
  const send = machine(portal, await makeToken(portal))
  await send({
    messages: [
      report({ class: '7-ƝƐ-A', learners: { enrolled: 30, present: 21 } }),
      report({ class: '8A', learners: { enrolled: 30, present: 22 } }),
      report({ class: 'ALL', learners: { enrolled: 300, present: 210 } }),
      report({ school_admin_code: 'KIT-2', class: '7ƝƐA', learners: { enrolled: 30, present: 23 } }),
    ],
  })
  await settled(portal)
  const { rows } = await owner.query("select id from students where student_code = 'S-1'")
  const admin = await portal.signedInAs('Administrator')
  const { json } = await archive(portal, admin, `student/${rows[0].id}`)
  expect(json.attendance).toMatchObject([{ date: dayBack(0), class: '7ƝƐA', enrolled: 30, present: 21 }])
})
