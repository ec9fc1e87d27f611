import { expect, test } from 'vitest'
import { startPortal } from '../portal.ts'
import { addPlaces, addSchools } from '../registers/registers.ts'
import { declared, label, meal, mealStage, meals } from './meal-stage.ts'
import { release } from './modules.ts'

const portal = await startPortal({ moduleOverride: true })
mealStage(portal)
const { registry } = portal.context

test('a cook sorts, filters and adds up meals as the manifest says, live and in a sandbox alike', async () => {
  const fields = [
    { name: 'school', label: label('School', 'École'), type: 'text', max: 40, sort: true, filter: true },
    { name: 'girls', label: label('Girls', 'Filles'), type: 'whole', sort: true, filter: true },
    { name: 'date', label: label('Date', 'Date'), type: 'day', sort: true, filter: true },
    { name: 'hot', label: label('Hot', 'Chaud'), type: 'boolean', filter: true },
    { name: 'notes', label: label('Notes', 'Notes'), type: 'text' },
  ]
  const totals = [
    { name: 'by-school', sum: 'girls', by: 'school' },
    { name: 'by-heat', by: 'hot' },
    { name: 'girls', sum: 'girls' },
  ]
  const [collection] = declared('2.0.0', false).collections
  const plain = { ...declared('2.0.0', false), version: '2.0.0' }
  await release(registry, plain)
  const cook = await portal.signedIn(meal)
  const developer = await portal.signedIn(meal)
  developer.cookies.set('portal_override', 'mfe-meals.5177')
  await developer.post('/modules/mfe-meals/sandbox', { collections: [{ ...collection, fields, totals }] })
  for (const data of [
    { school: 'Élan', girls: 30, date: '2026-02-03', hot: true, notes: 'Rice' },
    { school: 'Coura', girls: 4, date: '2026-02-01', hot: false, notes: 'rice' },
    { school: 'Fana', girls: 100, date: '2026-02-02' },
    { school: 'Coura', girls: 12, notes: 'Coura' },
  ])
    for (const person of [cook, developer]) expect((await person.post(meals, { data })).status).toBe(200)
  expect((await cook.get(`${meals}?sort=girls`)).body.errors.sort).toEqual([
    'This list cannot be sorted that way.',
  ])

  // Records of the build before, and of the release before, get their keys when the first list asks.
  await release(registry, {
    ...plain,
    version: '2.1.0',
    collections: [{ name: 'meals', read: meal, write: meal, fields, totals }],
  })
  for (const person of [cook, developer]) {
    const girls = async (query: string) =>
      (await person.get(`${meals}?${query}`)).body.records.data.map(
        (row: { data: { girls: number } }) => row.data.girls,
      )
    expect(await girls('sort=girls')).toEqual([4, 12, 30, 100])
    expect(await girls('sort=-girls&per_page=2&page=2')).toEqual([12, 4])
    expect(await girls('sort=school')).toEqual([4, 12, 30, 100])
    expect(await girls('sort=date')).toEqual([4, 100, 30, 12])
    expect(await girls('sort=girls&school=Coura')).toEqual([4, 12])
    expect(await girls('sort=date&date_from=2026-02-02&date_to=2026-02-03')).toEqual([100, 30])
    expect(await girls('hot=false')).toEqual([4])
    expect(await girls('girls=100')).toEqual([100])
    expect(await girls('search=rice&sort=girls&school=')).toEqual([4, 30])
    const refused = await person.get(`${meals}?sort=notes&colour=red&hot=maybe&date_to=2026-02-30`)
    expect(refused).toMatchObject({
      status: 422,
      body: {
        errors: {
          sort: ['This list cannot be sorted that way.'],
          colour: ['This list has no such filter.'],
          hot: ['This value is not accepted.'],
          date_to: ['Write a date that exists, as dd/mm/yyyy.'],
        },
      },
    })
    const reversed = await person.get(`${meals}?date_from=2026-02-03&date_to=2026-02-02`)
    expect(reversed).toMatchObject({
      status: 422,
      body: { errors: { date_to: ['The end date is before the start date.'] } },
    })
    const total = async (query: string) => (await person.get(`${meals}/totals?${query}`)).body.totals
    expect(await total('total=by-school')).toEqual({
      count: 4,
      sum: 146,
      groups: [
        { value: 'Coura', count: 2, sum: 16 },
        { value: 'Élan', count: 1, sum: 30 },
        { value: 'Fana', count: 1, sum: 100 },
      ],
    })
    expect(await total('total=by-heat&school=Coura')).toEqual({
      count: 2,
      sum: null,
      groups: [
        { value: false, count: 1, sum: null },
        { value: null, count: 1, sum: null },
      ],
    })
    expect(await total('total=girls&date_from=2030-01-01')).toEqual({ count: 0, sum: 0, groups: [] })
    expect((await person.get(`${meals}/totals?total=kilos`)).body.errors).toEqual({
      total: ['This list has no such total.'],
    })
  }

  const [first] = (await cook.get(`${meals}?girls=4`)).body.records.data
  await cook.put(`${meals}/${first.id}`, { data: { ...first.data, girls: 5 }, version: first.version })
  expect((await cook.get(`${meals}?girls=4`)).body.records.total).toBe(0)
  expect((await cook.get(`${meals}?girls=5`)).body.records.total).toBe(1)
  await portal.owner.query(
    'update module_records set keyed = null, data = data || \'{"girls": 6}\' where id = $1',
    [first.id],
  )
  expect((await cook.get(`${meals}?girls=6`)).body.records.total).toBe(1)
  expect((await cook.delete(`${meals}/${first.id}`)).status).toBe(200)
  const { rowCount } = await portal.owner.query('select from module_record_keys where record_id = $1', [
    first.id,
  ])
  expect(rowCount).toBe(0)
})

test('a cook’s records stand in columns of the list of schools, for whoever may read them and in their language', async () => {
  const { name, permissions, collections } = declared('3.0.0', true)
  const [own] = collections
  const fields = (own?.fields ?? []).map((field) => ({
    ...field,
    ...(['school', 'weighed'].includes(field.name) && { filter: true }),
  }))
  const column = (id: string, more: object) => ({
    ...{
      id,
      on: 'school',
      label: label(id, id),
      permission: meal,
      collection: 'meals',
      by: 'school',
      order: 1,
    },
    ...more,
  })
  const columns = [
    column('last', { field: 'date', show: 'date' }),
    column('count', { show: 'number' }),
    // Whole numbers are ids.
    column('by-id', { by: 'weighed', field: 'dish', show: 'badge' }),
  ]
  await release(registry, {
    name,
    version: '3.0.0',
    permissions,
    collections: [{ ...own, name: 'meals', read: meal, write: meal, fields }],
    columns,
  })
  await addPlaces(portal)
  await addSchools(portal, 2)
  const { rows: schools } = await portal.owner.query('select id, admin_code as code from schools order by id')
  const [first, second] = schools
  const cook = await portal.signedIn(meal)
  for (const [date, weighed] of [
    ['2026-03-01', second.id],
    ['2026-03-02', 5],
  ])
    await cook.post(meals, { data: { school: first.code, date, weighed, dish: 'rice' } })
  const ids = `${first.id},${second.id}`
  const read = async (who = cook, headers = {}) =>
    (await who.get(`/modules/columns?on=school&ids=${ids}`, headers)).body.columns
  expect(await read()).toEqual([
    { key: 'mfe-meals:last', values: { [first.id]: '2026-03-02' } },
    { key: 'mfe-meals:count', values: { [first.id]: 2, [second.id]: 0 } },
    { key: 'mfe-meals:by-id', values: { [second.id]: 'Rice' } },
  ])
  expect((await read(cook, { 'accept-language': 'fr' }))[2].values).toEqual({ [second.id]: 'Riz' })
  expect(await read(await portal.signedIn('schools.view'))).toEqual([])
  for (const query of [
    'on=school&ids=1;drop',
    'on=wells&ids=1',
    `on=school&ids=${'1,'.repeat(100)}1`,
    'on=school',
  ])
    expect([query, (await cook.get(`/modules/columns?${query}`)).status]).toEqual([query, 422])
  // Saved by the release before, which writes no keys: the column says so instead of showing less.
  await portal.owner.query('update module_records set keyed = null')
  expect((await read()).map(({ values }: { values: unknown }) => values)).toEqual([null, null, null])
})
