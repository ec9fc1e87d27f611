import { foldedAsSearched } from '@portal/contracts/nearest'
import { beforeEach, expect, test } from 'vitest'
import { release } from './modules.ts'
import { startPortal, until } from './portal.ts'
import { addPlaces, addSchools, addStudents, fileOf, imported, stopped } from './registers.ts'

const portal = await startPortal()
const { owner } = portal
await portal.worker()

beforeEach(async () => {
  await portal.clear()
  await addPlaces(portal)
})

const officer = () => portal.signedInAs('School Officer')
const all = async (query: string) => (await owner.query(query)).rows
const one = async (query: string) => (await all(query))[0]
const places = () =>
  all(`select g.name as region, c.name as cercle, m.name as commune, l.name from arrondissements l join communes m on m.id = l.commune_id
    join cercles c on c.id = m.cercle_id join regions g on g.id = c.region_id order by l.id`)

test('an officer imports locations under known regions, with any accents and case; a second import changes nothing', async () => {
  const person = await officer()
  const rows = [
    { region: 'Kayes', cercle: 'Bafoulabé', commune: 'Sidibela', arrondissement: 'Oussoubidiagna' },
    { region: 'KAYES', cercle: 'BAFOULABE', commune: 'Kontéla', arrondissement: 'Goundara' },
    { region: 'Ségou', cercle: 'Macina', commune: 'Saloba', arrondissement: null },
    { region: 'Ségou', cercle: 'Niono', commune: 'Niono', arrondissement: 'Niono' },
  ]
  const first = await imported(person, 'locations', fileOf(rows))
  expect(first).toMatchObject({ state: 'imported', rows_new: 3, rows_unchanged: 1, rows_rejected: 0 })
  expect((await places()).slice(2)).toEqual([
    { region: 'KAYES', cercle: 'BAFOULABE', commune: 'KONTELA', name: 'GOUNDARA' },
    { region: 'SEGOU', cercle: 'MACINA', commune: 'SALOBA', name: 'SALOBA' },
    { region: 'SEGOU', cercle: 'NIONO', commune: 'NIONO', name: 'NIONO' },
  ])
  expect(await imported(person, 'locations', fileOf(rows))).toMatchObject({ rows_new: 0, rows_unchanged: 4 })
  expect(await places()).toHaveLength(5)
})

const place = (cercle: string, commune: string, arrondissement: string) => ({
  region: 'Ségou',
  cercle,
  commune,
  arrondissement,
})

test('a new place that two officers spell differently in two files, each reviewed before the other was written, is made once', async () => {
  const [first, second] = [await officer(), await officer()]
  const rows = [place('San du Bani', 'Téné', 'A'), place('Macina', 'Kokry Centre', 'B')]
  const others = [
    place('San-du-Bani', 'TENE', 'C'),
    place('MACINA', 'Kokry-Centre', 'D'),
    place('San-du-Bani', 'Téné', 'a'),
  ]
  const one = await imported(first, 'locations', fileOf(rows), true)
  const other = await imported(second, 'locations', fileOf(others), true)
  for (const [person, { id }] of [
    [first, one],
    [second, other],
  ] as const) {
    await person.post(`/imports/${id}/confirm`, {})
    expect(await stopped(person, id)).toMatchObject({ state: 'imported' })
  }
  expect((await places()).slice(2).map(({ cercle, commune, name }) => [cercle, commune, name])).toEqual([
    ['SAN DU BANI', 'TENE', 'A'],
    ['MACINA', 'KOKRY CENTRE', 'B'],
    ['SAN DU BANI', 'TENE', 'C'],
    ['MACINA', 'KOKRY CENTRE', 'D'],
  ])
})

test('a new place that a file spells in two ways is made once, as it is spelled first', async () => {
  const person = await officer()
  const rows = [
    place('Macina', 'Kokry Centre', 'A'),
    place('MACINA', 'Kokry-Centre', 'B'),
    place('San du Bani', 'Téné', 'C'),
    place('San-du-Bani', 'TENE', 'D'),
  ]
  expect(await imported(person, 'locations', fileOf(rows))).toMatchObject({ rows_new: 4, errors: [] })
  expect((await places()).slice(-4).map(({ cercle, commune, name }) => [cercle, commune, name])).toEqual([
    ['MACINA', 'KOKRY CENTRE', 'A'],
    ['MACINA', 'KOKRY CENTRE', 'B'],
    ['SAN DU BANI', 'TENE', 'C'],
    ['SAN DU BANI', 'TENE', 'D'],
  ])
  expect(await one('select (select count(*)::int from cercles where name like $$SAN%$$) as cercles')).toEqual(
    { cercles: 1 },
  )
})

test('an officer who imports a place with letters of Bambara again changes nothing, also without them', async () => {
  const person = await officer()
  const rows = [place('Macina', 'Kɛnɛ', 'Ŋɔnɲin'), place('Macina', 'KENE', 'Bourɛm-Ø')]
  expect(await imported(person, 'locations', fileOf(rows))).toMatchObject({ rows_new: 2, rows_rejected: 0 })
  const made = (await places()).slice(2)
  expect(made.map(({ commune, name }) => [commune, name])).toEqual([
    ['KƐNƐ', 'ŊƆNƝIN'],
    ['KƐNƐ', 'BOURƐM-Ø'],
  ])
  const plain = [place('Macina', 'Kene', 'Nɔnnin'), place('Macina', 'KƐNƐ', 'BOUREM-O')]
  for (const again of [rows, plain])
    expect(await imported(person, 'locations', fileOf(again))).toMatchObject({
      ...{ rows_new: 0, rows_unchanged: 2, rows_rejected: 0 },
    })
  expect((await places()).slice(2)).toEqual(made)
})

test.each([
  ['Bambara', 'abcdeɛfghijklmnɲŋoɔprstuwyz', 'àáèéɛ̀ɛ́ìíòóɔ̀ɔ́ùú'],
  ['Wolof', 'aàbcdeéëfgijklmnñŋoópqrstuwxy', ''],
  ['Pulaar', 'abɓcdɗefghijklmnŋɲñoprstuwyƴʼ', ''],
  ['Serer, Soninke and Tamasheq', 'ƈɖƙƥƭɠʋăḍǝɣḷṣšṭẓž', ''],
  ['French', 'abcdefghijklmnopqrstuvwxyzàâæçéèêëîïôœùûüÿ', '’'],
  ['German and the languages north of it', 'äöüßẞøåđłðþ', ''],
])(
  'a place in letters of %s has the same key for its import and for the database',
  async (_, letters, more) => {
    const texts = [...letters, ...letters.toUpperCase(), more, more.toUpperCase()]
    const keys = await all(
      `select regexp_replace(portal_search(t), '[^[:alnum:]]', '', 'g') as key from unnest(array['${texts.join("','")}']) t`,
    )
    expect(texts.map(foldedAsSearched)).toEqual(keys.map(({ key }) => key))
  },
)

test('an officer who imports places of two cercles with one name in two regions gets two places', async () => {
  await owner.query(
    `insert into cercles (region_id, name) select id, 'MACINA' from regions where name = 'KAYES'`,
  )
  const person = await officer()
  const other = { ...place('Macina', 'Kokry', 'Kolongotomo'), region: 'Kayes' }
  const rows = [other, place('Macina', 'Kokry', 'Kolongotomo')]
  expect(await imported(person, 'locations', fileOf(rows))).toMatchObject({
    rows_new: 1,
    rows_unchanged: 1,
    errors: [],
  })
  expect(await imported(person, 'locations', fileOf(rows))).toMatchObject({ rows_new: 0, rows_unchanged: 2 })
  expect((await places()).at(-1)).toEqual({
    region: 'KAYES',
    cercle: 'MACINA',
    commune: 'KOKRY',
    name: 'KOLONGOTOMO',
  })
})

test('the officer who uploaded a file is notified how its import ended, with the link that a module announces', async () => {
  const links = [{ kind: 'import.locations', link: '/admin/places/import/{id}?import={id}' }]
  const person = await officer()
  const rows = [{ region: 'Ségou', cercle: 'Niono', commune: 'Niono', arrondissement: 'Niono' }]
  const good = await imported(person, 'locations', fileOf(rows))
  const refused = rows.map((row) => ({ ...row, region: 'Nowhere' }))
  const bad = await imported(person, 'locations', fileOf(refused))
  expect(bad.state).toBe('failed')
  const read = async () => (await person.get('/notifications')).body.notifications.data
  expect((await read()).map(({ link }: { link: string | null }) => link)).toEqual([null, null])
  await release(portal.context.registry, { name: 'mfe-places', version: '1.0.0', links })
  const notifications = await read()
  expect(notifications).toMatchObject([
    {
      text: expect.stringMatching(/could not be imported/),
      link: `/admin/places/import/${bad.id}?import=${bad.id}`,
    },
    {
      text: expect.stringMatching(/is imported. Rows taken over: 1, rejected: 0/),
      link: `/admin/places/import/${good.id}?import=${good.id}`,
    },
  ])
})

test('an officer’s import finds a cercle that moved to another region, and makes none from a misspelt name', async () => {
  const person = await officer()
  const rows = [
    { region: 'SEGOU', cercle: 'BAFOULABE', commune: 'DIAKON', arrondissement: 'DIAKON' },
    { region: 'KAYS', cercle: 'BAFOULABE', commune: 'DIAKON', arrondissement: 'DIAKON' },
    { region: 'KAYES', cercle: 'BAFOULLABE', commune: 'DIAKON', arrondissement: 'DIAKON' },
  ]
  const made = await imported(person, 'locations', fileOf(rows))
  expect(made).toMatchObject({
    rows_new: 1,
    errors: [
      {
        row: 3,
        column: 'region',
        value: 'KAYS',
        message: 'No region is called KAYS. The nearest known one is KAYES.',
      },
      {
        row: 4,
        column: 'cercle',
        message: 'No cercle of this region is called BAFOULLABE. Did you mean BAFOULABE?',
      },
    ],
  })
  expect((await places()).at(-1)).toEqual({
    region: 'KAYES',
    cercle: 'BAFOULABE',
    commune: 'DIAKON',
    name: 'DIAKON',
  })
})

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

const teacher = {
  admin_code: 'KIT-1',
  first_name: 'Moussa',
  last_name: 'Keïta',
  email: 'moussa@example.org',
  phone_1: '76123456',
  classes: '7a',
  employment_type: 'Contractuel',
}

test('an officer imports teachers by e-mail or phone in each school, and a teacher may be in two schools', async () => {
  await addSchools(portal)
  const person = await officer()
  const rows = [
    teacher,
    { ...teacher, admin_code: 'KIT-2', classes: '8A' },
    { ...teacher, email: null, phone_1: '66123456', first_name: 'Awa' },
  ]
  expect(await imported(person, 'teachers', fileOf(rows))).toMatchObject({
    state: 'imported',
    rows_new: 3,
    errors: [],
  })
  expect(await imported(person, 'teachers', fileOf(rows))).toMatchObject({ rows_unchanged: 3 })
  expect(
    await one(`select (select count(*)::int from users where type = 'teacher') as people, (select count(*)::int from teachers) as teachers,
    (select count(*)::int from teacher_classes) as classes`),
  ).toEqual({ people: 2, teachers: 3, classes: 3 })
  const later = { ...teacher, email: 'awa@example.org', phone_1: '66123456', first_name: 'Awa' }
  expect(await imported(person, 'teachers', fileOf([later]))).toMatchObject({ rows_new: 0, rows_changed: 1 })
  expect(await imported(person, 'teachers', fileOf([later]))).toMatchObject({ rows_unchanged: 1 })
  const moved = { ...later, phone_1: '66999999' }
  expect(await imported(person, 'teachers', fileOf([moved]))).toMatchObject({ rows_new: 0, rows_changed: 1 })
  expect(await imported(person, 'teachers', fileOf([{ ...moved, phone_1: null }]))).toMatchObject({
    state: 'imported',
    rows_unchanged: 1,
  })
})

test('an officer imports two teachers of one telephone twice, and the second time changes nothing', async () => {
  await addSchools(portal)
  const person = await officer()
  const rows = [
    { ...teacher, email: null, first_name: 'Awa' },
    { ...teacher, email: 'binta@example.org', first_name: 'Binta' },
  ]
  expect(await imported(person, 'teachers', fileOf(rows))).toMatchObject({ rows_new: 2, errors: [] })
  expect(await imported(person, 'teachers', fileOf(rows))).toMatchObject({ rows_unchanged: 2, errors: [] })
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

test('an officer’s import gives no e-mail to the account of a teacher whose e-mail was taken away', async () => {
  await addSchools(portal)
  const [person, admin] = [await officer(), await portal.signedInAs('Administrator')]
  const awa = { ...teacher, email: null, phone_1: '66123456', first_name: 'Awa' }
  await imported(person, 'teachers', fileOf([awa]))
  await imported(person, 'teachers', fileOf([{ ...awa, email: 'awa@example.org' }]))
  const names = {
    first_name: 'Awa',
    last_name: 'Keïta',
    gender: 'female',
    type: 'partner',
    user_title: 'mrs',
  }
  const { user } = (await admin.post('/admin/users', { ...names, email: 'awa@example.org' })).body
  const { id: role_id } = await one("select id from roles where name = 'Administrator'")
  const change = (body: object) => admin.put(`/users/profile/update/${user.id}`, body)
  expect((await change({ role_id, assign_role: true })).status).toBe(200)
  expect((await change({ ...names, email: null })).body.user.email).toBeNull()

  const mine = await imported(person, 'teachers', fileOf([{ ...awa, email: 'mine@example.org' }]))
  expect(await one(`select email from users where id = ${user.id}`)).toEqual({ email: null })
  expect(mine).toMatchObject({ rows_changed: 0, rows_unchanged: 1 })
})

test('an officer reads at its row that an e-mail was given to an account after her review, and all other rows can be saved', async () => {
  await addSchools(portal)
  const [person, admin] = [await officer(), await portal.signedInAs('Administrator')]
  const awa = { ...teacher, email: null, phone_1: '66123456', first_name: 'Awa' }
  const binta = { ...awa, phone_1: '66123457', first_name: 'Binta' }
  await imported(person, 'teachers', fileOf([awa, binta]))
  const file = () =>
    fileOf([
      { ...awa, email: 'awa@example.org' },
      { ...binta, email: 'binta@example.org' },
    ])
  const review = await imported(person, 'teachers', file(), true)
  expect(review).toMatchObject({ state: 'review', rows_changed: 2 })
  const account = {
    first_name: 'Awa',
    last_name: 'Keïta',
    gender: 'female',
    type: 'partner',
    user_title: 'mrs',
  }
  expect((await admin.post('/admin/users', { ...account, email: 'awa@example.org' })).status).toBe(200)
  await person.post(`/imports/${review.id}/confirm`, {})
  expect(await stopped(person, review.id)).toMatchObject({
    state: 'review',
    rows_changed: 1,
    rows_rejected: 1,
    problem:
      'Some of these rows can no longer be imported, and each says why. Nothing was saved: look at the changes again and confirm.',
    errors: [{ row: 2, column: 'email', value: 'awa@example.org', message: 'This value is already in use.' }],
  })
  await person.post(`/imports/${review.id}/confirm`, {})
  expect(await stopped(person, review.id)).toMatchObject({
    state: 'imported',
    rows_changed: 1,
    rows_rejected: 1,
  })
  const emails =
    'select array_agg(u.email order by u.id) as list from teachers t join users u on u.id = t.user_id'
  expect((await one(emails)).list).toEqual([null, 'binta@example.org'])
})

test('an officer’s import gives an e-mail that two teachers of her file have to the first of them', async () => {
  await addSchools(portal)
  const person = await officer()
  const awa = { ...teacher, email: null, phone_1: '66123456', first_name: 'Awa' }
  const binta = { ...awa, phone_1: '66123457', first_name: 'Binta' }
  await imported(person, 'teachers', fileOf([awa, binta]))
  const email = 'both@example.org'
  const ended = await imported(
    person,
    'teachers',
    fileOf([
      { ...awa, email },
      { ...binta, email },
    ]),
  )
  expect(ended).toMatchObject({
    state: 'imported',
    rows_changed: 1,
    rows_rejected: 1,
    errors: [{ row: 3, column: 'email', value: email, message: 'This value is already in use.' }],
  })
  const { rows } = (await person.get(`/imports/${ended.id}/rows?kind=rejected`)).body
  expect(rows.data).toMatchObject([{ row: 3, cells: { email, first_name: 'Binta' } }])
})

test('an officer’s import rejects a teacher without e-mail and phone, or with a class of another school', async () => {
  await addSchools(portal)
  const person = await officer()
  const rows = [
    { ...teacher, email: null, phone_1: null },
    { ...teacher, classes: '6E' },
    { ...teacher, phone_1: '12' },
  ]
  const made = await imported(person, 'teachers', fileOf(rows), true)
  expect(made.errors.filter(({ message }: { message: string }) => !message.startsWith('Row '))).toMatchObject(
    [
      {
        row: 2,
        column: 'email',
        message: 'Write an e-mail or a phone number: a teacher is known by one of them.',
      },
      { row: 3, column: 'classes', message: 'The school has no class 6E. Its classes are: 7A, 8A.' },
      { row: 4, column: 'phone_1' },
    ],
  )
})

test('an officer imports guardians with their students, and students with their guardians', async () => {
  await addSchools(portal)
  await addStudents(portal, 3)
  const person = await officer()
  const parent = {
    parent_assigned_id: 'p-1',
    first_name: 'Oumou',
    last_name: 'Ba',
    contact_1: 77_123_45_67,
    students: 'S-2; S-1',
    is_handicap: 'non',
    girls_in_f1: 2,
    displaced_or_resident: 'Déplacée',
  }
  const made = await imported(
    person,
    'parents',
    fileOf([
      { ...parent, contact_1: '771234567' },
      { ...parent, parent_assigned_id: 'P-2', students: 'S-9' },
    ]),
  )
  expect(made).toMatchObject({
    rows_new: 1,
    errors: [{ row: 3, column: 'students', message: 'No student has the code S-9.' }],
  })
  expect(await one('select * from parents')).toMatchObject({
    parent_assigned_id: 'P-1',
    contact_1: '+221771234567',
    is_handicap: false,
    girls_in_f1: 2,
    displaced_or_resident: 'displaced',
    person: 'Ba Oumou',
  })
  expect(
    await imported(person, 'parents', fileOf([{ ...parent, contact_1: '+221 77 123 45 67' }])),
  ).toMatchObject({ rows_unchanged: 1 })
  const student = {
    student_code: 'S-3',
    first_name: null,
    last_name: null,
    date_of_birth: null,
    admin_code: null,
    current_class_level: null,
    parents: 'P-1',
  }
  expect(await imported(person, 'students', fileOf([student]))).toMatchObject({
    state: 'imported',
    rows_changed: 1,
  })
  expect(await one('select count(*)::int as n from parent_students')).toEqual({ n: 3 })
})

test('a school officer of one kind of register cannot import another', async () => {
  const person = await portal.signedIn('locations.import')
  const refused = await person.upload('/admin/schools/import', { schools_file: fileOf([school]) })
  expect(refused.status).toBe(403)
  expect((await person.get('/imports?kind=schools')).status).toBe(403)
})
