import { foldedAsSearched } from '@portal/contracts/imports/nearest'
import { expect, test } from 'vitest'
import { release } from '../modules/modules.ts'
import { fileOf, imported, startImports, stopped } from '../registers/registers.ts'

const { portal, owner, officer, all, one } = await startImports()
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
