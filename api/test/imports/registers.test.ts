import { expect, test } from 'vitest'
import { until } from '../portal.ts'
import { addSchools, fileOf, imported, startImports } from '../registers/registers.ts'

const { portal, owner, officer, all, one } = await startImports()

const school = {
  admin_code: 'kit-5',
  name: 'École de Kita 5',
  type_of_school: 'École publique',
  admin_district_as_cap: 'Kita',
  education_authority_as_ae: 'AE Kayes',
  academic_year: '2026/2027',
  arrondissement: 'oussoubidiagna',
  classes: '7A; 8A',
}

test('an officer imports a school with its CAP, place and classes; a later import adds classes and removes none', async () => {
  const person = await officer()
  expect(await imported(person, 'schools', fileOf([school]))).toMatchObject({
    state: 'imported',
    rows_new: 1,
    errors: [],
  })
  expect(
    await one(
      `select s.*, c.name as cap, l.name as place from schools s join caps c on c.id = s.cap_id join arrondissements l on l.id = s.arrondissement_id`,
    ),
  ).toMatchObject({
    admin_code: 'KIT-5',
    type_of_school: 'public',
    cap: 'CAP KITA',
    place: 'OUSSOUBIDIAGNA',
    academic_year: '2026-2027',
  })
  expect(await imported(person, 'schools', fileOf([{ ...school, classes: '7a' }]))).toMatchObject({
    rows_unchanged: 1,
  })
  expect(
    await imported(person, 'schools', fileOf([{ ...school, classes: '9', name: 'Kita Nord' }])),
  ).toMatchObject({ rows_changed: 1 })
  expect((await all('select name from classes order by id')).map(({ name }) => name)).toEqual([
    '7A',
    '8A',
    '9',
  ])
  expect(await one('select name, version from schools')).toEqual({ name: 'Kita Nord', version: 2 })
})

test('an officer’s school finds its CAP and place written with or without the letters of Bambara', async () => {
  await owner.query(`
    with m as (insert into communes (cercle_id, name) select id, 'KƐNƐ' from cercles where name = 'MACINA' returning id)
    insert into arrondissements (commune_id, name) select id, 'ŊƆNƝIN' from m`)
  await owner.query(`update caps set name = 'CAP KƐNƐ' where name = 'CAP KITA'`)
  const person = await officer()
  const row = { ...school, admin_district_as_cap: 'Kene', arrondissement: 'Nɔnnin', commune: 'Kene' }
  expect(await imported(person, 'schools', fileOf([row]))).toMatchObject({ rows_new: 1, errors: [] })
  expect(
    await one(
      'select c.name as cap, l.name as place from schools s join caps c on c.id = s.cap_id join arrondissements l on l.id = s.arrondissement_id',
    ),
  ).toEqual({ cap: 'CAP KƐNƐ', place: 'ŊƆNƝIN' })
})

test.each([
  [{ admin_district_as_cap: 'CAP KITTA' }, 'No CAP is called CAP KITTA. The nearest known one is CAP KITA.'],
  [{ education_authority_as_ae: 'AE SEGOU' }, 'CAP KITA belongs to AE KAYES, not to AE SEGOU.'],
  [
    { arrondissement: 'KOLONGOTOMA' },
    'No arrondissement is called KOLONGOTOMA. The nearest known one is KOLONGOTOMO.',
  ],
  [{ type_of_school: 'grande' }, '“grande” is not one of the list: public, community.'],
  [{ academic_year: '2026' }, 'Write the school year as 2026-2027.'],
])('a school with %j is left out', async (wrong, message) => {
  const person = await officer()
  const [column] = Object.keys(wrong)
  const made = await imported(person, 'schools', fileOf([{ ...school, ...wrong }]), true)
  expect(made).toMatchObject({ state: 'review', rows_rejected: 1, errors: [{ row: 2, column, message }] })
})

test('a file gives no school an inactive CAP, but a school that has it already keeps it', async () => {
  const person = await officer()
  await imported(person, 'schools', fileOf([school]))
  await owner.query(`update caps set active = false where name = 'CAP KITA'`)
  const wanted = { ...school, name: 'Kita Nord' }
  const fresh = { ...school, admin_code: 'KIT-6', name: 'Kita Sud' }
  const macina = { admin_district_as_cap: 'CAP MACINA', education_authority_as_ae: 'AE SEGOU' }
  const made = await imported(
    person,
    'schools',
    fileOf([wanted, fresh, { ...fresh, admin_code: 'KIT-7', ...macina }]),
  )
  expect(made).toMatchObject({
    ...{ state: 'imported', rows_changed: 1, rows_new: 1, rows_rejected: 1 },
    errors: [
      {
        row: 3,
        column: 'admin_district_as_cap',
        value: 'CAP KITA',
        message: 'CAP KITA is inactive. Choose another CAP.',
      },
    ],
  })
  // Nor does a school of another CAP get it.
  const moved = await imported(person, 'schools', fileOf([{ ...fresh, admin_code: 'KIT-7' }]))
  expect(moved).toMatchObject({ rows_rejected: 1, errors: [{ row: 2, column: 'admin_district_as_cap' }] })
  expect(
    await all(
      'select s.admin_code, s.name, c.name as cap from schools s join caps c on c.id = s.cap_id order by 1',
    ),
  ).toEqual([
    { admin_code: 'KIT-5', name: 'Kita Nord', cap: 'CAP KITA' },
    { admin_code: 'KIT-7', name: 'Kita Sud', cap: 'CAP MACINA' },
  ])
})

test('an officer imports a partner by e-mail address, and the cell lists the schools it supports', async () => {
  await addSchools(portal)
  const person = await officer()
  const partner = {
    email: 'Bureau@Example.org',
    name: 'Association Exemple',
    first_name: 'Awa',
    last_name: 'Ba',
    partner_type: 'ngo',
    partner_since: '01/10/2023',
    schools: 'KIT-1; kit-2',
  }
  expect(await imported(person, 'partners', fileOf([partner]))).toMatchObject({
    state: 'imported',
    rows_new: 1,
  })
  const supported = () =>
    all('select s.admin_code from partner_schools ps join schools s on s.id = ps.school_id order by 1')
  expect(await supported()).toEqual([{ admin_code: 'KIT-1' }, { admin_code: 'KIT-2' }])
  expect(await imported(person, 'partners', fileOf([partner]))).toMatchObject({ rows_unchanged: 1 })
  expect(await imported(person, 'partners', fileOf([{ ...partner, schools: 'VEL-1' }]))).toMatchObject({
    rows_changed: 1,
  })
  expect(await supported()).toEqual([{ admin_code: 'VEL-1' }])
  expect(await imported(person, 'partners', fileOf([{ ...partner, schools: null }]))).toMatchObject({
    rows_unchanged: 1,
  })
})

test('a partner of 200 schools supports all of them, also once another cell of its row was corrected in the review', async () => {
  await owner.query(`insert into schools (name, admin_code, type_of_school, cap_id, academic_year)
    select 'École ' || n, 'ML-KYG-' || to_char(n, 'FM0000'), 'public', c.id, '2026-2027'
    from caps c, generate_series(1, 200) n where c.name = 'CAP KITA'`)
  const codes = Array.from({ length: 200 }, (_, n) => `ML-KYG-${String(n + 1).padStart(4, '0')}`)
  const names = { name: 'Association Exemple', first_name: 'Awa', last_name: 'Ba' }
  const partner = { ...names, email: 'many@example.org', partner_type: 'nobody', partner_since: '01/10/2023' }
  const person = await officer()
  const file = fileOf([{ ...partner, schools: codes.join('; ') }])
  const { id } = await imported(person, 'partners', file, true)
  const corrected = { corrections: [{ row: 2, column: 'partner_type', value: 'ngo' }] }
  const checked = await person.post(`/imports/${id}/check`, corrected)
  expect(checked.body.import).toMatchObject({ rows_new: 1, rows_rejected: 0 })
  expect((await person.post(`/imports/${id}/confirm`, corrected)).status).toBe(200)
  await until(async () => (await person.get(`/imports/${id}`)).body.import.state === 'imported')
  expect(await one('select count(*)::int as schools from partner_schools')).toEqual({ schools: 200 })
})

test('a user who is imported as a partner keeps the names of the account', async () => {
  const person = await officer()
  const account = await portal.account()
  const partner = {
    email: account.email,
    name: 'Fondation',
    first_name: 'Faux',
    last_name: 'Nom',
    partner_type: 'ngo',
    partner_since: '01/10/2023',
  }
  await imported(person, 'partners', fileOf([partner]))
  expect(await imported(person, 'partners', fileOf([partner]))).toMatchObject({ rows_unchanged: 1 })
  expect(await one(`select first_name, account from users where id = ${account.id}`)).toEqual({
    first_name: 'Awa',
    account: true,
  })
})

test('two rows of one school that contradict each other are rejected, however far apart, and the others are imported', async () => {
  const person = await officer()
  await imported(person, 'schools', fileOf([school]))
  const others = Array.from({ length: 600 }, (_, n) => ({ ...school, admin_code: `KIT-${100 + n}` }))
  const rows = [school, ...others, { ...school, name: 'Another name' }]
  const made = await imported(person, 'schools', fileOf(rows))
  expect(made).toMatchObject({ state: 'imported', rows_new: 600, rows_unchanged: 0, rows_rejected: 2 })
  expect(
    await all(
      `select "row", cells->>'name' as name from import_rows where import_id = ${made.id} and kind = 'rejected' order by "row"`,
    ),
  ).toEqual([
    { row: 2, name: school.name },
    { row: 603, name: 'Another name' },
  ])
})

test('a school’s row with an academy and no CAP changes nothing of either', async () => {
  const person = await officer()
  await imported(person, 'schools', fileOf([school]))
  for (const academy of ['ae kayes', 'AE SEGOU'])
    expect(
      await imported(
        person,
        'schools',
        fileOf([{ ...school, admin_district_as_cap: null, education_authority_as_ae: academy }]),
      ),
    ).toMatchObject({ rows_changed: 0, rows_unchanged: 1 })
})

test('a school officer of one kind of register cannot import another', async () => {
  const person = await portal.signedIn('locations.import')
  const refused = await person.upload('/admin/schools/import', { schools_file: fileOf([school]) })
  expect(refused.status).toBe(403)
  expect((await person.get('/imports?kind=schools')).status).toBe(403)
})
