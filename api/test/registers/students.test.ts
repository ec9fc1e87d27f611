import { expect, test } from 'vitest'
import { startPortal } from '../portal.ts'
import { registerStage } from './register-stage.ts'
import { addStudents, fileOf, imported, student } from './registers.ts'

const portal = await startPortal()
const { officer, one } = await registerStage(portal)
const { owner } = portal

test('an officer finds students by code and by names in either order, and filters by school, class and level', async () => {
  await addStudents(portal, 40)
  const person = await officer()
  const list = async (query: string) =>
    (await person.get(`/admin/schools/students/list?${query}`)).body.students
  expect(await list('search=aissata%20traore%20s-7')).toMatchObject({
    total: 1,
    data: [{ student_code: 'S-7' }],
  })
  expect(await list('search=TRAORE%2012%20AISS')).toMatchObject({ total: 1 })
  expect(await list('search=s-39')).toMatchObject({
    total: 1,
    data: [{ school: { admin_code: 'KIT-1' }, class: { name: '7A' } }],
  })
  const { id } = await one(`select id from schools where admin_code = 'KIT-2'`)
  expect((await list(`school=${id}`)).total).toBe(0)
  expect((await list('class_level=7&per_page=10&page=4&sort=-last_name')).data).toHaveLength(10)
  const cap = await one(`select id from caps where name = 'CAP KITA'`)
  const region = await one(`select id from regions where name = 'SEGOU'`)
  expect((await list(`cap=${cap.id}`)).total).toBe(40)
  expect((await list(`region=${region.id}`)).total).toBe(0)
  expect((await person.get('/admin/schools/students/list?sort=maternal_status')).status).toBe(422)
})

test('an officer without the permission neither sees nor changes maternal status and disability', async () => {
  await addStudents(portal, 1)
  const plain = await portal.signedIn('students.view', 'students.update')
  const [seen] = (await plain.get('/admin/schools/students/list')).body.students.data
  expect(seen).not.toHaveProperty('maternal_status')
  expect((await plain.get(`/admin/schools/students/${seen.id}`)).body.student).not.toHaveProperty(
    'disability_vision',
  )
  const saved = await plain.put(`/admin/schools/students/${seen.id}`, {
    ...seen,
    maternal_status: 'mother',
    admission_number: 'N-1',
  })
  expect(saved.body.message).toBe('Student updated')
  expect(await one('select maternal_status, admission_number, version from students')).toEqual({
    maternal_status: 'none',
    admission_number: 'N-1',
    version: 2,
  })
  const full = await officer()
  const [whole] = (await full.get('/admin/schools/students/list')).body.students.data
  expect(whole).toMatchObject({ maternal_status: 'none', disability_vision: null })
  await full.put(`/admin/schools/students/${seen.id}`, {
    ...whole,
    maternal_status: 'mother',
    last_name: 'Ba',
  })
  expect(await one('select maternal_status, person from students')).toEqual({
    maternal_status: 'mother',
    person: 'Ba Aïssata',
  })
})

test('an officer must give a student a code, an assigned id, a level, and a birth date in the past', async () => {
  await addStudents(portal, 2)
  const person = await officer()
  const [first] = (await person.get('/admin/schools/students/list?sort=student_code')).body.students.data
  const put = async (change: object) =>
    (await person.put(`/admin/schools/students/${first.id}`, { ...first, ...change })).body.errors
  expect(
    Object.keys((await person.put(`/admin/schools/students/${first.id}`, {})).body.errors).sort(),
  ).toEqual(['current_class_level', 'date_of_birth', 'student_assigned_id', 'student_code'])
  expect(await put({ student_code: 's-2' })).toEqual({ student_code: ['This value is already in use.'] })
  expect(await put({ date_of_birth: '2999-01-01' })).toEqual({
    date_of_birth: ['This date lies in the future.'],
  })
  expect(await put({ current_class_level: '77' })).toEqual({
    current_class_level: ['77 is not a known class level. The nearest known one is 7.'],
  })
  const other = await one(
    `select k.id from classes k join schools s on s.id = k.school_id where s.admin_code = 'VEL-1'`,
  )
  expect(await put({ class_id: other.id })).toEqual({ class_id: ['Choose a class of the student’s school.'] })
})

test('an officer cannot give a student a class level of the other country', async () => {
  await addStudents(portal, 2)
  await owner.query(`update students set current_class_level = '6E', class_id = null,
    school_id = (select id from schools where admin_code = 'VEL-1') where student_code = 'S-2'`)
  const person = await officer()
  const { data } = (await person.get('/admin/schools/students/list?sort=student_code')).body.students
  const errors = async (pupil: { id: number }, current_class_level: string, locale: 'en' | 'fr' = 'en') =>
    (
      await person.put(
        `/admin/schools/students/${pupil.id}`,
        { ...pupil, current_class_level },
        { 'accept-language': locale },
      )
    ).body.errors
  const [malian, senegalese] = data
  expect(await errors(malian, 'CM2')).toEqual({
    current_class_level: ['CM2 is a class level of Senegal, and the school is in Mali.'],
  })
  expect(await errors(senegalese, '8')).toEqual({
    current_class_level: ['8 is a class level of Mali, and the school is in Senegal.'],
  })
  expect(await errors(senegalese, '8', 'fr')).toEqual({
    current_class_level: ['8 est un niveau de classe du Mali, et l’établissement est au Sénégal.'],
  })
  expect(await errors(senegalese, 'CM2')).toBeUndefined()
  expect(await one(`select current_class_level from students where student_code = 'S-2'`)).toEqual({
    current_class_level: 'CM2',
  })
})

test('a name that an officer pastes with invisible signs or split accents is stored as a file would store it', async () => {
  await addStudents(portal, 1)
  const person = await officer()
  const [pupil] = (await person.get('/admin/schools/students/list')).body.students.data
  // Split accents, a space of no width, two spaces and a line break.
  const first_name = 'Ne\u0301ne\u0301\u200b  Ai\u0308cha\n'
  const saved = await person.put(`/admin/schools/students/${pupil.id}`, { ...pupil, first_name })
  expect(saved.status).toBe(200)
  expect((await person.get(`/admin/schools/students/${pupil.id}`)).body.student.user.first_name).toBe(
    'Néné Aïcha',
  )
  expect(await imported(person, 'students', fileOf([student(1, { first_name })]))).toMatchObject({
    rows_changed: 0,
    rows_unchanged: 1,
  })
})

test('an officer is asked before a child of nine months stands in year 7, and saves it once she has confirmed', async () => {
  await addStudents(portal, 1)
  const person = await officer()
  const [pupil] = (await person.get('/admin/schools/students/list')).body.students.data
  const date_of_birth = new Date(Date.now() - 270 * 86_400_000).toISOString().slice(0, 10)
  const put = (change: object) => person.put(`/admin/schools/students/${pupil.id}`, { ...pupil, ...change })
  const asked = await put({ date_of_birth })
  expect(asked.status).toBe(422)
  expect(asked.body.errors).toEqual({
    age_confirmed: [
      expect.stringMatching(/^This makes an age of 0; at this class level about 13 is usual\./),
    ],
  })
  const stored = () => one('select date_of_birth::text from users u join students s on s.user_id = u.id')
  expect(await stored()).toEqual({ date_of_birth: pupil.date_of_birth })
  expect((await put({ date_of_birth, age_confirmed: true })).status).toBe(200)
  expect(await stored()).toEqual({ date_of_birth })
  // What was confirmed once is not asked about again when something else changes.
  const again = await put({ date_of_birth, admission_number: 'N-2', version: 2 })
  expect(again.status).toBe(200)
})

test('a person sorts the students of a school by first name as well, also what she searched for', async () => {
  await addStudents(portal, 17)
  await owner.query(
    `update users set first_name = (array['Zara', 'Émilie', 'Awa'])[id % 3 + 1] where type = 'student'`,
  )
  const person = await officer()
  const { id } = await one(`select id from schools where admin_code = 'KIT-1'`)
  for (const search of ['', '&search=traore'])
    for (const sort of ['first_name', '-first_name']) {
      const list = (
        await person.get(`/admin/schools/${id}/users?type=student&per_page=100&sort=${sort}${search}`)
      ).body.student
      const names: string[] = list.data.map((each: { user: { first_name: string } }) => each.user.first_name)
      const inOrder = names.toSorted(new Intl.Collator('fr').compare)
      expect(new Set(names)).toEqual(new Set(['Zara', 'Émilie', 'Awa']))
      expect(names).toEqual(sort === 'first_name' ? inOrder : inOrder.reverse())
    }
})
