import { bring, mergeOlder } from '@portal/contracts/record-versions'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { Collection } from './manifest-collections.ts'
import { faultsOfColumns } from './own-columns.ts'
import { faultsOfChanges } from './record-changes.ts'

const label = { en: 'Photograph', fr: 'Photo' }
const photo = { name: 'photo', label, type: 'picture' }
const dish = { name: 'dish', label: { en: 'Dish', fr: 'Plat' }, type: 'text', max: 40 }
const collection = (field: object, more: object = {}) => ({
  ...{ name: 'meals', read: 'meals.view', write: 'meals.view', fields: [dish, { ...photo, ...field }] },
  ...more,
})
const faultsOf = (given: object) => v.safeParse(Collection, given).issues?.map(({ message }) => message) ?? []

describe('a team that declares a picture', () => {
  test('may require it', () => {
    expect(faultsOf(collection({ required: true }))).toEqual([])
  })

  test.each([
    ['sort', true],
    ['filter', true],
    ['search', true],
    ['min', 1],
    ['max', 9],
    ['values', []],
  ])('is told that lists do not go by it: %s', (name, value) => {
    expect(faultsOf(collection({ [name]: value }))).toContain(
      'A field of type picture has a name, a label and perhaps required: lists are neither searched, sorted nor filtered by pictures.',
    )
  })

  test('is told that totals neither add it up nor go by it', () => {
    for (const total of [{ sum: 'photo' }, { by: 'photo' }])
      expect(faultsOf(collection({}, { totals: [{ name: 'all', ...total }] }))).toEqual([
        expect.stringMatching(/a type that is not picture/),
      ])
  })

  test('is told that a file has none, and how many a record may have', () => {
    expect(faultsOf(collection({}, { import: '/admin/meals' }))).toEqual([])
    expect(faultsOf(collection({ required: true }, { import: '/admin/meals' }))).toEqual([
      'A collection with import requires no picture: a row of a file has none.',
    ])
    const fields = Array.from({ length: 7 }, (_, n) => ({ ...photo, name: `photo${n}` }))
    expect(faultsOf(collection({}, { fields }))).toEqual([
      'A collection has at most 6 fields of type picture: each record may have one of each.',
    ])
  })

  test('is told that a column shows none', () => {
    const meals = { ...collection({}), fields: [{ ...dish, filter: true }, photo] }
    const column = { id: 'last', on: 'school', label, permission: 'meals.view', collection: 'meals' }
    const columns = [{ ...column, by: 'dish', field: 'photo', show: 'text', order: 1 }]
    expect(faultsOfColumns({ collections: [meals], columns } as never)).toEqual([
      'columns.0.show: text is not what photo of meals is',
    ])
  })

  test('is told that a version converts no picture', () => {
    const changes = [{ to: 2, convert: { photo: { from: 'picture', to: 'text' } } }]
    expect(faultsOf(collection({}, { version: 2, changes }))).toContain(
      'A picture is made of no other type and becomes none: drop the field, and give the new one another name.',
    )
    const before = { name: 'meals', fields: [{ name: 'photo', type: 'text' as const }] }
    const after = { name: 'meals', fields: [{ name: 'photo', type: 'picture' as const }] }
    expect(faultsOfChanges(before, after)).toEqual([
      'meals.photo was of type text and is picture: set "version": 2 and add {"to": 2, "drop": ["photo"]} to "changes" and give the new field another name.',
    ])
  })
})

test('a build of before keeps the picture that it does not know, in a record that it changes', () => {
  const older = { name: 'meals', fields: [{ name: 'dish', type: 'text' as const }] }
  const changes = [{ to: 2, rename: { plate: 'dish' } }]
  const stored = { data: { dish: 'rice', photo: { id: 7, alt: '' } }, schema: 2 }
  const seen = bring(stored.data, 2, { ...older, fields: [{ name: 'plate', type: 'text' }] }, changes)
  expect(seen).toEqual({ plate: 'rice' })
  const asked = { ...older, fields: [{ name: 'plate', type: 'text' as const }] }
  expect(mergeOlder(stored, { plate: 'millet' }, asked, changes)).toEqual({
    dish: 'millet',
    photo: { id: 7, alt: '' },
  })
})
