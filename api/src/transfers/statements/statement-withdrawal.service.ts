import { fill, type Locale, type Text } from '@portal/contracts/sentences'
import type { StatementWithdrawal } from '@portal/contracts/transfers/statements'
import { sql } from 'kysely'
import { audit } from '../../kit/audit/audit.ts'
import { type Db, type Reader, transaction } from '../../kit/database/db.ts'
import { conflict, notFound } from '../../kit/http/refusals.ts'
import type { Actor } from '../../kit/http/session.ts'
import { withdrawDecision } from '../decisions/decision-reminders.service.ts'
import { say } from './statement.messages.ts'
import { lockStatement } from './statement-decision.service.ts'

/** Counts what the withdrawal of a statement deletes, leaves and sets free, and says whether it is refused. */
export async function readWithdrawal(db: Db, locale: Locale, id: number): Promise<StatementWithdrawal> {
  const { rows } = await sql<Omit<StatementWithdrawal, 'barred'> & { state: string }>`
    select s.state, s.lines_read as lines,
      (select coalesce(sum(t.resolved), 0)::bigint from statement_totals t where t.statement_id = s.id) as resolved,
      (${settled(id)}) as settled, (${waiting(id)}) as waiting, (${freed(id)}) as freed
    from agency_statements s where s.id = ${id}`.execute(db)
  if (!rows[0]) throw notFound()
  const { state, ...counts } = rows[0]
  const bar = await barOf(db, id, state)
  return { ...counts, barred: bar && fill(bar, locale) }
}

/**
 * SQL: how many payments count as paid because a line of the statement said so. Orders in a bank's file, and those of a round that was
 * paid before, are never asked about, so that they are paid by a line, an answer of the bank, or two people.
 */
const settled = (id: number) => sql`
  select count(*) from statement_findings f join agency_statements s on s.id = f.statement_id
    join payment_attempts a on a.payroll_id = f.payroll_id and a.agency_id = s.agency_id and a.state = 'success'
    join transfer_payrolls p on p.id = a.payroll_id join transfer_payroll_groups g on g.id = p.payroll_group_id
  where s.id = ${id} and f.category in ('matched', 'fee')
    and (exists (select from bank_file_payments b where b.attempt_id = a.id) or a.n = 1 and exists (
      select from transfer_rounds r where r.cohort_id = g.cohort_id and r.n = g.n and r.found_paid))
    and not exists (select from bank_answer_lines k where k.attempt_id = a.id and k.effect = 'paid')
    and not exists (select from payment_settlements n where n.attempt_id = a.id and n.state = 'approved')`

/** SQL: how many payments the making of a bank's file found on the statement. They wait for evidence. */
const waiting = (id: number) => sql`
  select count(distinct a.id) from statement_lines l
    join payment_attempts a on a.state = 'unknown' and a.reason = 'stated_before'
    join transfer_payrolls p on p.id = a.payroll_id and l.reference = end_to_end_id(p.reference, a.n)
  where l.statement_id = ${id} and l.problem is null`

/** SQL: how many failed payments are in doubt because of the statement alone, and can be made again without it. */
const freed = (id: number) => sql`
  select count(distinct d.payroll_id) from stated_payments d join agency_statements s on s.id = d.statement_id
    join transfer_payrolls p on p.id = d.payroll_id
  where s.id = ${id} and s.state = 'open' and p.status = 'failed' and p.written_off_at is null
    and not exists (select from stated_payments o
      where o.payroll_id = d.payroll_id and o.statement_id <> s.id and o.state = 'open')
    and not exists (select from payment_exceptions e
      where e.payroll_id = d.payroll_id and (not e.resolved or e.decision = 'money_moved'))`

/** Why a statement in this state cannot be withdrawn, or null. */
async function barOf(db: Reader, id: number, state: string): Promise<Text | null> {
  if (!['queued', 'reading', 'open'].includes(state)) return say.notOpen
  const { rows: repeated } = await sql`
    select from statement_lines l join statement_lines later on later.repeats_id = l.id
    where l.statement_id = ${id} and later.statement_id <> ${id} limit 1`.execute(db)
  if (repeated.length > 0) return say.repeatedElsewhere
  const { rows: evidence } = await sql`
    select from statement_lines l join payment_settlements n on n.line_id = l.id
    where l.statement_id = ${id} and n.state in ('proposed', 'approved') limit 1`.execute(db)
  return evidence.length > 0 ? say.isEvidence : null
}

/** Takes a statement back that is not closed, such as one of the wrong agency. Its lines are deleted with it. */
export function withdrawStatement(db: Db, actor: Actor, id: number, reason: string): Promise<void> {
  return transaction(db, async (tx) => {
    const { state } = await lockStatement(tx, id)
    const bar = await barOf(tx, id, state)
    if (bar) throw conflict(bar)
    await sql`
      update agency_statements set state = 'withdrawn', ended_by = ${actor.id}, ended_at = now(), version = version + 1
      where id = ${id}`.execute(tx)
    await sql`delete from statement_findings where statement_id = ${id}`.execute(tx)
    await sql`delete from statement_totals where statement_id = ${id}`.execute(tx)
    await sql`delete from statement_lines where statement_id = ${id}`.execute(tx)
    await audit(tx, actor, 'statement withdrawn', 'statement', id, { new: { reason } })
    await withdrawDecision(tx, 'statement', id)
  })
}
