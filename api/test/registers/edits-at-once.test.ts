import { expect, test } from 'vitest'
import { atItsEnd, bothAtOnce } from '../at-once.ts'
import { runCommand } from '../commands.ts'
import { addList } from '../people.ts'
import { startPortal } from '../portal.ts'
import { registerStage } from './register-stage.ts'
import { addStudents } from './registers.ts'

const portal = await startPortal()
const { officer, one } = await registerStage(portal)
const { owner } = portal

const schools = '/admin/schools'
const firstSchool = async (person: Awaited<ReturnType<typeof officer>>) =>
  (await person.get(`${schools}/list?sort=admin_code`)).body.schools.data[0]

test('an officer who saves a school while a colleague moves it to another CAP is told that somebody changed it', async () => {
  const [person, colleague] = [await officer(), await officer()]
  const school = await firstSchool(person)
  const moved = { ...school, admin_district_as_cap: 'CAP BAFOULABE' }
  const [first, second] = await bothAtOnce(
    portal,
    atItsEnd,
    () => colleague.put(`${schools}/${school.id}`, moved),
    () => person.put(`${schools}/${school.id}`, { ...school, name: 'Kita Nord' }),
  )
  expect(first.status).toBe(200)
  expect(second.status).toBe(409)
  expect(second.body.message).toMatch(/^Somebody else has changed this since you opened it/)
})

/** The first girl, who stands on a list that was rejected, so that her row stays when she is erased. */
async function girlOfList() {
  await addStudents(portal, 1)
  await owner.query(`
    insert into users (first_name, last_name, account, type) values ('Awa', 'Diarra', true, 'partner');
    insert into transfer_agencies (name, description, type, country, fees, endpoint, protocol, details, user_id)
      select 'Sandbox', 'Simulator', 'mobile_money', 'ml', 1, 'http://localhost', 'sandbox', '{"protocol": "sandbox"}', max(id) from users;
    insert into transfer_parameters (name, description, commission_hundredths, amount, frequency, user_id)
      select 'Monthly', 'Monthly grant', 200, 10500, 1, max(id) from users`)
  const { id: by } = await one('select max(id)::int as id from users')
  await portal.db.transaction().execute((tx) => addList(tx, by, 1, 'Rejected'))
  await owner.query(`update transfer_cohorts set status = 'rejected', decided_by = $1, decided_at = now()`, [
    by,
  ])
  return (await one('select id::int from students')).id as number
}

test('a girl who is erased while an officer saves her form does not come back by it', {
  timeout: 60_000,
}, async () => {
  const id = await girlOfList()
  const person = await officer()
  const path = `${schools}/students/${id}`
  const { student } = (await person.get(path)).body
  const form = { ...student, ...student.user, class_id: null, current_class_level: '7' }
  const [erased, saved] = await bothAtOnce(
    portal,
    // Where the erasure comes once it has emptied the rows of students.
    'lock table teachers in share mode',
    () => runCommand(portal.settings, 'person-erase', ['--student', 'S-1']),
    () => person.put(path, form),
  )
  const stored = () =>
    one(
      'select first_name, last_name, student_assigned_id from students join users u on u.id = students.user_id',
    )
  const nobody = { first_name: '—', last_name: '—', student_assigned_id: null }
  expect(erased).toMatchObject({ code: 0 })
  expect(await stored()).toEqual(nobody)
  expect(saved.status).toBe(404)
  const { version: _, ...unversioned } = form
  expect((await person.put(path, unversioned)).status).toBe(404)
  expect(await stored()).toEqual(nobody)
})
