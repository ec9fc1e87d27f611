import { expect, test } from 'vitest'
import { startPortal } from '../portal.ts'
import { registerStage } from './register-stage.ts'
import { addStudents } from './registers.ts'

const portal = await startPortal()
const { officer, one } = await registerStage(portal)
const { owner } = portal

test('a school officer renames a school and finds it by its new name', async () => {
  const person = await officer()
  const [school] = (await person.get('/admin/schools/list?search=kita')).body.schools.data
  const saved = await person.put(`/admin/schools/${school.id}`, {
    ...school,
    name: 'Kita Nord',
    students: 999,
  })
  expect(saved).toMatchObject({ status: 200, body: { message: 'School updated' } })
  const found = (await person.get('/admin/schools/list?search=NORD')).body.schools
  expect(found.data).toMatchObject([
    { id: school.id, name: 'Kita Nord', students: 0, version: 2, classes: 2 },
  ])
  expect(await one(`select old_values, new_values from audit_values order by audit_id desc limit 1`)).toEqual(
    {
      old_values: { name: 'École de Kita 1' },
      new_values: { name: 'Kita Nord' },
    },
  )
})

test('an officer does not overwrite a school that a colleague changed after she opened it', async () => {
  const person = await officer()
  const [school] = (await person.get('/admin/schools/list')).body.schools.data
  await person.put(`/admin/schools/${school.id}`, { ...school, name: 'First' })
  const stale = await person.put(`/admin/schools/${school.id}`, { ...school, name: 'Second' })
  expect(stale.status).toBe(409)
  expect(stale.body.message).toMatch(/^Somebody else has changed this since you opened it/)
  const { body } = await person.get(`/admin/schools/${school.id}`)
  expect(body.school).toMatchObject({ name: 'First', version: 2 })
  const { version: _, ...without } = school
  expect((await person.put(`/admin/schools/${school.id}`, { ...without, name: 'Third' })).status).toBe(200)
})

test('an officer must give a school its required fields, a unique code, and a known CAP and type', async () => {
  const person = await officer()
  const [first, second] = (await person.get('/admin/schools/list?sort=admin_code')).body.schools.data
  const put = (change: object) => person.put(`/admin/schools/${first.id}`, { ...first, ...change })
  const empty = await person.put(`/admin/schools/${first.id}`, {})
  expect(Object.keys(empty.body.errors).sort()).toEqual([
    'academic_year',
    'admin_code',
    'admin_district_as_cap',
    'education_authority_as_ae',
    'name',
    'type_of_school',
  ])
  expect((await put({ admin_code: ` ${second.admin_code.toLowerCase()}` })).body.errors).toEqual({
    admin_code: ['This value is already in use.'],
  })
  expect((await put({ admin_district_as_cap: 'CAP KITTA' })).body.errors).toEqual({
    admin_district_as_cap: ['No CAP is called CAP KITTA. The nearest known one is CAP KITA.'],
  })
  expect((await put({ education_authority_as_ae: 'AE SEGOU' })).body.errors).toEqual({
    education_authority_as_ae: ['CAP KITA belongs to AE KAYES, not to AE SEGOU.'],
  })
  expect((await put({ type_of_school: 'other' })).body.errors).toEqual({
    type_of_school: ['Choose one of the portal’s types.'],
  })
  expect((await put({ academic_year: '2026-2028' })).status).toBe(422)
  expect((await person.put('/admin/schools/999', first)).status).toBe(404)
})

test('an officer may keep an inactive CAP of a school, but gives it to no other', async () => {
  const person = await officer()
  const [kept, other] = (await person.get('/admin/schools/list?sort=admin_code')).body.schools.data
  await owner.query(
    `update schools set cap_id = (select id from caps where name = 'CAP BAFOULABE') where id = $1`,
    [other.id],
  )
  await owner.query(`update caps set active = false where name = 'CAP KITA'`)
  const put = (id: number, body: object) => person.put(`/admin/schools/${id}`, body)
  expect((await put(kept.id, { ...kept, name: 'Kita Nord' })).status).toBe(200)
  const refused = await put(other.id, { ...other, name: 'Bafoulabé Nord' })
  expect(refused).toMatchObject({
    status: 422,
    body: { errors: { admin_district_as_cap: ['CAP KITA is inactive. Choose another CAP.'] } },
  })
  const misspelt = await put(other.id, { ...other, admin_district_as_cap: 'CAP KITTA' })
  expect(misspelt.body.errors.admin_district_as_cap[0]).not.toContain('CAP KITA.')
  expect(
    (
      await owner.query(
        'select s.name, c.name as cap from schools s join caps c on c.id = s.cap_id order by s.admin_code',
      )
    ).rows,
  ).toMatchObject([{ name: 'Kita Nord', cap: 'CAP KITA' }, { name: other.name, cap: 'CAP BAFOULABE' }, {}])
})

test('a person sees the teachers or students of a school if she may see people of that type', async () => {
  await addStudents(portal, 17)
  const person = await officer()
  const { id } = await one(`select id from schools where admin_code = 'KIT-1'`)
  const students = (await person.get(`/admin/schools/${id}/users?type=student&page=2`)).body
  expect(students).toMatchObject({
    user_type: 'student',
    school: { admin_code: 'KIT-1', students: 17 },
    student: { total: 17, current_page: 2 },
  })
  expect(students.student.data).toHaveLength(2)
  expect((await person.get(`/admin/schools/${id}/users?type=teacher`)).body).toMatchObject({
    user_type: 'teacher',
    teacher: { total: 0, data: [] },
  })
  expect((await person.get(`/admin/schools/${id}/users?type=parent`)).status).toBe(422)
  const visitor = await portal.signedIn('schools.view')
  expect((await visitor.get(`/admin/schools/${id}/users?type=student`)).status).toBe(403)
})

test('an officer chooses in forms and filters from the closed lists of the portal', async () => {
  const person = await officer()
  const options = (await person.get('/admin/geo/options', { 'accept-language': 'fr' })).body
  expect(options.caps).toContainEqual(expect.objectContaining({ name: 'CAP KITA', active: true }))
  expect(options.school_types).toContainEqual({ code: 'public', name: 'École publique' })
  expect((await person.get('/admin/schools/options?search=kit-2')).body.schools).toMatchObject([
    { admin_code: 'KIT-2' },
  ])
  const { id } = await one(`select id from schools where admin_code = 'KIT-1'`)
  expect((await person.get(`/admin/schools/${id}/classes`)).body.classes).toMatchObject([
    { name: '7A' },
    { name: '8A' },
  ])
  const stranger = await portal.signedIn()
  expect((await stranger.get('/admin/schools/options')).status).toBe(403)
})
