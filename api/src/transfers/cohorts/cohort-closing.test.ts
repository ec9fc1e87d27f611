import { openPointKinds } from '@portal/contracts/transfers/cohort-closing'
import { cohortStatuses } from '@portal/contracts/transfers/cohorts'
import { expect, test } from 'vitest'
import { closingRefusal, openPointWords } from './cohort-closing.ts'

test('a person closes only an approved cohort of which nothing is open', () => {
  const states = [...cohortStatuses, 'closed'] as const
  expect(states.filter((state) => closingRefusal(state, []) === null)).toEqual(['approved', 'error'])
  for (const state of states)
    for (const kind of openPointKinds)
      expect(closingRefusal(state, [{ kind, count: 2 }]), `${state}, ${kind}`).not.toBeNull()
})

test('a person reads of everything that is open what it is and how it ends, in the order to end it', () => {
  const points = openPointKinds.map((kind, n) => ({ kind, count: n + 1 })).reverse()
  const refusal = closingRefusal('approved', points)
  for (const locale of ['en', 'fr'] as const) {
    const text = refusal?.[locale] ?? ''
    const places = openPointKinds.map((kind) => text.indexOf(openPointWords[kind].way[locale]))
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places.every((place) => place > 0)).toBe(true)
  }
  expect(refusal?.en).toContain('Failed payments: 4. Pay them again')
})
