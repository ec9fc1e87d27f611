import { expect, test } from 'vitest'
import { startPortal } from '../portal.ts'
import { declared, label, meal, mealStage, meals } from './meal-stage.ts'
import { release, tryCanary } from './modules.ts'

const portal = await startPortal({ moduleOverride: true })
mealStage(portal)
const { registry } = portal.context

test('a cook’s record is checked against the fields of the manifest, and one from before stays readable', async () => {
  const cook = await portal.signedIn(meal)
  const old = (await cook.post(meals, { data: { weighed: 'many' } })).body.record
  await release(registry, declared('1.1.0', true))

  const refused = await cook.post(meals, {
    data: { weighed: 'many', kilos: 'x', date: '2026-02-30', hot: 'yes', dish: 'stones', colour: 'red' },
  })
  expect(refused.status).toBe(422)
  expect(refused.body.errors).toEqual({
    'data.school': ['School: Fill in this field.'],
    'data.weighed': ['Girls weighed: Write a number.'],
    'data.kilos': ['Kilos: Write a number.'],
    'data.date': ['Date: Write a date that exists, as dd/mm/yyyy.'],
    'data.hot': ['Hot: Send true or false.'],
    'data.dish': ['Dish: Choose one of the list.'],
    'data.colour': ['The module does not declare a field “colour”.'],
  })
  const tooMany = await cook.post(meals, { data: { school: 'x'.repeat(41), weighed: 901 } })
  expect(tooMany.body.errors).toEqual({
    'data.school': ['School: Write at most 40 characters.'],
    'data.weighed': ['Girls weighed: Write a number from 0 to 900.'],
  })

  const good = { school: 'Coura', weighed: 12, kilos: 3.5, date: '2026-02-28', hot: true, dish: 'rice' }
  const made = await cook.post(meals, { data: { ...good, weighed: '12', notes: ['any', { thing: 1 }] } })
  expect(made.body.record.data).toEqual({ ...good, notes: ['any', { thing: 1 }] })

  const { data } = (await cook.get(meals)).body.records
  expect(data).toContainEqual(expect.objectContaining({ id: old.id, data: { weighed: 'many' } }))
  const changed = await cook.put(`${meals}/${old.id}`, { data: { weighed: 'many' }, version: old.version })
  expect(changed.status).toBe(422)
  expect(changed.body.errors['data.weighed']).toEqual(['Girls weighed: Write a number.'])
  expect((await cook.put(`${meals}/${old.id}`, { data: good, version: old.version })).status).toBe(200)
})

test('records keep the version of their fields, and each build reads and saves them as it declares them', async () => {
  const text = { type: 'text', max: 40 } as const
  const school = {
    name: 'school',
    label: label('School', 'École'),
    ...text,
    required: true,
    filter: true,
    sort: true,
  }
  const eaten = { name: 'eaten', label: label('Eaten', 'Mangé'), ...text, sort: true }
  const girls = {
    name: 'girls',
    label: label('Girls', 'Filles'),
    type: 'whole',
    min: 0,
    max: 900,
    sort: true,
  }
  const place = { name: 'place', label: label('Place', 'Lieu'), ...text, required: true, filter: true }
  const notes = { name: 'notes', label: label('Notes', 'Notes'), type: 'text' }
  const change = {
    ...{ to: 2, drop: ['notes'], rename: { eaten: 'girls' }, default: { place: 'yard' } },
    convert: { girls: { from: 'text', to: 'whole', else: 0 } },
  }
  const build = (version: string, collection: object) => ({
    ...declared(version, false),
    collections: [{ name: 'meals', read: meal, write: meal, ...collection }],
  })
  const first = build('4.0.0', { fields: [school, eaten, notes] })
  const second = build('4.1.0', {
    ...{ version: 2, changes: [change], fields: [school, girls, place] },
    totals: [{ name: 'girls', sum: 'girls', by: 'place' }],
  })
  await release(registry, first)
  const cook = await portal.signedIn(meal)
  const trying = await portal.signedIn(meal)
  const saved = async (data: object) => (await cook.post(meals, { data })).body.record
  const old = await saved({ school: 'Coura', eaten: '12', notes: 'Rice' })
  await saved({ school: 'Fana', eaten: 'many' })
  await saved({ school: 'Élan', eaten: '9' })

  // A tenth of the people get the next version: each is asked for what her own build declares.
  const { rows } = await portal.owner.query(
    'select r.name from roles r join user_roles u on u.role_id = r.id where u.user_id = $1',
    [trying.user.id],
  )
  await tryCanary(registry, second, [rows[0].name])
  const list = async (person: typeof cook, query = 'sort=school') => {
    const { status, body } = await person.get(`${meals}?${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    return body.records.data.map(({ data }: { data: object }) => data)
  }
  expect(await list(trying)).toEqual([
    { school: 'Coura', girls: 12, place: 'yard' },
    { school: 'Élan', girls: 9, place: 'yard' },
    { school: 'Fana', girls: 0, place: 'yard' },
  ])
  expect((await list(cook))[0]).toEqual({ school: 'Coura', eaten: '12', notes: 'Rice' })
  expect((await list(trying, 'sort=girls')).map((data: { girls: number }) => data.girls)).toEqual([0, 9, 12])
  expect((await list(cook, 'sort=eaten')).map((data: { eaten: string }) => data.eaten)).toEqual([
    '12',
    '9',
    'many',
  ])
  expect((await trying.post(meals, { data: { school: 'Coura', eaten: '3' } })).body.errors).toMatchObject({
    'data.eaten': ['The module does not declare a field “eaten”.'],
    'data.place': ['Place: Fill in this field.'],
  })
  const made = (await trying.post(meals, { data: { school: 'Bla', girls: 30, place: 'home' } })).body.record
  expect((await list(cook))[0]).toEqual({ school: 'Bla', eaten: '30' })
  const totals = async () => (await trying.get(`${meals}/totals?total=girls`)).body.totals
  expect(await totals()).toMatchObject({ count: 4, sum: 51 })
  expect(await list(trying, 'place=home')).toEqual([{ school: 'Bla', girls: 30, place: 'home' }])

  // The older build changes what it sees. What it does not see stays as it was.
  const changed = await cook.put(`${meals}/${made.id}`, {
    ...{ data: { school: 'Bla', eaten: '31' }, version: made.version },
  })
  expect(changed.body.record.data).toEqual({ school: 'Bla', eaten: '31' })
  expect(await list(trying, 'place=home')).toEqual([{ school: 'Bla', girls: 31, place: 'home' }])

  await release(registry, { ...second, version: '4.2.0' })
  expect((await list(cook))[1]).toEqual({ school: 'Coura', girls: 12, place: 'yard' })
  const data = { school: 'Coura', girls: 13, place: 'home' }
  const moved = await cook.put(`${meals}/${old.id}`, { data, version: old.version })
  expect(moved.body.record.data).toEqual(data)
  expect(await totals()).toEqual({
    ...{ count: 4, sum: 53 },
    groups: [
      { value: 'home', count: 2, sum: 44 },
      { value: 'yard', count: 2, sum: 9 },
    ],
  })

  // Taken back, the build before reads what the other one has saved by the rules that it left.
  await release(registry, { ...first, version: '4.3.0' })
  expect(await list(cook)).toEqual([
    { school: 'Bla', eaten: '31' },
    { school: 'Coura', eaten: '13' },
    { school: 'Élan', eaten: '9' },
    { school: 'Fana', eaten: 'many' },
  ])
  expect((await list(cook, 'sort=-eaten')).length).toBe(4)
})
