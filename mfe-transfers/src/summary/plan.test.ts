import { expect, test } from 'vitest'
import { approvalPlan } from './plan.ts'

const term = { from: '2026-11-01', to: '2027-01-31', transfer_parameter: { frequency: 1 } as never }

test('an approver in time reads that the first round starts and the others follow', () => {
  const plan = approvalPlan(term, '2026-11-20')
  expect(plan).toMatchObject({ total: 3, made: { n: 1 }, ahead: false, missed: [] })
  expect(plan.later.map((round) => round.n)).toEqual([2, 3])
})

test('an approver who is late reads which rounds are missed', () => {
  const plan = approvalPlan(term, '2027-01-05')
  expect(plan).toMatchObject({ made: { n: 3 }, ahead: false, later: [] })
  expect(plan.missed.map((round) => round.n)).toEqual([1, 2])
})

test('an approver who is early reads on what day the first round is sent', () => {
  expect(approvalPlan(term, '2026-10-01')).toMatchObject({
    made: { n: 1, due_on: '2026-11-01' },
    ahead: true,
  })
})
