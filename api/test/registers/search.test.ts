import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { matches } from '../../src/kit/database/paging.ts'
import { startPortal } from '../portal.ts'
import { addPlaces, addSchools, addStudents } from './registers.ts'

const portal = await startPortal()
const { owner, db } = portal

const person = (first: string, last: string, more = "'partner', null, false") =>
  `insert into users (first_name, last_name, type, email, account) values ('${first}', '${last}', ${more}) returning id`

beforeAll(async () => {
  await portal.clear()
  await addPlaces(portal)
  await addSchools(portal)
  await addStudents(portal, 12)
  const { rows } = await owner.query(person('Néné', 'Touré', "'partner', 'nene@test.example', true"))
  const user = rows[0].id as number
  await owner.query(`with u as (${person('Oumou', 'Sanogo')})
    insert into parents (user_id, parent_assigned_id, contact_1) select id, 'P-1', '+22376123456' from u`)
  await owner.query(`with u as (${person('Séga', 'Diallo')})
    insert into teachers (user_id, school_id, natural_key) select u.id, s.id, 'sega@test.example' from u, schools s
    where s.admin_code = 'KIT-1'`)
  await owner.query(`with u as (${person('Coumba', 'Sinayoko')})
    insert into partners (name, user_id, partner_type, partner_since) select 'Réseau Terre et Craie', id, 'ngo', '2020-01-01' from u`)
  await owner.query(
    `insert into transfer_parameters (name, description, commission_hundredths, amount, frequency, user_id)
     values ('Bourse mensuelle', 'Élèves de Ségou', 200, 10500, 1, $1)`,
    [user],
  )
  await owner.query(`insert into reference_values (list, code, en, fr) values
    ('case_type', 'late', 'Late', 'Retard'), ('case_channel', 'post', 'Post', 'Poste') on conflict do nothing`)
  await owner.query(
    `insert into cases (number, title, description, priority, type_id, channel_id, assigned_id, user_id)
     select 'C-1', 'Bourse de Ségou en retard', 'La mère attend', 'low_1_month', t.id, c.id, $1, $1
     from reference_values t, reference_values c where t.code = 'late' and c.code = 'post'`,
    [user],
  )
})

const lists: [path: string, key: string, words: string][] = [
  ['/admin/users/list', 'users', 'TOURE nene'],
  ['/admin/roles/list', 'roles', 'officer transf'],
  ['/admin/geo/locations/list', 'locations', 'kokry MACINA koloñg'],
  ['/admin/geo/locations/external', 'locations', 'kayes kita'],
  ['/admin/schools/list', 'schools', 'kita ecole kit-2'],
  ['/admin/schools/students/list', 'students', 'traore aissat s-12'],
  ['/admin/schools/parents/list', 'parents', 'sanogo 76 12 34 56'],
  ['/admin/schools/teachers/list', 'teachers', 'diallo, sega'],
  ['/admin/schools/partners/list', 'partners', 'craie sinayoko reseau'],
  ['/admin/transfers/parameters', 'parameters', 'segou bourse'],
  ['/admin/cases', 'complains', 'retard segou c-1'],
  ['/home/dashboard/attendance/silent', 'schools', 'cem velin'],
]

test.each(lists)(
  'in %s a person finds by words in any order, whatever case and accents',
  async (path, key, words) => {
    const admin = await portal.signedInAs('Administrator')
    const found = async (search: string) =>
      (await admin.get(`${path}?search=${encodeURIComponent(search)}`)).body[key].total as number
    expect(await found(words)).toBe(1)
    expect(await found(words.split(' ').reverse().join('   '))).toBe(1)
    expect(await found(`${words} zzz`)).toBe(0)
    for (const sign of ['%', '_', '\\', '％', `${words} _`]) expect(await found(sign), sign).toBe(0)
  },
)

test('an officer finds a guardian by her number, however it is written', async () => {
  const officer = await portal.signedInAs('School Officer')
  const found = async (search: string) =>
    (await officer.get(`/admin/schools/parents/list?search=${encodeURIComponent(search)}`)).body.parents.total
  for (const number of ['76123456', '76 12 34 56', '76.12.34.56', '76-12-34-56', '+223 76 12 34 56'])
    expect([number, await found(number)]).toEqual([number, 1])
  for (const number of ['0022376123456', '+223.76.12.34.56', '00223-76-12-34-56 sanogo'])
    expect([number, await found(number)]).toEqual([number, 1])
  for (const number of [
    '00 223 76 12 34 56',
    '00223 76 12 34 56',
    '00223 76123456 sanogo',
    '0076 12 34 56',
    '00 76 12 34 56',
    '+223 (76) 12 34 56',
    '+223 7612 3456',
    '00 223 76',
  ])
    expect([number, await found(number)]).toEqual([number, 1])
  expect(await found('76.12.34.57')).toBe(0)
  expect(await found('00 223 76 12 34 57')).toBe(0)
})

test('an officer finds the places and schools of a choice by words in any order', async () => {
  const officer = await portal.signedInAs('School Officer')
  const get = async (path: string) => (await officer.get(path)).body
  expect((await get('/admin/geo/places?search=macina%20kolong')).places).toMatchObject([
    { name: 'KOLONGOTOMO' },
  ])
  expect((await get('/admin/schools/options?search=2%20kita')).schools).toMatchObject([
    { admin_code: 'KIT-2' },
  ])
})

test('a search of several words is found by the index, however many words it has', async () => {
  const plan = async (search: string) => {
    const condition = matches(sql`s.search`, search)
    if (!condition) throw new Error('The search has no words')
    return db.transaction().execute(async (tx) => {
      // Over the few rows of a test every other way is cheaper than the index.
      for (const way of ['enable_seqscan', 'enable_indexscan', 'enable_indexonlyscan'])
        await sql`set local ${sql.raw(way)} = off`.execute(tx)
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
        explain select s.id from students s where ${condition}`.execute(tx)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
  }
  for (const search of ['coulibaly', 'aissat coul', 'a b c d e f g coulibaly'])
    expect(await plan(search)).toContain('students_search_index')
})
