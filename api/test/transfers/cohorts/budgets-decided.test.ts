import { expect, test } from 'vitest'
import type { Client } from '../../client.ts'
import { dayFromNow, recipient, startStage } from '../../cohorts.ts'

const stage = await startStage(20)
const { portal, approver, imported, approve, progress } = stage
const { owner } = portal
await portal.worker()
const admin = await portal.signedInAs('Administrator')
const { rows: clock } = await owner.query(`select extract(year from now() at time zone 'utc')::int as year`)
const year: number = clock[0].year
type Budget = { year: number; amount: number | null; proposed: { id: number; barred: string | null } | null }

/** Adds a parameter. Returns its id. */
async function addParameter(name: string): Promise<number> {
  const fields = { name, description: name, commission: 2, amount: 10_000, currency: 'XOF', frequency: 1 }
  expect((await admin.post('/admin/transfers/parameter', fields)).status).toBe(200)
  const { rows } = await owner.query('select id::int from transfer_parameters where name = $1', [name])
  return rows[0].id
}
const propose = (parameter: number, of: number, amount: number, who: Client = admin) =>
  who.post(`/admin/transfers/parameter/${parameter}/budgets`, {
    year: of,
    amount,
    reason: 'Voted by the ministry',
  })
const budgetsOf = async (parameter: number, who: Client = admin): Promise<Budget[]> =>
  (await who.get('/admin/transfers/budgets')).body.budgets.filter(
    (each: { parameter_id: number }) => each.parameter_id === parameter,
  )
const proposalOf = async (parameter: number, of: number) =>
  (await budgetsOf(parameter)).find((each) => each.year === of)?.proposed?.id ?? 0
const decide = (id: number, action: string, who: Client = approver) =>
  who.post(`/admin/transfers/budgets/${id}/decide`, { action })
async function confirmed(parameter: number, of: number, amount: number) {
  expect((await propose(parameter, of, amount)).status).toBe(200)
  expect((await decide(await proposalOf(parameter, of), 'confirmed')).status).toBe(200)
}
const logOf = async (parameter: number) =>
  (
    await owner.query(
      `select a.event, v.old_values, v.new_values from audits a join audit_values v on v.audit_id = a.id
       where a.auditable_type = 'parameter' and a.auditable_id = $1 and a.event like 'budget%' order by a.id`,
      [parameter],
    )
  ).rows
/** How many people have a proposal of a budget on their bell. */
const asked = async () => {
  const { rows } = await owner.query(
    "select count(*)::int as n from notifications where kind = 'decision-waits' and occasion like 'budget %' and bell",
  )
  return rows[0].n
}

test('an administrator plans the next year while this year’s budget waits, and an auditor reads what each one replaced and why', async () => {
  const id = await addParameter('Planned')
  await confirmed(id, year, 50_000)
  expect((await propose(id, year, 60_000)).status).toBe(200)
  expect((await propose(id, year + 1, 70_000)).status).toBe(200)
  expect((await propose(id, year + 1, 80_000)).status).toBe(409)
  expect((await decide(await proposalOf(id, year), 'confirmed')).status).toBe(200)
  expect(await budgetsOf(id)).toMatchObject([
    { year, amount: 60_000, proposed: null },
    { year: year + 1, amount: null, proposed: { id: expect.any(Number) } },
  ])
  const reason = 'Voted by the ministry'
  expect(await logOf(id)).toEqual([
    {
      event: 'budget proposed',
      old_values: { year, budget: null },
      new_values: { year, budget: 50_000, reason },
    },
    { event: 'budget confirmed', old_values: { year, budget: null }, new_values: { year, budget: 50_000 } },
    {
      event: 'budget proposed',
      old_values: { year, budget: 50_000 },
      new_values: { year, budget: 60_000, reason },
    },
    {
      event: 'budget proposed',
      old_values: { year: year + 1, budget: null },
      new_values: { year: year + 1, budget: 70_000, reason },
    },
    { event: 'budget confirmed', old_values: { year, budget: 50_000 }, new_values: { year, budget: 60_000 } },
  ])
})

test('an administrator still reads this year’s budget of a parameter that was deactivated', async () => {
  const id = await addParameter('Deactivated')
  await confirmed(id, year, 40_000)
  expect((await admin.put(`/admin/transfers/parameter/${id}`, { status: 'inactive' })).status).toBe(200)
  expect(await budgetsOf(id)).toMatchObject([{ year, amount: 40_000 }])
})

test('nobody is asked about a budget any more once it is confirmed, refused or withdrawn', async () => {
  const id = await addParameter('Asked about')
  const before = await asked()
  const end = async (how: (proposal: number) => ReturnType<Client['post']>, amount: number) => {
    expect((await propose(id, year, amount)).status).toBe(200)
    expect(await asked()).toBeGreaterThan(before)
    expect((await how(await proposalOf(id, year))).status).toBe(200)
    expect(await asked()).toBe(before)
  }
  await end((proposal) => decide(proposal, 'confirmed'), 10_000)
  // Only the confirmation needs a second person.
  await end((proposal) => decide(proposal, 'refused', admin), 20_000)
  await end((proposal) => admin.post(`/admin/transfers/budgets/${proposal}/withdraw`), 30_000)
  expect((await budgetsOf(id))[0]).toMatchObject({ amount: 10_000, proposed: null })
})

test('a list that was approved needs nothing of the budget any more beside what is spent and reserved', async () => {
  const list = await imported('Approved', [recipient(1), recipient(2)], {
    from: dayFromNow(0),
    to: dayFromNow(0),
  })
  const read = async () => (await approver.get(`/admin/transfers/cohorts/${list}/budgets`)).body.years
  const [before] = await read()
  expect(before).toMatchObject({ year, needed: expect.any(Number) })
  expect(before.needed).toBeGreaterThan(0)
  expect((await approve(list)).status).toBe(200)
  await progress(list, ({ round }) => round?.executed_at)
  expect(await read()).toMatchObject([{ year, spent: before.spent + before.needed, needed: 0 }])
})
