import type { DeclaredCollection } from '@portal/contracts/record-fields'
import { bring, mergeOlder } from '@portal/contracts/record-versions'
import { describe, expect, test } from 'vitest'
import { faultsOfChanges } from './record-changes.ts'

const before: DeclaredCollection = {
  name: 'visits',
  fields: [
    { name: 'weighed', type: 'text', required: true, max: 40 },
    { name: 'outcome', type: 'text', values: [{ value: 'ok' }, { value: 'ill' }] },
    { name: 'kilos', type: 'whole', min: 0, max: 900 },
    { name: 'notes', type: 'text' },
  ],
}
const after: DeclaredCollection = {
  name: 'visits',
  version: 2,
  changes: [
    {
      to: 2,
      drop: ['notes'],
      rename: { weighed: 'girls' },
      values: { outcome: { ok: 'well' } },
      convert: { girls: { from: 'text', to: 'whole', else: 0 } },
      default: { place: 'school' },
    },
  ],
  fields: [
    { name: 'girls', type: 'whole', required: true, min: 0, max: 900 },
    { name: 'outcome', type: 'text', values: [{ value: 'well' }, { value: 'ill' }] },
    { name: 'kilos', type: 'number' },
    { name: 'place', type: 'text', required: true },
  ],
}

describe('a record', () => {
  test.each([
    [
      { weighed: '12', outcome: 'ok', notes: 'x' },
      { girls: 12, outcome: 'well', place: 'school' },
    ],
    [
      { weighed: ' 12,4 ', outcome: 'ill' },
      { girls: 12, outcome: 'ill', place: 'school' },
    ],
    [{ weighed: 'many' }, { girls: 0, place: 'school' }],
    [{ weighed: '9000' }, { girls: 0, place: 'school' }],
  ])('%j is read by the next version as %j', (old, read) => {
    expect(bring(old, 1, after)).toEqual(read)
  })

  test('of the next version is read by the one before, and what that one does not see survives its change', () => {
    const stored = { girls: 12, outcome: 'well', place: 'home', kilos: 3 }
    const changes = after.changes ?? []
    expect(bring(stored, 2, before, changes)).toEqual({ weighed: '12', outcome: 'ok', kilos: 3 })
    const given = { weighed: '13', outcome: 'ok' }
    expect(mergeOlder({ data: stored, schema: 2 }, given, before, changes)).toEqual({
      girls: 13,
      outcome: 'well',
      place: 'home',
    })
  })
})

test('fields that old records can be read by need no word', () => {
  const wider = { type: 'whole', min: 0, max: 1000 } as const
  const fields = (before.fields ?? []).map((field) =>
    field.name === 'kilos' ? { ...field, ...wider } : field,
  )
  expect(faultsOfChanges(before, { ...before, fields: [...fields, { name: 'new', type: 'day' }] })).toEqual(
    [],
  )
})

test.each<[string, object, RegExp]>([
  [
    'other names',
    { fields: after.fields },
    /visits\.weighed is no longer declared, and records have it: set "version": 2 and add \{"to": 2, "drop": \["weighed"\]\} to "changes", or "rename"/,
  ],
  [
    'another type',
    { fields: [{ name: 'kilos', type: 'day' }] },
    /visits\.kilos was of type whole and is day: set "version": 2 and add \{"to": 2, "convert": \{"kilos": \{"from": "whole", "to": "day"\}\}\}/,
  ],
  [
    'a required field that is new',
    { fields: [...(before.fields ?? []), { name: 'place', type: 'text', required: true }] },
    /visits\.place is new and required, and old records lack it: set "version": 2 and add \{"to": 2, "default": \{"place": …\}\} to "changes"/,
  ],
  [
    'a value that is gone',
    { fields: [{ name: 'outcome', type: 'text', values: [{ value: 'ill' }] }] },
    /visits\.outcome no longer has the value ok/,
  ],
  [
    'a narrower number',
    { fields: [{ name: 'kilos', type: 'whole', min: 0, max: 5 }] },
    /visits\.kilos admits less than before: .*"else": …/,
  ],
  [
    'a change of a field that is not there',
    { version: 2, changes: [{ to: 2, drop: ['colour'] }] },
    /the change to 2 names colour, which version 1 does not have/,
  ],
])('a schema with %s is refused', (_what, change, sentence) => {
  expect(faultsOfChanges(before, { ...before, ...change }).join('\n')).toMatch(sentence)
})

test('a change with a rule for everything passes, and a version below the live one does not', () => {
  expect(faultsOfChanges(before, after)).toEqual([])
  const fields = [...(before.fields ?? []).slice(0, 3), { name: 'notes', type: 'text', max: 5 } as const]
  const keep = { ...before, version: 2, changes: [{ to: 2, keep: ['notes'] }], fields }
  expect(faultsOfChanges(before, keep)).toEqual([])
  expect(faultsOfChanges(after, before)).toEqual([expect.stringMatching(/version 1, and version 2 is live/)])
})
