import { expect, test } from 'vitest'
import type { Client } from '../../client.ts'
import { dayFromNow, recipient } from '../../cohorts.ts'
import { untilLocked } from '../../locks.ts'
import { once, startBudgets } from './budget-stage.ts'

const {
  portal,
  agency,
  officer,
  approver,
  imported,
  approve,
  progress,
  admin,
  year,
  propose,
  decide,
  listed,
  budget,
} = await startBudgets()
/** What one row of a list costs in a round: its amount and the programme's fees. */
let each = 0

const parameter = { name: '' }

test('an administrator proposes a budget in whole francs, and it counts once a second person has confirmed it', async () => {
  const { rows } = await portal.owner.query('select name from transfer_parameters where id = 1')
  parameter.name = rows[0].name
  expect(await listed()).toMatchObject({ amount: null, spent: 0, reserved: 0, proposed: null })
  for (const amount of [0, -1, 1.5, 'many', 10 ** 13])
    expect((await propose(amount)).body.errors).toHaveProperty('amount')
  expect((await propose(100, { year: 1999 })).body.errors).toHaveProperty('year')
  expect((await propose(100, { reason: ' ' })).body.errors).toEqual({ reason: ['Fill in this field.'] })
  expect(
    (await admin.post('/admin/transfers/parameter/999/budgets', { year, amount: 1, reason: 'x' })).status,
  ).toBe(404)
  for (const who of [officer, approver, await portal.signedInAs('Auditor')])
    expect((await propose(100, {}, who)).status).toBe(403)

  expect((await propose(5000)).status).toBe(200)
  expect((await propose(6000)).body.message).toMatch(/Another budget of this year waits/)
  const { proposed } = await listed()
  expect(proposed).toMatchObject({ amount: 5000, reason: 'Voted by the ministry' })
  expect(proposed.barred).toMatch(/somebody else must confirm it/)
  expect((await listed(approver)).proposed.barred).toBeNull()
  const own = await decide(proposed.id, 'confirmed', admin)
  expect(own).toMatchObject({ status: 403, body: { message: proposed.barred } })
  expect((await decide(proposed.id, 'confirmed', officer)).status).toBe(403)
  expect((await decide(999_999)).status).toBe(404)
  expect((await decide(proposed.id, 'perhaps')).status).toBe(422)
  expect((await listed()).amount).toBeNull()

  // The database keeps it too.
  await expect(
    portal.owner.query(
      `update parameter_budgets set state = 'confirmed', decided_by = user_id, decided_at = now() where id = $1`,
      [proposed.id],
    ),
  ).rejects.toMatchObject({ constraint: 'parameter_budgets_two_people' })
  const answers = await Promise.all([decide(proposed.id), decide(proposed.id)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await listed()).toMatchObject({ amount: 5000, proposed: null })
  expect((await propose(5000)).body.message).toMatch(/nothing would change/)
  await expect(
    portal.owner.query('update parameter_budgets set amount = 1 where id = $1', [proposed.id]),
  ).rejects.toMatchObject({ code: '23514' })
  const { rows: log } = await portal.owner.query(
    `select a.event, a.user_id::int, v.new_values from audits a join audit_values v on v.audit_id = a.id
     where a.auditable_type = 'parameter' and a.event like 'budget%' order by a.id`,
  )
  expect(log).toMatchObject([
    { event: 'budget proposed', user_id: admin.user.id, new_values: { year, budget: 5000 } },
    { event: 'budget confirmed', user_id: approver.user.id, new_values: { year, budget: 5000 } },
  ])
})

test('an approver whose list would pass the budget is told of it in figures, and approves it after a higher one', async () => {
  const list = await imported(
    'Too much',
    [1, 2, 3].map((n) => recipient(n)),
    once,
  )
  const before = (await approver.get(`/admin/transfers/cohorts/${list}/budgets`)).body.years
  each = before[0].needed / 3
  expect(before).toEqual([{ year, amount: 5000, spent: 0, reserved: 0, needed: 3 * each }])
  await budget(3 * each - 1)
  const cost = (3 * each).toLocaleString('en-US')
  const refused = await approve(list)
  expect(refused.status).toBe(409)
  expect(refused.body.message).toBe(
    `The budget of ${year} for “${parameter.name}” is ${(3 * each - 1).toLocaleString('en-US')} XOF. Of it 0 are spent and 0 are reserved, so another ${cost} would pass it by 1. Have a higher budget proposed and confirmed under Transfer parameters, or reject the list.`,
  )
  const { rows } = await portal.owner.query(
    'select status, (select count(*)::int from transfer_rounds where cohort_id = c.id) as rounds from transfer_cohorts c where id = $1',
    [list],
  )
  expect(rows).toEqual([{ status: 'pending', rounds: 0 }])
  await expect(
    portal.owner.query(
      `with round as (insert into transfer_rounds (cohort_id, n, due_on) values ($1, 1, now()))
       update transfer_cohorts set status = 'approved', decided_by = $2, decided_at = now() where id = $1`,
      [list, approver.user.id],
    ),
  ).rejects.toMatchObject({ constraint: 'parameter_budgets_kept' })

  await budget(3 * each)
  expect((await approve(list)).status).toBe(200)
  await progress(list, ({ round }) => round?.executed_at)
  expect(await listed()).toMatchObject({ amount: 3 * each, spent: 3 * each, reserved: 0 })
})

test('a failed payment stays reserved until it is written off, and planned rounds are reserved', async () => {
  await budget(100 * each)
  const before = (await listed()).spent
  const list = await imported('One fails', [recipient(4, { lastTwo: 2 }), recipient(5)], once)
  expect((await approve(list)).status).toBe(200)
  await progress(list, ({ round }) => round?.executed_at)
  expect(await listed()).toMatchObject({ spent: before + each, reserved: each })
  const { rows } = await portal.owner.query(
    `select p.id::int from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id
     where g.cohort_id = $1 and p.status = 'failed'`,
    [list],
  )
  const written = await approver.post('/admin/transfers/arrears/write-off', {
    payroll_ids: [rows[0].id],
    reason: 'She has moved away',
  })
  expect(written.status).toBe(200)
  expect(await listed()).toMatchObject({ spent: before + each, reserved: 0 })

  const many = await imported('A month', [recipient(6)], { from: dayFromNow(0), to: dayFromNow(59) })
  const { years } = (await approver.get(`/admin/transfers/cohorts/${many}/budgets`)).body
  expect((await approve(many)).status).toBe(200)
  const { rows: plan } = await portal.owner.query(
    `select extract(year from due_on)::int as year, count(*)::int as n from transfer_rounds where cohort_id = $1 group by 1 order by 1`,
    [many],
  )
  expect(years.map((of: { year: number; needed: number }) => [of.year, of.needed])).toEqual(
    plan.map((of) => [of.year, of.n * each]),
  )
  const { spent, reserved } = await listed()
  expect(spent + reserved).toBe(before + each + plan[0].n * each)
  // A cohort in a payment error is retried, so its planned rounds stay reserved.
  const becomes = (status: string) =>
    portal.owner.query(
      "update transfer_cohorts set status = $2, error_reason = case $2 when 'error' then 'funds' end where id = $1",
      [many, status],
    )
  await becomes('error')
  expect(await listed()).toMatchObject({ spent, reserved })
  await becomes('approved')
})

test('a payment whose outcome nobody knows stays reserved, because its money may have moved', async () => {
  const sum = async () => {
    const { spent, reserved } = await listed()
    return spent + reserved
  }
  const before = await sum()
  await agency.set({ hostile: [{ mode: 'not_json', numbers: ['32'] }] })
  const list = await imported('No answer', [recipient(7, { lastTwo: 32 })], once)
  expect((await approve(list)).status).toBe(200)
  await progress(list, ({ round }) => round?.unknown === 1)
  expect(await sum()).toBe(before + each)
  await agency.set({ hostile: [] })
  await progress(list, ({ round }) => round?.success === 1)
  expect(await sum()).toBe(before + each)
})

test('of two approvals at once that both fit the budget alone, only one passes', async () => {
  const [one, other] = [
    await imported('First', [recipient(10), recipient(11)], once),
    await imported('Second', [recipient(12), recipient(13)], once),
  ]
  const { spent, reserved } = await listed()
  await budget(spent + reserved + 3 * each)
  const second = await portal.signedInAs('Transfer Approver')
  const lock = await portal.owner.connect()
  let both: ReturnType<typeof approve>[] = []
  try {
    await lock.query('begin')
    await lock.query('select from transfer_parameters where id = 1 for update')
    both = [approve(one), second.post(`/admin/transfers/cohorts/${other}/approve`, { action: 'approved' })]
    await untilLocked(portal.owner, { count: 2, ms: 4_000 })
  } finally {
    await lock.query('commit')
    lock.release()
  }
  const answers = await Promise.all(both)
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const after = await listed()
  expect(after.spent + after.reserved).toBe(spent + reserved + 2 * each)
})

test('an approver starts no missed round that would pass the budget', async () => {
  const list = await imported('With a missed round', [recipient(20)], {
    from: dayFromNow(-60),
    to: dayFromNow(0),
  })
  const { spent, reserved } = await listed()
  const { years } = (await approver.get(`/admin/transfers/cohorts/${list}/budgets`)).body
  const needed = years.find((of: { year: number }) => of.year === year)?.needed ?? 0
  await budget(spent + reserved + needed)
  expect((await approve(list)).status).toBe(200)
  await progress(list, ({ round }) => round?.executed_at)
  const { rows } = await portal.owner.query(
    // In January the round was due last year.
    `update transfer_rounds set due_on = (now() at time zone 'utc')::date where cohort_id = $1 and state = 'missed' returning n`,
    [list],
  )
  const start = () => approver.post(`/admin/transfers/cohorts/${list}/rounds/${rows[0].n}/start`)
  const refused = await start()
  expect(refused.status).toBe(409)
  expect(refused.body.message).toContain('would pass it by')
  await budget(spent + reserved + needed + each)
  expect((await start()).status).toBe(200)
})

test('an administrator withdraws the budget that she proposed, and nobody else does', async () => {
  const before = await listed()
  expect((await propose((before.amount ?? 0) + 77)).status).toBe(200)
  const { proposed } = await listed()
  expect([proposed.own, (await listed(approver)).proposed.own]).toEqual([true, false])
  const withdraw = (who: Client) => who.post(`/admin/transfers/budgets/${proposed.id}/withdraw`)
  const another = await withdraw(await portal.signedInAs('Administrator'))
  expect(another).toMatchObject({
    status: 403,
    body: { message: expect.stringMatching(/^Somebody else proposed this budget/) },
  })
  expect((await withdraw(approver)).status).toBe(403)
  expect((await withdraw(await portal.visitor())).status).toBe(401)
  const answers = await Promise.all([withdraw(admin), withdraw(admin)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await decide(proposed.id)).status).toBe(409)
  expect(await listed()).toMatchObject({ amount: before.amount, proposed: null })
  const { rows } = await portal.owner.query('select event from audits order by id desc limit 1')
  expect(rows).toEqual([{ event: 'budget withdrawn' }])
  expect((await admin.post('/admin/transfers/budgets/999999/withdraw')).status).toBe(404)
})
