import { dayFromNow, headings, recipient, sheetFile } from '../../cohorts.ts'
import { until } from '../../portal.ts'
import { accountHolder, bankList } from '../banks/bank.ts'
import type { Act } from './act.ts'
import type { World } from './stage.ts'

const cohorts = '/admin/transfers/cohorts'
/** The last two digits of numbers: most are paid, others refused, late, lost or throttled. */
const digits = [10, 11, 12, 13, 20, 30, 40, 2, 2, 3, 4, 5, 6, 7, 8, 9]
const periods = [
  [0, 27],
  [0, 0],
  [-40, 20],
  [-70, 1],
  [3, 60],
  [-3, 45],
] as const

const aPeriod = (world: World) => {
  const [from, to] = world.pick(periods)
  return { from: dayFromNow(from), to: dayFromNow(to) }
}

/** Waits until the import of a list has ended, or waits for a person. */
const imported = (world: World, id: number) =>
  until(async () => {
    const [run] = await world.rows('select state from imports where id = $1', [id])
    return ['imported', 'failed', 'cancelled', 'review'].includes(run?.state)
  })

async function uploadList(world: World) {
  const name = `List ${++world.names}`
  const atBank = world.chance(0.25)
  const size = world.between(1, 5)
  const numbers = new Set(Array.from({ length: size }, () => world.between(1, 40)))
  const rows = [...numbers].map((n) => {
    if (atBank) return accountHolder(n)
    const amount = world.chance(0.3) ? 10_000 + 337 * n : null
    return recipient(n, { lastTwo: world.chance(0.01) ? 1 : world.pick(digits), amount })
  })
  const answer = await world.send('officer', `${cohorts}/import`, {
    name,
    description: 'A list of the story',
    ...aPeriod(world),
    transfer_agency_id: atBank ? world.bankId : world.pick(world.mobiles).id,
    transfer_parameter_id: world.between(1, 2),
    target_list_file: atBank ? bankList(rows) : sheetFile([headings, ...rows]),
  })
  if (answer.status === 200) await imported(world, answer.body.import.id)
}

async function chooseList(world: World) {
  const answer = await world.call('officer', 'POST', '/admin/transfers/target-selection/cohort', {
    name: `Chosen ${++world.names}`,
    description: 'Girls of the register',
    ...aPeriod(world),
    transfer_agency_id: world.pick(world.mobiles).id,
    transfer_parameter_id: world.between(1, 2),
    country: 'ml',
    guardian: 'yes',
  })
  if (answer.status === 200) await imported(world, answer.body.import.id)
}

/** What the page of a cohort shows, and what an approver confirms of it. */
export async function decideOn(world: World, id: number, action: string, by = world.call) {
  const { cohort } = await world.read(`${cohorts}/${id}/summary`)
  return by('approver', 'POST', `${cohorts}/${id}/approve`, {
    action,
    list_hash: cohort.list_hash ?? undefined,
    confirmed_overlaps: cohort.check.overlaps.map(({ cohort_id }: { cohort_id: number }) => cohort_id),
    ...(cohort.check.perhaps_paid && action === 'approved' ? { paid_before: world.chance(0.3) } : {}),
  })
}

async function decide(world: World) {
  const cohort = await world.one(
    `select id::int from transfer_cohorts where status = 'pending' and imported_at is not null order by id`,
  )
  return cohort && decideOn(world, cohort.id, world.chance(0.9) ? 'approved' : 'rejected')
}

const onCohort = (where: string, what: string) => async (world: World) => {
  const cohort = await world.one(`select id::int from transfer_cohorts c where ${where} order by id`)
  return cohort && world.call('approver', 'POST', `${cohorts}/${cohort.id}/${what}`)
}

async function retryList(world: World) {
  const cohort = await world.one("select id::int from transfer_cohorts where status = 'error' order by id")
  return cohort && decideOn(world, cohort.id, 'approved')
}

async function startRound(world: World) {
  const round = await world.one(
    `select cohort_id::int, n from transfer_rounds where state = 'missed' or $1 and state = 'scheduled' order by cohort_id, n`,
    [world.chance(0.1)],
  )
  if (!round) return false
  const { cohort } = await world.read(`${cohorts}/${round.cohort_id}/summary`)
  const plan = cohort.rounds.find(({ n }: { n: number }) => n === round.n)
  const { count: payments, amount, fees } = cohort.payable
  return world.call('approver', 'POST', `${cohorts}/${round.cohort_id}/rounds/${round.n}/start`, {
    payments,
    amount,
    fees,
    ...(plan?.perhaps_paid && { paid_before: world.chance(0.5) }),
  })
}

/** Days pass for one list: its period and all its rounds come nearer. No person does this, so the owner of the database does. */
async function daysPass(world: World) {
  const cohort = await world.one(
    `select id::int from transfer_cohorts c where status <> 'rejected' and exists (select from transfer_rounds r where r.cohort_id = c.id and r.state = 'scheduled') order by id`,
  )
  if (!cohort) return false
  const days = world.pick([1, 3, 7, 30])
  await world.owner.query(`begin; set local session_replication_role = replica;
    update transfer_rounds set due_on = due_on - ${days} where cohort_id = ${cohort.id};
    update transfer_payroll_groups set due_on = due_on - ${days} where cohort_id = ${cohort.id};
    update transfer_cohorts set "from" = "from" - ${days}, "to" = "to" - ${days} where id = ${cohort.id}; commit`)
  return true
}

async function closeList(world: World) {
  const cohort = await world.one(
    `select id::int from transfer_cohorts c where status <> 'pending' and not exists (select from cohort_closings k where k.cohort_id = c.id) order by id`,
  )
  const reason = 'The term has ended'
  return cohort && world.call('approver', 'POST', `${cohorts}/${cohort.id}/close`, { reason })
}

async function proposeMove(world: World) {
  const cohort = await world.one(
    "select id::int from transfer_cohorts where status in ('approved', 'error') order by id",
  )
  if (!cohort) return false
  const transfer_agency_id = world.pick([...world.mobiles.map(({ id }) => id), world.bankId])
  await world.read(`${cohorts}/${cohort.id}/move?transfer_agency_id=${transfer_agency_id}`)
  return world.call('officer', 'POST', `${cohorts}/${cohort.id}/move`, {
    transfer_agency_id,
    reason: 'The contract has ended',
  })
}

/** A second person decides on a proposal of a table, or its proposer takes it back. */
export const decidesOn =
  (table: string, path: string, role: string, yes = 'approved') =>
  async (world: World) => {
    const row = await world.one(
      `select id::int, user_id::int from ${table} where state = 'proposed' order by id`,
    )
    if (!row) return false
    if (world.chance(0.15)) {
      const found = Object.entries(world.people)
        .flatMap(([role, people]) => people.map((who) => ({ role, who })))
        .find(({ who }) => who.user.id === row.user_id)
      if (found) return world.callBy(found.role, found.who, 'POST', `${path}/${row.id}/withdraw`)
    }
    const action = world.chance(0.8) ? yes : 'refused'
    return world.call(role, 'POST', `${path}/${row.id}/decide`, { action })
  }

/** What people do about lists and their rounds. */
export const listActs: Record<string, Act> = {
  'a list is uploaded': { weight: 8, act: uploadList },
  'a list is chosen from the register': { weight: 1, act: chooseList },
  'a list is decided on': { weight: 14, act: decide },
  'a list is stopped': {
    weight: 3,
    act: onCohort("status in ('approved', 'error') and stopped_at is null", 'stop'),
  },
  'a list is resumed': { weight: 5, act: onCohort('stopped_at is not null', 'resume') },
  'a list in error is retried': { weight: 5, act: retryList },
  'a round is started by hand': { weight: 6, act: startRound },
  'days pass': { weight: 6, act: daysPass },
  'a list is closed': { weight: 4, act: closeList },
  'a move is proposed': { weight: 4, act: proposeMove },
  'a move is decided': {
    weight: 4,
    act: decidesOn('cohort_moves', '/admin/transfers/cohort-moves', 'approver'),
  },
}
