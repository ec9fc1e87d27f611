import type { Cohort, Payable, RoundPlan } from '@portal/contracts/transfers/cohorts'
import { drawInShell } from '@portal/screens/test-host'
import { eventually, named } from '@portal/ui/test-render'
import { expect, test } from 'vitest'
import { RoundsCard } from './RoundsCard.tsx'

const round = (n: number, state: RoundPlan['state']): RoundPlan => ({
  n,
  due_on: `2026-${String(n).padStart(2, '0')}-01`,
  state,
  payroll_group_id: null,
  perhaps_paid: false,
})

test('whoever reads a closed cohort sees that its planned rounds are not made any more, beside one that was missed before', async () => {
  const payable: Payable = { count: 3, amount: 30_000, fees: 0 }
  const cohort = { id: 7, status: 'approved', closed: true, payable } as Cohort & { payable: Payable }
  const rounds = [
    round(1, 'missed'),
    ...[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((n) => round(n, 'not_made')),
  ]
  const { box, end } = await drawInShell(<RoundsCard cohort={cohort} rounds={rounds} />, () => ({ body: {} }))
  const shown = () => [...box.querySelectorAll('.pill')].map((pill) => pill.textContent)
  await eventually(() => expect(shown()).toEqual(['Missed', 'Not made', 'Not made', 'Not made']))
  expect(box.querySelector('h2, h3')?.textContent).toBe('Rounds that were not made')
  expect(named('Start round 1')).toBeUndefined()
  await end()
})
