import { folded } from '@portal/contracts/imports/nearest'
import { expect, test } from 'vitest'
import { addSchools, addStudents, fileOf, imported, startImports, student } from '../registers/registers.ts'

const { portal, owner, officer, all } = await startImports()

const school = {
  admin_code: 'KIT-5',
  name: 'École de Kita 5',
  type_of_school: 'public',
  admin_district_as_cap: 'CAP KITA',
  education_authority_as_ae: 'AE KAYES',
  academic_year: '2026-2027',
}

test('a class that an officer’s file spells in two ways is made once', async () => {
  const person = await officer()
  const two = { ...school, classes: '7A; 7 a; 8A' }
  expect(await imported(person, 'schools', fileOf([two]))).toMatchObject({ rows_new: 1, errors: [] })
  const more = { ...school, classes: '9b; 9 B' }
  expect(await imported(person, 'schools', fileOf([more]))).toMatchObject({ rows_changed: 1 })
  expect(await imported(person, 'schools', fileOf([two]))).toMatchObject({ rows_unchanged: 1 })
  const classes = await all('select name from classes')
  expect(classes.map(({ name }) => folded(name)).sort()).toEqual(['7a', '8a', '9b'])
})

test('a file moves no school to an inactive CAP of the academy that it is in', async () => {
  const person = await officer()
  await imported(person, 'schools', fileOf([school]))
  await owner.query(`update caps set active = false where name = 'CAP BAFOULABE'`)
  const moved = { ...school, admin_district_as_cap: 'CAP BAFOULABE' }
  expect(await imported(person, 'schools', fileOf([moved]))).toMatchObject({
    rows_rejected: 1,
    errors: [{ row: 2, message: 'CAP BAFOULABE is inactive. Choose another CAP.' }],
  })
  expect(await all('select c.name from schools s join caps c on c.id = s.cap_id')).toEqual([
    { name: 'CAP KITA' },
  ])
})

test('a school of an arrondissement whose name is there twice is in that of its commune or cercle', async () => {
  await owner.query(`
    with m as (insert into communes (cercle_id, name) select id, 'SALOBA' from cercles where name = 'MACINA' returning id)
    insert into arrondissements (commune_id, name)
    select id, 'OUSSOUBIDIAGNA' from m union all select id, 'OUSSOUBIDIAGNA' from communes where name = 'KOKRY'`)
  const at = (n: number, more: object) => ({
    ...{ ...school, admin_code: `KIT-${n}`, arrondissement: 'Oussoubidiagna' },
    ...{ commune: null, cercle: null, ...more },
  })
  const person = await officer()
  const made = await imported(
    person,
    'schools',
    fileOf([
      at(1, { commune: 'Kokry' }),
      at(2, { cercle: 'Bafoulabé' }),
      at(3, { commune: 'Saloba', cercle: 'Macina' }),
      at(4, { cercle: 'Macina' }),
      at(5, {}),
    ]),
  )
  expect(made).toMatchObject({ rows_new: 3, errors: [{ row: 5 }, { row: 6 }] })
  expect(
    await all(`select s.admin_code, m.name from schools s join arrondissements l on l.id = s.arrondissement_id
      join communes m on m.id = l.commune_id order by 1`),
  ).toEqual([
    { admin_code: 'KIT-1', name: 'KOKRY' },
    { admin_code: 'KIT-2', name: 'SIDIBELA' },
    { admin_code: 'KIT-3', name: 'SALOBA' },
  ])
})

test('a cercle of which two other regions have one of the same name is a new one of its region', async () => {
  await owner.query(`insert into regions (country, name) values ('ml', 'NIORO');
    insert into cercles (region_id, name) select id, 'BANAMBA' from regions where name in ('KAYES', 'SEGOU')`)
  const row = { region: 'Nioro', cercle: 'Banamba', commune: 'Boron', arrondissement: 'Boron' }
  expect(await imported(await officer(), 'locations', fileOf([row]))).toMatchObject({ rows_new: 1 })
  expect(
    await all(`select g.name as region from communes m join cercles c on c.id = m.cercle_id
      join regions g on g.id = c.region_id where m.name = 'BORON'`),
  ).toEqual([{ region: 'NIORO' }])
})

test('an officer is told of all rows that were taken over, also of those that changed nothing', async () => {
  await addSchools(portal)
  await addStudents(portal, 2)
  const person = await officer()
  const rows = [student(1), student(2, { current_class_level: '8' }), student(3), student(4, { class: '9A' })]
  await imported(person, 'students', fileOf(rows))
  expect((await person.get('/notifications')).body.notifications.data).toMatchObject([
    { text: '"list.xlsx" is imported. Rows taken over: 3, rejected: 1.' },
  ])
})

test('an officer reads no change of a row that is rejected for a row far below it', async () => {
  await addSchools(portal)
  await addStudents(portal, 1)
  const rows = [
    student(1, { last_name: 'Touré' }),
    ...Array.from({ length: 600 }, (_, n) => student(n + 2)),
    student(1, { last_name: 'Sy' }),
  ]
  const person = await officer()
  const made = await imported(person, 'students', fileOf(rows))
  expect(made).toMatchObject({ state: 'imported', rows_new: 600, rows_changed: 0, rows_rejected: 2 })
  const { data } = (await person.get(`/imports/${made.id}/rows?kind=rejected`)).body.rows
  expect(data).toMatchObject([
    { row: 2, cells: { last_name: 'Touré' }, changes: [] },
    { row: 603, cells: { last_name: 'Sy' }, changes: [] },
  ])
  expect(
    await all('select last_name from users u join students s on s.user_id = u.id order by s.id limit 1'),
  ).toEqual([{ last_name: 'Traoré 1' }])
})

test('an import that changes a partner leaves the names of its account alone', async () => {
  const person = await officer()
  const { email, id } = await portal.account()
  const names = { first_name: 'Faux', last_name: 'Nom' }
  const partner = { email, name: 'Fondation', ...names, partner_type: 'ngo', partner_since: '01/10/2023' }
  await imported(person, 'partners', fileOf([partner]))
  const later = { ...partner, partner_since: '02/10/2023' }
  expect(await imported(person, 'partners', fileOf([later]))).toMatchObject({ rows_changed: 1 })
  expect(await all(`select first_name from users where id = ${id}`)).toEqual([{ first_name: 'Awa' }])
})

test('an import stores the gender and the date of birth that it shows as changed', async () => {
  await addSchools(portal)
  await addStudents(portal, 1)
  const person = await officer()
  const row = student(1, { gender: 'M', date_of_birth: '04/03/2013' })
  expect(await imported(person, 'students', fileOf([row]))).toMatchObject({ rows_changed: 1 })
  expect(await imported(person, 'students', fileOf([row]))).toMatchObject({ rows_unchanged: 1 })
  expect(
    await all('select gender, date_of_birth::text from users u join students s on s.user_id = u.id'),
  ).toEqual([{ gender: 'male', date_of_birth: '2013-03-04' }])
})
