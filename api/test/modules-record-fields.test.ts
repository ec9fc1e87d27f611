import type { Permission } from '@portal/contracts/permissions'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { followModules } from '../src/modules/permissions.service.ts'
import { release } from './modules.ts'
import { startPortal } from './portal.ts'

const portal = await startPortal()
const { registry } = portal.context

const label = (en: string, fr: string) => ({ en, fr })
const meal = 'meals.record' as Permission
const meals = '/modules/mfe-meals/records/meals'

const declared = (version: string, typed: boolean) => ({
  name: 'mfe-meals',
  version,
  permissions: [{ name: meal, label: label('Record meals', 'Saisir des repas') }],
  collections: [
    {
      name: 'meals',
      read: meal,
      write: meal,
      ...(typed && {
        fields: [
          { name: 'school', label: label('School', 'École'), type: 'text', required: true, max: 40 },
          {
            name: 'weighed',
            label: label('Girls weighed', 'Filles pesées'),
            type: 'whole',
            min: 0,
            max: 900,
          },
          { name: 'kilos', label: label('Kilos', 'Kilos'), type: 'number' },
          { name: 'date', label: label('Date', 'Date'), type: 'day' },
          { name: 'hot', label: label('Hot', 'Chaud'), type: 'boolean' },
          {
            name: 'dish',
            label: label('Dish', 'Plat'),
            type: 'text',
            values: [{ value: 'rice', label: label('Rice', 'Riz') }],
          },
          { name: 'notes', label: label('Notes', 'Notes') },
        ],
      }),
    },
  ],
})

beforeAll(async () => {
  await release(registry, declared('1.0.0', false))
  await followModules(portal.context)()
})
beforeEach(() => portal.clear())

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
