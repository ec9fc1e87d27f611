import { beforeEach, expect, test } from 'vitest'
import { startPortal } from '../portal.ts'
import { addPlaces, addSchools, addStudents, fileOf, imported, student } from './registers.ts'

const portal = await startPortal()
const { owner } = portal
await portal.worker()

beforeEach(async () => {
  await portal.clear()
  await addPlaces(portal)
  await addSchools(portal)
})

const officer = () => portal.signedInAs('School Officer')
const one = async (query: string) => (await owner.query(query)).rows[0]

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

test('an officer reads that a day of enrolment or of partnership lies in the future, as with a file', async () => {
  await addStudents(portal, 1)
  const person = await officer()
  const future = ['This date lies in the future.']
  const [pupil] = (await person.get('/admin/schools/students/list')).body.students.data
  const enrolled = (start_date: string) =>
    person.put(`/admin/schools/students/${pupil.id}`, { ...pupil, start_date })
  expect((await enrolled('2999-10-01')).body.errors).toEqual({ start_date: future })
  expect((await enrolled('')).status).toBe(200)
  const organisation = { email: 'a@example.org', name: 'Exemple', first_name: 'A', last_name: 'B' }
  await imported(
    person,
    'partners',
    fileOf([{ ...organisation, partner_type: 'ngo', partner_since: '2021-01-15' }]),
  )
  const [partner] = (await person.get('/admin/schools/partners/list')).body.partners.data
  const since = await person.put(`/admin/schools/partners/${partner.id}`, {
    ...partner,
    partner_since: '2999-10-01',
  })
  expect(since.body.errors).toEqual({ partner_since: future })
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

test('an officer lists guardians with their students and partners with their schools, and changes them', async () => {
  await addStudents(portal, 2)
  const person = await officer()
  await imported(
    person,
    'parents',
    fileOf([
      {
        parent_assigned_id: 'P-1',
        first_name: 'Oumou',
        last_name: 'Ba',
        contact_1: '76123456',
        students: 'S-1;S-2',
      },
    ]),
  )
  const [parent] = (await person.get('/admin/schools/parents/list?search=76123456')).body.parents.data
  expect(parent).toMatchObject({
    parent_assigned_id: 'P-1',
    students: [{ student_code: 'S-1' }, { student_code: 'S-2' }],
    contact_1: '+22376123456',
  })
  const saved = await person.put(`/admin/schools/parents/${parent.id}`, {
    ...parent,
    contact_2: '66 12 34 56',
    boys_in_f1: '3',
    is_handicap: 'true',
  })
  expect(saved.body.message).toBe('Parent updated')
  expect((await person.get(`/admin/schools/parents/${parent.id}`)).body.parent).toMatchObject({
    contact_2: '+22366123456',
    boys_in_f1: 3,
    is_handicap: true,
    version: 2,
  })
  expect((await person.put(`/admin/schools/parents/${parent.id}`, { contact_1: '' })).body.errors).toEqual({
    contact_1: ['Fill in this field.'],
    parent_assigned_id: ['Fill in this field.'],
  })
  const partner = {
    email: 'a@example.org',
    name: 'Exemple',
    first_name: 'A',
    last_name: 'B',
    partner_type: 'ngo',
    partner_since: '01/10/2023',
    schools: 'KIT-1',
  }
  await imported(person, 'partners', fileOf([partner]))
  const [seen] = (await person.get('/admin/schools/partners/list?search=exempl')).body.partners.data
  expect(seen).toMatchObject({
    name: 'Exemple',
    schools: [{ name: 'École de Kita 1' }],
    schools_count: 1,
    user: { email: 'a@example.org' },
  })
  expect(
    (
      await person.put(`/admin/schools/partners/${seen.id}`, {
        partner_type: 'ngo',
        partner_since: '2024-01-01',
      })
    ).body.message,
  ).toBe('Partner updated')
  expect(
    (
      await person.put(`/admin/schools/partners/${seen.id}`, {
        partner_type: 'x',
        partner_since: '2024-01-01',
      })
    ).body.errors,
  ).toHaveProperty('partner_type')
})

test('a person sorts partners by the names of their types in her language', async () => {
  await owner.query(`
    insert into reference_values (list, code, en, fr) values ('partner_type', 'foundation', 'Foundation', 'Fondation'),
      ('partner_type', 'government', 'Government service', 'Service de l’État') on conflict do nothing`)
  await owner.query(`
    with u as (insert into users (first_name, last_name, email) select 'A', 'B', t from unnest(array['foundation', 'government', 'ngo']) t
      returning id, email)
    insert into partners (user_id, name, partner_type, partner_since) select id, email, email, '2021-01-15' from u`)
  const person = await officer()
  const sorted = async (sort: string, language: string) => {
    const { body } = await person.get(`/admin/schools/partners/list?sort=${sort}`, {
      'accept-language': language,
    })
    return body.partners.data.map((partner: { name: string }) => partner.name)
  }
  expect(await sorted('partner_type', 'fr')).toEqual(['foundation', 'ngo', 'government'])
  expect(await sorted('-partner_type', 'fr')).toEqual(['government', 'ngo', 'foundation'])
  expect(await sorted('partner_type', 'en')).toEqual(['foundation', 'government', 'ngo'])
})

test('an officer who filters guardians by CAP or school reads on the first page how many there are', async () => {
  await addStudents(portal, 20)
  const { cap, school } = await one(`with u as (
      insert into users (first_name, last_name) select 'Oumou', 'Ba ' || n from generate_series(1, 20) n returning id),
    p as (insert into parents (user_id, parent_assigned_id) select id, 'P-' || id from u returning id),
    pairs as (insert into parent_students (parent_id, student_id)
      select p.id, s.id from (select id, row_number() over (order by id) as n from p) p
      join (select id, row_number() over (order by id) as n from students) s using (n))
    select cap_id as cap, id as school from schools where admin_code = 'KIT-1'`)
  const person = await officer()
  for (const query of [`cap=${cap}`, `school=${school}`]) {
    const { parents } = (await person.get(`/admin/schools/parents/list?${query}`)).body
    expect({ query, ...parents }).toMatchObject({ query, total: 20, last_page: 2, current_page: 1 })
    expect(parents.data).toHaveLength(15)
    const next = (await person.get(`/admin/schools/parents/list?${query}&page=2`)).body.parents
    expect({ query, ...next }).toMatchObject({ query, total: 20, last_page: 2 })
    expect(new Set([...parents.data, ...next.data].map(({ id }: { id: number }) => id)).size).toBe(20)
  }
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
