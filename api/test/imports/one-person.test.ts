import { expect, test } from 'vitest'
import { until } from '../portal.ts'
import { addSchools, fileOf, imported, startImports, stopped } from '../registers/registers.ts'

const { portal, officer, one } = await startImports()

const email = 'moussa@example.org'
const teacher = { admin_code: 'KIT-1', first_name: 'Moussa', last_name: 'Keïta', gender: 'male', email }
const partner = {
  email,
  name: 'Association Exemple',
  first_name: 'Moussa',
  last_name: 'Keïta',
  partner_type: 'ngo',
  partner_since: '01/10/2023',
}
const named = () => one(`select first_name, last_name, gender from users where email = '${email}'`)

test('an officer whose file spells a teacher of two schools in two ways reads which row says otherwise, at every upload', async () => {
  await addSchools(portal)
  const person = await officer()
  const file = () => fileOf([teacher, { ...teacher, admin_code: 'KIT-2', last_name: 'Keita' }])
  const errors = [
    {
      row: 3,
      column: 'last_name',
      value: 'Keita',
      message:
        'Row 2 has the same e-mail and another “Last name”. Write the same in both rows, or give another e-mail.',
    },
  ]
  expect(await imported(person, 'teachers', file())).toMatchObject({ rows_new: 1, rows_rejected: 1, errors })
  expect(await named()).toMatchObject({ last_name: 'Keïta' })
  expect(await imported(person, 'teachers', file())).toMatchObject({
    rows_changed: 0,
    rows_unchanged: 1,
    rows_rejected: 1,
    errors,
  })
  expect(await named()).toMatchObject({ last_name: 'Keïta' })
})

test('an officer’s file that names the gender of a teacher in the second of her schools changes nothing the second time', async () => {
  await addSchools(portal)
  const person = await officer()
  const file = () =>
    fileOf([
      { ...teacher, gender: null },
      { ...teacher, admin_code: 'KIT-2' },
    ])
  expect(await imported(person, 'teachers', file())).toMatchObject({ rows_new: 2, errors: [] })
  expect(await named()).toMatchObject({ gender: 'male' })
  expect(await imported(person, 'teachers', file())).toMatchObject({ rows_unchanged: 2, errors: [] })
})

test('an officer whose file has a known e-mail with another name reads whose it is, and renames nobody by uploading it twice', async () => {
  await addSchools(portal)
  const person = await officer()
  await imported(person, 'teachers', fileOf([teacher]))
  const message =
    'This e-mail is that of Moussa Keïta, who has another “First name” in the portal. Write it as it is there, or give another e-mail.'
  const renamed = { ...partner, first_name: 'Moussa Sory' }
  const refused = {
    rows_new: 0,
    rows_changed: 0,
    rows_rejected: 1,
    errors: [{ row: 2, column: 'first_name', value: 'Moussa Sory', message }],
  }
  const elsewhere = { ...teacher, admin_code: 'KIT-2', first_name: 'Moussa Sory' }
  for (const [kind, row] of [
    ['partners', renamed],
    ['teachers', elsewhere],
  ] as const)
    for (const _ of ['first', 'second'])
      expect(await imported(person, kind, fileOf([row]))).toMatchObject(refused)
  expect(await named()).toMatchObject({ first_name: 'Moussa' })
  for (const counts of [{ rows_new: 1 }, { rows_unchanged: 1 }])
    expect(await imported(person, 'partners', fileOf([partner]))).toMatchObject({ ...counts, errors: [] })
})

test('an officer gives a teacher of two schools another name in one file, also if a school of hers is new', async () => {
  await addSchools(portal)
  const person = await officer()
  await imported(person, 'teachers', fileOf([teacher]))
  const file = () =>
    fileOf(['KIT-1', 'KIT-2'].map((admin_code) => ({ ...teacher, admin_code, last_name: 'Keita' })))
  expect(await imported(person, 'teachers', file())).toMatchObject({
    rows_changed: 1,
    rows_new: 1,
    errors: [],
  })
  expect(await named()).toMatchObject({ last_name: 'Keita' })
  expect(await imported(person, 'teachers', file())).toMatchObject({ rows_unchanged: 2, errors: [] })
})

test('an officer corrects the name in her review, and the row of the other school is accepted', async () => {
  await addSchools(portal)
  const person = await officer()
  const file = fileOf([teacher, { ...teacher, admin_code: 'KIT-2', last_name: 'Keita' }])
  const { id } = await imported(person, 'teachers', file, true)
  const checked = await person.post(`/imports/${id}/check`, {
    corrections: [{ row: 2, column: 'last_name', value: 'Keita' }],
  })
  expect(checked.body.import).toMatchObject({ rows_new: 2, rows_rejected: 0 })
  const apart = await person.post(`/imports/${id}/check`, {
    corrections: [{ row: 2, column: 'last_name', value: 'Keïta' }],
  })
  expect(apart.body.import).toMatchObject({ rows_new: 1, rows_rejected: 1 })
  const alone = await person.post(`/imports/${id}/check`, { leave_out: [2] })
  expect(alone.body.import).toMatchObject({ rows_new: 1, rows_rejected: 1, errors: [{ row: 2 }] })
  expect((await person.post(`/imports/${id}/confirm`, {})).status).toBe(200)
  await until(async () => (await person.get(`/imports/${id}`)).body.import.state === 'imported')
  expect(await named()).toMatchObject({ last_name: 'Keita' })
})

test('an officer reads that an e-mail got another name after her review, and nobody is renamed', async () => {
  await addSchools(portal)
  const person = await officer()
  const { id } = await imported(person, 'partners', fileOf([partner]), true)
  await imported(person, 'teachers', fileOf([{ ...teacher, first_name: 'Awa' }]))
  await person.post(`/imports/${id}/confirm`, {})
  expect(await stopped(person, id)).toMatchObject({
    state: 'review',
    rows_new: 0,
    rows_rejected: 1,
    errors: [
      { row: 2, column: 'first_name', value: 'Moussa', message: expect.stringContaining('Awa Keïta') },
    ],
  })
})

test('an officer’s long file renames a teacher in one school, and adds her with the new name in another', async () => {
  await addSchools(portal)
  const person = await officer()
  await imported(person, 'teachers', fileOf([teacher]))
  const others = Array.from({ length: 1100 }, (_, n) => ({ ...teacher, email: `other-${n}@example.org` }))
  const renamed = { ...teacher, last_name: 'Keïta-Diarra' }
  const file = fileOf([renamed, ...others, { ...renamed, admin_code: 'KIT-2' }])
  expect(await imported(person, 'teachers', file)).toMatchObject({
    rows_changed: 1,
    rows_new: 1101,
    rows_rejected: 0,
  })
  expect(await named()).toMatchObject({ last_name: 'Keïta-Diarra' })
})

test('an officer’s long file gives a teacher her new name in another school first, and renames her in her own school at its end', async () => {
  await addSchools(portal)
  const person = await officer()
  await imported(person, 'teachers', fileOf([teacher]))
  const others = Array.from({ length: 1100 }, (_, n) => ({ ...teacher, email: `other-${n}@example.org` }))
  const renamed = { ...teacher, last_name: 'Keïta-Diarra' }
  const file = () => fileOf([{ ...renamed, admin_code: 'KIT-2' }, ...others, renamed])
  expect(await imported(person, 'teachers', file())).toMatchObject({
    ...{ rows_changed: 1, rows_new: 1101, rows_rejected: 0 },
    errors: [],
  })
  expect(await named()).toMatchObject({ last_name: 'Keïta-Diarra' })
  expect(await imported(person, 'teachers', file())).toMatchObject({ rows_unchanged: 1102, errors: [] })
})
