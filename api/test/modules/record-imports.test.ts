import type { Permission } from '@portal/contracts/permissions'
import exceljs from 'exceljs'
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { followModules } from '../../src/modules/permissions.service.ts'
import { untilLocked } from '../locks.ts'
import { startPortal, until } from '../portal.ts'
import { addPlaces, addSchools, addStudents, sheetFile, stopped } from '../registers/registers.ts'
import { mortalWorkers } from '../workers.ts'
import { release } from './modules.ts'

const portal = await startPortal({ moduleRecords: 40 })
const workers = mortalWorkers(portal.settings)
const { registry } = portal.context
const meal = 'meals.record' as Permission
const meals = '/modules/mfe-meals/records/meals'
const label = (en: string, fr = en) => ({ en, fr })

const fields = [
  { name: 'school', label: label('School', 'École'), type: 'reference', to: 'school', required: true },
  { name: 'girl', label: label('Girl', 'Fille'), type: 'reference', to: 'student' },
  { name: 'day', label: label('Day', 'Jour'), type: 'day', required: true, sort: true, filter: true },
  { name: 'girls', label: label('Girls fed', 'Filles nourries'), type: 'whole', min: 0, max: 900 },
  { name: 'kilos', label: label('Kilos'), type: 'number' },
  { name: 'hot', label: label('Hot', 'Chaud'), type: 'boolean' },
  {
    ...{ name: 'dish', label: label('Dish', 'Plat'), type: 'text' },
    values: [
      { value: 'rice', label: label('Rice', 'Riz') },
      { value: 'millet', label: label('Millet', 'Mil') },
    ],
  },
  { name: 'notes', label: label('Notes', 'Remarques'), type: 'text', max: 4000, search: true },
]
const manifest = (version: string, more: { import?: string; changes?: object[]; version?: number } = {}) => ({
  ...{ name: 'mfe-meals', version, title: label('Meals', 'Repas') },
  permissions: [{ name: meal, label: label('Record meals', 'Saisir des repas') }],
  collections: [
    { ...{ name: 'meals', label: label('Meal', 'Repas'), read: meal, write: meal, fields }, ...more },
  ],
})
const importable = manifest('1.0.0', { import: '/admin/meals' })

beforeAll(async () => {
  await release(registry, importable)
  await followModules(portal.context)()
})
// After each test and not before: a worker of its own process needs what the migrations wrote.
afterEach(() => portal.clear())
beforeEach(async () => {
  await addPlaces(portal)
  await addSchools(portal, 2)
  await addStudents(portal, 1)
})

const cookWith = () => portal.signedIn(meal, 'schools.view', 'students.view')
type Person = Awaited<ReturnType<typeof cookWith>>
const send = (person: Person, file: File, review = true) =>
  person.upload(`${meals}/import${review ? '?review=1' : ''}`, { records_file: file })
const codes = async () => {
  const { rows } = await portal.owner.query(
    'select (select min(admin_code) from schools) as school, (select student_code from students) as girl',
  )
  return rows[0] as { school: string; girl: string }
}
async function bookOf(bytes: Buffer): Promise<exceljs.Worksheet> {
  const book = new exceljs.Workbook()
  await book.xlsx.load(bytes as never)
  const [sheet] = book.worksheets
  if (!sheet) throw new Error('There is no sheet')
  return sheet
}
const fileOf = async ({ workbook }: exceljs.Worksheet, name = 'meals.xlsx') =>
  new File([new Uint8Array(await workbook.xlsx.writeBuffer())], name)
const setDisabled = (disabled: boolean) =>
  registry.generations.change(undefined, ({ modules }) => ({
    ...{ what: disabled ? ('disable' as const) : ('enable' as const), by: 'Awa', module: 'mfe-meals' },
    modules: modules.map((each) => ({ ...each, disabled })),
  }))
const heads = ['School', 'Day', 'Girls fed', 'Dish', 'Hot', 'Kilos', 'Girl', 'Notes']

test('when the worker is killed in the middle of a cook’s import, the next one writes every record once', {
  timeout: 60_000,
}, async () => {
  const [cook, { school }] = [await cookWith(), await codes()]
  const rows = Array.from({ length: 30 }, (_, n) => [
    school,
    '01/03/2026',
    n,
    'Rice',
    'yes',
    1,
    null,
    `row ${n}`,
  ])
  const blocker = await portal.owner.connect()
  onTestFinished(() => blocker.release())
  const sent = await send(cook, sheetFile([heads, ...rows]), false)
  const { id } = sent.body.import
  // The records are inserted, and their keys have to wait.
  await blocker.query('begin; lock table module_record_keys in exclusive mode')
  const killed = workers.start()
  await untilLocked(portal.owner, { table: 'module_record_keys', ms: 30_000 })
  await workers.end(killed, 'SIGKILL')
  await blocker.query('rollback')
  const heir = workers.start()
  expect(await stopped(cook, id)).toMatchObject({ state: 'imported', rows_new: 30 })
  await workers.end(heir, 'SIGTERM')
  expect((await cook.get(`${meals}?day=2026-03-01`)).body.records.total).toBe(30)
  const { rows: logged } = await portal.owner.query("select from audits where event = 'imported'")
  expect(logged).toHaveLength(1)
})

describe('with a worker', () => {
  beforeAll(() => portal.worker())

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
      ...[
        'École',
        'Fille',
        'Jour',
        'Filles nourries',
        'Kilos',
        'Chaud',
        'Plat',
        'Remarques',
        'N°',
        'Version',
      ],
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
    expect((await cook.put(`${meals}/${other.id}`, { version, data: { ...data, girls: 70 } })).status).toBe(
      200,
    )
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

  test('only who may write the records of a live module imports them, at every step', async () => {
    const [cook, stranger, { school }] = [
      await cookWith(),
      await portal.signedIn('schools.view'),
      await codes(),
    ]
    const blind = await portal.signedIn(meal)
    const file = () => sheetFile([heads, [school, '01/03/2026', 5, 'Rice', 'yes', null, null, null]])
    for (const path of [`${meals}/import`, `${meals}/import/sample.xlsx`])
      expect((await stranger.get(path)).status).toBe(403)
    expect((await send(stranger, file())).status).toBe(403)
    // A person names only what she may see.
    const unseen = await send(blind, file())
    expect((await stopped(blind, unseen.body.import.id)).errors).toMatchObject([
      { column: 'school', message: `No school has the code ${school}, or you may not see it.` },
    ])

    const { id } = (await send(cook, file())).body.import
    await stopped(cook, id)
    const reads = [
      `/imports/${id}`,
      `/imports/${id}/rows?kind=new`,
      `/imports/${id}/groups`,
      `/imports/${id}/file`,
    ]
    const list = '/imports?kind=module-records&module=mfe-meals&collection=meals'
    for (const path of [...reads, list]) {
      expect([path, (await stranger.get(path)).status]).toEqual([path, 403])
      expect([path, (await cook.get(path)).status]).toEqual([path, 200])
    }
    // Whoever sees less than the uploader does not learn from the rows what there is.
    expect((await blind.get(`/imports/${id}/rows?kind=new`)).status).toBe(403)
    expect((await stranger.post(`/imports/${id}/confirm`, {})).status).toBe(403)
    const waiting = await cook.get('/home/waiting')
    expect(waiting.body.imports).toMatchObject({
      count: 1,
      oldest: { link: `/home/records?of=mfe-meals.meals&import=${id}` },
    })

    // A later version no longer offers it, and another comes back.
    await release(registry, manifest('1.1.0'))
    for (const path of reads) expect((await cook.get(path)).status).toBe(404)
    expect((await send(cook, file())).status).toBe(404)
    expect((await cook.post(`/imports/${id}/confirm`, {})).status).toBe(404)
    await release(registry, { ...importable, version: '1.2.0' })
    await setDisabled(true)
    expect((await cook.post(`/imports/${id}/confirm`, {})).status).toBe(404)
    await setDisabled(false)
    expect((await cook.post(`/imports/${id}/confirm`, {})).status).toBe(200)
    expect(await stopped(cook, id)).toMatchObject({ state: 'imported', rows_new: 1 })
  })

  test('a cook who sends the same file twice, or more than the collection holds, doubles nothing', async () => {
    const [cook, { school }] = [await cookWith(), await codes()]
    const rows = Array.from({ length: 4 }, (_, n) => [
      school,
      `0${n + 1}/03/2026`,
      n,
      'Rice',
      'yes',
      1,
      null,
      'x',
    ])
    const file = sheetFile([heads, ...rows])
    const [one, two] = [await send(cook, file), await send(cook, file)]
    for (const { body } of [one, two]) await stopped(cook, body.import.id)
    await cook.post(`/imports/${one.body.import.id}/confirm`, {})
    expect(await stopped(cook, one.body.import.id)).toMatchObject({ state: 'imported', rows_new: 4 })
    const refused = await cook.post(`/imports/${two.body.import.id}/confirm`, {})
    expect(refused).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/made 4 new records/) },
    })
    expect((await send(cook, file)).body.errors.records_file).toEqual([
      expect.stringMatching(/^This very file was imported on \d\d\/\d\d\/\d{4}/),
    ])
    const many = Array.from({ length: 37 }, (_, n) => [school, '01/03/2026', n, 'Rice', 'yes', 1, null, 'y'])
    const more = await send(cook, sheetFile([heads, ...many]))
    await stopped(cook, more.body.import.id)
    expect((await cook.post(`/imports/${more.body.import.id}/confirm`, {})).body.message).toMatch(
      /holds 4 records, and this portal keeps at most 40: 37 more do not fit/,
    )
    expect((await cook.get(meals)).body.records.total).toBe(4)
  })
})
