import { expect, test } from 'vitest'
import { startPortal } from '../portal.ts'
import { registerStage } from './register-stage.ts'
import { addStudents, fileOf, imported } from './registers.ts'

const portal = await startPortal()
const { officer, one } = await registerStage(portal)
const { owner } = portal

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
