import type { Act } from './act.ts'
import { decidesOn } from './list-acts.ts'
import { handIn } from './paper-acts.ts'
import { pdfLetter } from './papers.ts'
import type { World } from './stage.ts'
import { movedFor, outcomeAtAgency } from './truth.ts'

const base = '/admin/transfers'
const reason = 'The guardian came to the office'

/** Some payments of one list in a state, by chance. */
async function payments(world: World, where: string): Promise<{ id: number; cohort: number }[]> {
  const found: { id: number; cohort: number }[] = await world.rows(
    `select p.id::int, g.cohort_id::int as cohort from transfer_payrolls p join transfer_payroll_groups g on g.id = p.payroll_group_id
     where ${where} order by p.id`,
  )
  if (found.length === 0) return []
  const { cohort } = world.pick(found)
  const same = found.filter((each) => each.cohort === cohort)
  const some = same.filter(() => world.chance(0.6))
  return some.length > 0 ? some : same.slice(0, 1)
}

async function retry(world: World) {
  const chosen = await payments(world, "p.status = 'failed' and p.written_off_at is null")
  const payroll_ids = chosen.map(({ id }) => id)
  return chosen.length > 0 && world.call('approver', 'POST', `${base}/payrolls/retry`, { payroll_ids })
}

async function retryByReason(world: World) {
  const [one] = await payments(world, "p.status = 'failed' and p.written_off_at is null")
  if (!one) return false
  const { cohort } = await world.read(`${base}/cohorts/${one.cohort}/payrolls`)
  const failure = cohort.failures.length > 0 && world.pick<{ reason: string; count: number }>(cohort.failures)
  return (
    failure &&
    world.call('approver', 'POST', `${base}/payrolls/retry`, {
      cohort_id: one.cohort,
      reason: failure.reason,
      at_most: failure.count,
    })
  )
}

async function writeOff(world: World) {
  const states = world.chance(0.25) ? "'failed', 'pending'" : "'failed'"
  const chosen = await payments(world, `p.status in (${states}) and p.written_off_at is null`)
  const payroll_ids = chosen.map(({ id }) => id)
  return (
    chosen.length > 0 &&
    world.call('approver', 'POST', `${base}/arrears/write-off`, { payroll_ids, reason: 'She moved away' })
  )
}

async function correct(world: World) {
  const row = await world.one(
    `select p.master_list_id::int as id, p.receiver_account is not null and p.receiver_phone_number is null as at_bank
     from transfer_payrolls p where p.status = 'failed' and p.written_off_at is null order by p.id`,
  )
  if (!row) return false
  const name = { receiver_first_name: `Fanta ${++world.names}` }
  const number = `+22379${String(world.names % 10_000).padStart(4, '0')}${world.pick(['10', '20', '02'])}`
  const change = row.at_bank || world.chance(0.2) ? name : { receiver_phone_number: number }
  return world.call('officer', 'POST', `${base}/master-list/${row.id}/corrections`, { ...change, reason })
}

async function hold(world: World) {
  const girl = await world.one(
    'select distinct student_id::int as id from transfer_master_list where student_id is not null order by 1',
  )
  return (
    girl &&
    world.call('officer', 'POST', `${base}/payee-holds`, { student_id: girl.id, reason: 'Two families' })
  )
}

async function release(world: World) {
  const held = await world.one('select id::int from payee_holds where released_at is null order by id')
  return held && world.call('approver', 'POST', `${base}/payee-holds/${held.id}/release`)
}

/**
 * A person has looked at the agency's own books and proposes what they say, with a line of a statement or a letter. While the agency
 * still has the order, nobody can say.
 */
export async function proposeSettlement(world: World, id: number, by = world.send) {
  const [payment] = await world.rows('select reference from transfer_payrolls where id = $1', [id])
  await handInFilesOf(world, id)
  const outcome = await outcomeAtAgency(world, payment.reference)
  if (outcome === 'open') return false
  const { lines = [] } =
    outcome === 'paid' ? await world.read(`${base}/payments/${id}/evidence`, world.people.officer?.[0]) : {}
  const line = lines.find((each: { reference: string | null }) =>
    each.reference?.startsWith(payment.reference),
  )
  const evidence: Record<string, number | File> = line
    ? { line_id: line.id }
    : { file: pdfLetter(++world.names) }
  return by('officer', `${base}/payments/${id}/settlements`, {
    outcome,
    reason: 'The agency wrote on Monday',
    ...evidence,
  })
}

/** A file that was made and lies on a desk would still pay. So the bank has it before anybody writes to it. */
async function handInFilesOf(world: World, payment: number): Promise<void> {
  const files = await world.rows(
    `select distinct b.bank_file_id::int as id from bank_file_payments b join payment_attempts a on a.id = b.attempt_id where a.payroll_id = $1`,
    [payment],
  )
  for (const { id } of files) await handIn(world, id)
}

async function settle(world: World) {
  const payment = await world.one(
    "select id::int from transfer_payrolls where status = 'unknown' order by id",
  )
  return payment && proposeSettlement(world, payment.id)
}

/** A minute passes for the proposals, so that calls of before them have ended. */
export const aMinuteLater = (world: World) =>
  world.owner.query(`begin; set local session_replication_role = replica;
    update payment_settlements set created_at = created_at - interval '121 seconds' where state = 'proposed';
    update payment_attempts a set ask_at = now() from payment_settlements s where s.attempt_id = a.id and s.state = 'proposed' and a.ask_at is not null;
    commit`)

/** What a person found out at the agency about an answer that contradicts. */
export async function closingOf(world: World, id: number): Promise<{ decision: string; reason: string }> {
  const [{ reference, status }] = await world.rows(
    `select p.reference, p.status from payment_exceptions e join transfer_payrolls p on p.id = e.payroll_id where e.id = $1`,
    [id],
  )
  const moved = (await movedFor(world, reference)) > 0
  const stands = moved === (status === 'success')
  const decision = stands ? 'status_stands' : moved ? 'money_moved' : 'money_missing'
  return { decision, reason: 'The agency showed its books' }
}

async function closeException(world: World) {
  const found = await world.one('select id::int from payment_exceptions where not resolved order by id')
  return (
    found &&
    world.call('approver', 'POST', `${base}/exceptions/${found.id}/close`, await closingOf(world, found.id))
  )
}

const decideSettlement = decidesOn('payment_settlements', `${base}/settlements`, 'approver')

/** What people do about payments. */
export const paymentActs: Record<string, Act> = {
  'failed payments are made again': { weight: 9, act: retry },
  'payments that failed for a reason are made again': { weight: 3, act: retryByReason },
  'payments are written off': { weight: 4, act: writeOff },
  'a correction is proposed': { weight: 6, act: correct },
  'a correction is decided': {
    weight: 6,
    act: decidesOn('recipient_corrections', `${base}/corrections`, 'approver'),
  },
  'a girl is put on hold': { weight: 4, act: hold },
  'a girl is released': { weight: 4, act: release },
  'a settlement is proposed': { weight: 6, act: settle },
  'a settlement is decided': {
    weight: 6,
    async act(world) {
      if (world.chance(0.8)) await aMinuteLater(world)
      return decideSettlement(world)
    },
  },
  'an exception is closed': { weight: 4, act: closeException },
}
