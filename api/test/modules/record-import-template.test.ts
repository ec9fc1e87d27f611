import { expect, test } from 'vitest'
import { startPortal, until } from '../portal.ts'
import { stopped } from '../registers/registers.ts'
import { bookOf, fileOf, mealImportStage, meals } from './meal-import-stage.ts'

const portal = await startPortal()
const { codes, cookWith, send } = mealImportStage(portal)
await portal.worker()

test('a cook fills the template, corrects what is wrong cell by cell, and exports and changes what was written', async () => {
  const [cook, { school, girl }] = [await cookWith(), await codes()]
  const asked = await cook.get(`${meals}/import`)
  expect(asked.body).toMatchObject({
    sheet: { title: { en: 'Meal' }, columns: { day: { required: true, kind: 'date' } } },
    back: { to: '/admin/meals', label: { fr: 'Repas' } },
  })
  const sample = await cook.get(`${meals}/import/sample.xlsx`, { 'accept-language': 'fr' })
  const sheet = await bookOf(sample.bytes)
  expect(sheet.getRow(1).values).toEqual([
    undefined,
    ...['École', 'Fille', 'Jour', 'Filles nourries', 'Kilos', 'Chaud', 'Plat', 'Remarques', 'N°', 'Version'],
  ])
  expect(sheet.getCell('G2').value).toBe('Riz')
  expect(sheet.getCell('G2').dataValidation.formulae).toEqual(['"Riz,Mil"'])
  const rows = [
    [school.toLowerCase(), girl, new Date('2026-02-28'), 12, 3.5, 'oui', 'mil', 'Deux\nlignes'],
    ['NOWHERE', girl, '31/02/2026', 901, 'many', 'perhaps', 'Ris', 'x'.repeat(2001)],
    [null, null, '01/03/2026', '7', '2,25', 'non', 'rice', null],
  ]
  for (const [at, cells] of rows.entries())
    for (const [column, value] of cells.entries()) sheet.getCell(at + 2, column + 1).value = value
  const sent = await send(cook, await fileOf(sheet))
  expect(sent.body).toMatchObject({ import: { id: expect.any(Number) } })
  const { id } = sent.body.import
  expect(await stopped(cook, id)).toMatchObject({
    ...{ kind: 'module-records', state: 'review', rows_read: 3, rows_new: 1, rows_rejected: 2 },
    errors: [
      { row: 3, column: 'day', message: 'Write a date that exists, as dd/mm/yyyy.' },
      { row: 3, column: 'girls', value: '901', message: 'Write a number from 0 to 900.' },
      { row: 3, column: 'kilos', message: 'Write a number.' },
      { row: 3, column: 'hot', message: 'Write yes or no.' },
      { row: 3, column: 'dish', message: '“Ris” is not one of the list. Did you mean Riz?' },
      { row: 3, column: 'notes', message: 'Write at most 2000 characters.' },
      { row: 3, column: 'school', message: 'No school has the code NOWHERE, or you may not see it.' },
      { row: 4, column: 'school', message: 'Fill in this field.' },
    ],
  })
  expect((await cook.get(meals)).body.records.total).toBe(0)
  const rejected = await bookOf((await cook.get(`/imports/${id}/rejected.xlsx`)).bytes)
  expect(rejected.getRow(3).getCell(11).value).toBe('School: Fill in this field.')

  const corrections = [{ row: 4, column: 'school', value: school }]
  await cook.post(`/imports/${id}/check`, { corrections })
  await cook.post(`/imports/${id}/confirm`, { corrections: [] })
  expect(await stopped(cook, id)).toMatchObject({ state: 'imported', rows_new: 2, rows_rejected: 1 })
  const list = await cook.get(`${meals}?sort=day&search=lignes`)
  expect(list.body.records).toMatchObject({
    total: 1,
    data: [
      {
        version: 1,
        data: {
          day: '2026-02-28',
          girls: 12,
          kilos: 3.5,
          hot: true,
          dish: 'millet',
          notes: 'Deux\nlignes',
        },
        references: { school: { code: school }, girl: { code: girl } },
      },
    ],
  })
  const [, other] = (await cook.get(`${meals}?sort=day`)).body.records.data
  expect(other.data).toEqual({
    school: expect.any(Number),
    day: '2026-03-01',
    girls: 7,
    kilos: 2.25,
    hot: false,
    dish: 'rice',
  })
  const { rows: logged } = await portal.owner.query(
    `select a.event, v.new_values from audits a join audit_values v on v.audit_id = a.id where a.auditable_type = 'import' and a.event <> 'downloaded' order by a.id`,
  )
  expect(logged).toMatchObject([
    { event: 'uploaded', new_values: { module: 'mfe-meals', collection: 'meals', kind: 'module-records' } },
    { event: 'corrected' },
    { event: 'confirmed' },
    { event: 'imported', new_values: { module: 'mfe-meals', new: 2, rejected: 1 } },
  ])

  // The exported file comes back: what was changed in it changes the records, and a record that changed meanwhile stays.
  const exported = await cook.post(`${meals}/export`, {})
  const address = `/storage/exports/${exported.body.file_name}`
  await until(async () => (await cook.get(address)).status === 200)
  const back = await bookOf((await cook.get(address)).bytes)
  const columnOf = (head: string) => (back.getRow(1).values as unknown[]).indexOf(head)
  back.getRow(2).getCell(columnOf('Girls fed')).value = 13
  back.getRow(3).getCell(columnOf('Girls fed')).value = 8
  back.getRow(4).values = [987_654, school]
  const { version, data } = other
  expect((await cook.put(`${meals}/${other.id}`, { version, data: { ...data, girls: 70 } })).status).toBe(200)
  const again = await send(cook, await fileOf(back, 'export.xlsx'))
  const review = await stopped(cook, again.body.import.id)
  expect(review).toMatchObject({ rows_changed: 1, rows_unchanged: 0, rows_rejected: 2 })
  expect(review.errors).toMatchObject([
    { row: 3, column: 'record.version', message: expect.stringContaining('Somebody changed this record') },
    { row: 4, column: 'day', message: 'Fill in this field.' },
  ])
  await cook.post(`/imports/${again.body.import.id}/confirm`, {})
  expect(await stopped(cook, again.body.import.id)).toMatchObject({ state: 'imported', rows_changed: 1 })
  expect((await cook.get(`${meals}?sort=day`)).body.records.data).toMatchObject([
    { version: 2, data: { girls: 13, kilos: 3.5, notes: 'Deux\nlignes', dish: 'millet' } },
    { version: 2, data: { girls: 70 } },
  ])
})
