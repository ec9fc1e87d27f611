import { paymentStatuses } from '@portal/contracts/cohorts'
import { paymentActs, paymentStates } from '@portal/contracts/payrolls'
import { expect, test } from 'vitest'
import { actsIn, nextSteps, permissionOf, refusalOf, ruleOf, stateOf } from './payment-acts.ts'

test('an approver can act on a payment that definitely failed or was withheld, and of a girl on hold only correct the recipient', () => {
  expect(Object.fromEntries(paymentStates.map((state) => [state, actsIn(state)]))).toEqual({
    pending: [],
    sending: [],
    success: [],
    unknown: [],
    failed: paymentActs,
    doubted: [],
    paid_after_all: ['write_off'],
    correcting: [],
    held: ['correct'],
    withheld: paymentActs,
    written_off: [],
  })
})

for (const state of paymentStates)
  for (const act of paymentActs)
    test(`a person who wants to ${act} a payment that is ${state} gets its next state or a reason in both languages`, () => {
      const rule = ruleOf(act, state)
      if ('next' in rule) {
        expect(rule.next).not.toBe(state)
        // An act never claims an outcome that only the agency knows.
        expect(['pending', 'correcting', 'written_off']).toContain(rule.next)
      } else {
        expect(rule.refusal.en).toMatch(/^[A-Z].*\.$/)
        expect(rule.refusal.fr).toMatch(/^[A-ZÀ-Ý].*\.$/)
      }
      expect(permissionOf[act]).toBe(act === 'correct' ? 'cohorts.create' : 'cohorts.approve')
    })

test('a person reads what comes next in every state but the two that end a payment', () => {
  const ended = paymentStates.filter((state) => nextSteps[state] === null)
  expect(ended).toEqual(['success', 'written_off'])
})

test('whatever was noted beside a payment, only a failed one is doubted, corrected, held or written off', () => {
  const notes = ['written_off', 'doubted', 'paid_after_all', 'correcting', 'held', 'withheld'] as const
  for (const status of paymentStatuses)
    for (let bits = 0; bits < 2 ** notes.length; bits++) {
      const noted = (note: (typeof notes)[number]) => Boolean(bits & (1 << notes.indexOf(note)))
      const payment = {
        status,
        written_off: noted('written_off'),
        doubted: noted('doubted'),
        paid_after_all: noted('paid_after_all'),
        correcting: noted('correcting'),
        held: noted('held'),
        withheld: noted('withheld'),
      }
      const state = status === 'failed' ? (notes.find(noted) ?? 'failed') : status
      expect(stateOf(payment)).toBe(state)
      for (const act of paymentActs)
        expect(refusalOf(act, payment) === null).toBe(
          state === 'failed' ||
            state === 'withheld' ||
            (state === 'held' && act === 'correct') ||
            (state === 'paid_after_all' && act === 'write_off'),
        )
    }
})
