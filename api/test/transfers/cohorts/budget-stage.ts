import { expect } from 'vitest'
import type { Client } from '../../client.ts'
import { dayFromNow, startStage } from '../../cohorts.ts'

const path = '/admin/transfers/parameter/1/budgets'

/** One round, due today. */
export const once = { from: dayFromNow(0), to: dayFromNow(0) }

/** A portal for tests of what a programme may spend and a person approve. */
export async function startBudgets() {
  const stage = await startStage(40)
  const { portal, approver } = stage
  await portal.worker()
  const admin = await portal.signedInAs('Administrator')
  const { rows: clock } = await portal.owner.query(
    `select extract(year from now() at time zone 'utc')::int as year`,
  )
  const year: number = clock[0].year
  const propose = (amount: unknown, fields: object = {}, who: Client = admin) =>
    who.post(path, { year, amount, reason: 'Voted by the ministry', ...fields })
  const decide = (id: number, action: unknown = 'confirmed', who: Client = approver) =>
    who.post(`/admin/transfers/budgets/${id}/decide`, { action })
  const listed = async (who: Client = admin) =>
    (await who.get('/admin/transfers/budgets')).body.budgets.find(
      (budget: { year: number; parameter_id: number }) => budget.year === year && budget.parameter_id === 1,
    )
  /** Proposes and confirms a budget of this year. */
  async function budget(amount: number) {
    if ((await listed()).amount === amount) return
    expect((await propose(amount)).status).toBe(200)
    const { proposed } = await listed()
    expect((await decide(proposed.id)).status).toBe(200)
  }
  return { ...stage, admin, year, propose, decide, listed, budget }
}
