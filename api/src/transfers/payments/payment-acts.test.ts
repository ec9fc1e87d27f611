import { paymentStatuses } from '@portal/contracts/transfers/cohorts'
import { paymentActs, paymentStates } from '@portal/contracts/transfers/payrolls'
import { expect, test } from 'vitest'
import { actsIn, nextSteps, permissionOf, refusalOf, ruleOf, stateOf } from './payment-acts.ts'

/** The acts of which no money may have moved. */
const paying = paymentActs.filter((act) => act !== 'settle')

test('an approver can act on a payment that definitely failed or was withheld, write off one that waits, of a girl on hold only correct the recipient, and settle an open outcome', () => {
  expect(Object.fromEntries(paymentStates.map((state) => [state, actsIn(state)]))).toEqual({
    pending: ['write_off'],
    sending: [],
    success: [],
    unknown: ['settle'],
    overdue: ['settle'],
    settling: [],
    failed: paying,
    doubted: [],
    paid_after_all: ['write_off'],
    correcting: [],
    held: ['correct'],
    withheld: paying,
    written_off: [],
  })
})

const permissionFor = {
  retry: 'cohorts.approve',
  correct: 'recipients.correct',
  write_off: 'arrears.write-off',
  settle: 'cohorts.create',
}

for (const state of paymentStates)
  for (const act of paymentActs)
    test(`a person who wants to ${act} a payment that is ${state} gets its next state or a reason in both languages`, () => {
      const rule = ruleOf(act, state)
      if ('next' in rule) {
        expect(rule.next).not.toBe(state)
        // An act never claims an outcome that only the agency knows.
        expect(['pending', 'correcting', 'written_off', 'settling']).toContain(rule.next)
      } else {
        expect(rule.refusal.en).toMatch(/^[A-Z].*\.$/)
        expect(rule.refusal.fr).toMatch(/^[A-ZÀ-Ý].*\.$/)
      }
      expect(permissionOf[act]).toBe(permissionFor[act])
    })

test('a person reads what comes next in every state but the two that end a payment', () => {
  const ended = paymentStates.filter((state) => nextSteps[state] === null)
  expect(ended).toEqual(['success', 'written_off'])
})

test('whatever was noted beside a payment, only a failed one is doubted, corrected, held or written off', () => {
  const notes = ['written_off', 'doubted', 'paid_after_all', 'correcting', 'held', 'withheld'] as const
  const open = ['sending', 'unknown']
  const all = [...notes, 'overdue', 'settling'] as const
  for (const status of paymentStatuses)
    for (let bits = 0; bits < 2 ** all.length; bits++) {
      const noted = (note: (typeof all)[number]) => Boolean(bits & (1 << all.indexOf(note)))
      const payment = {
        status,
        written_off: noted('written_off'),
        doubted: noted('doubted'),
        paid_after_all: noted('paid_after_all'),
        correcting: noted('correcting'),
        held: noted('held'),
        withheld: noted('withheld'),
        overdue: noted('overdue'),
        settling: noted('settling'),
      }
      const settling = open.includes(status) && noted('settling')
      const overdue = status === 'sending' && noted('overdue')
      const about = settling ? 'settling' : overdue ? 'overdue' : status
      const state = status === 'failed' ? (notes.find(noted) ?? 'failed') : about
      expect(stateOf(payment)).toBe(state)
      for (const act of paymentActs)
        expect(refusalOf(act, payment) === null).toBe(
          act === 'settle'
            ? state === 'unknown' || state === 'overdue'
            : state === 'failed' ||
                state === 'withheld' ||
                (state === 'held' && act === 'correct') ||
                (state === 'pending' && act === 'write_off') ||
                (state === 'paid_after_all' && act === 'write_off'),
        )
    }
})
