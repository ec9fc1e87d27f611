import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { atSchool, inLastWeek, Visit } from './visits.ts'

const visit = {
  student: 'Awa Keïta',
  school: 'Coura Nord',
  date: '2026-03-12',
  reason: 'illness',
  outcome: 'rest',
}

test('a nurse need not write notes', () => {
  assert.equal(v.parse(Visit, visit).notes, '')
})

test('a visit needs its student, a real day and a known reason', () => {
  for (const wrong of [{ student: ' ' }, { date: '2026-02-30' }, { reason: 'boredom' }])
    assert.equal(v.is(Visit, { ...visit, ...wrong }), false)
})

test('a week is seven days, with today', () => {
  const on = (...dates: string[]) => dates.map((date) => ({ data: { date } }))
  assert.equal(inLastWeek(on('2026-03-12', '2026-03-06', '2026-03-05', '2026-03-13'), '2026-03-12'), 2)
})

test('a school has the visits that were recorded under its name', () => {
  const at = (school: string) => ({ data: { school } })
  assert.deepEqual(atSchool([at('Coura Nord'), at('Coura Nord II')], 'Coura Nord'), [at('Coura Nord')])
})
