import type { AnswerOf, QueryOf } from '@portal/contracts/endpoint'
import type { Locale } from '@portal/contracts/sentences'
import type { PayeePayment, PaymentTotals, payeePayments } from '@portal/contracts/transfers/payee-payments'
import { type RawBuilder, sql } from 'kysely'
import { type Db, rows } from '../../kit/database/db.ts'
import { matches, paged } from '../../kit/database/paging.ts'
import { notFound } from '../../kit/http/refusals.ts'
import {
  isCorrecting,
  isDoubted,
  isHeld,
  isOverdue,
  isPaidAfterAll,
  isSettling,
} from './failed-payments.service.ts'
import { type ActedOn, nextSteps, stateOf } from './payment-acts.ts'

type Query = QueryOf<typeof payeePayments.ofGirl>
type Answer = AnswerOf<typeof payeePayments.ofGirl>
type Call = { db: Db; locale: Locale }

/** Reads all payments for a girl, over all cohorts and rounds, the latest first. */
export async function readGirlPayments(call: Call, id: number, query: Query): Promise<Answer> {
  const [person] = await rows(
    call.db,
    sql<Answer['person']>`
    select s.id, u.first_name, u.last_name, s.student_code || ' · ' || c.name as note
    from students s join users u on u.id = s.user_id join schools c on c.id = s.school_id where s.id = ${id}`,
  )
  if (!person) throw notFound()
  return { person, ...(await readPayments(call, sql`m.student_id = ${id}`, query)) }
}

/** Reads all payments for the girls of a guardian, whoever received them. */
export async function readGuardianPayments(call: Call, id: number, query: Query): Promise<Answer> {
  const [person] = await rows(
    call.db,
    sql<Answer['person']>`
    select p.id, u.first_name, u.last_name, p.parent_assigned_id as note
    from parents p join users u on u.id = p.user_id where p.id = ${id}`,
  )
  if (!person) throw notFound()
  const hers = sql`m.student_id = any(array(select student_id from parent_students where parent_id = ${id}))`
  return { person, ...(await readPayments(call, hers, query)) }
}

/** SQL: the payments that each sum is of. */
const parts: Record<NonNullable<Query['of']>, RawBuilder<unknown>> = {
  paid: sql`e.status = 'success'`,
  owed: sql`e.status = 'failed' and e.written_off_at is null`,
  pending: sql`e.status in ('pending', 'sending', 'unknown')`,
  written_off: sql`e.written_off_at is not null`,
}

const amountOf = (part: RawBuilder<unknown>) => sql`coalesce(sum(e.amount) filter (where ${part}), 0)::bigint`

type Row = Omit<PayeePayment, 'state' | 'next_step'> & ActedOn

async function readPayments(
  { db, locale }: Call,
  hers: RawBuilder<unknown>,
  query: Query,
): Promise<Omit<Answer, 'person'>> {
  const payments = sql`transfer_master_list m join transfer_payrolls e on e.master_list_id = m.id`
  const [totals] = await rows(
    db,
    sql<PaymentTotals>`
    select coalesce(sum(e.amount), 0)::bigint as expected, ${amountOf(parts.paid)} as paid, ${amountOf(parts.owed)} as owed,
      ${amountOf(parts.pending)} as pending, ${amountOf(parts.written_off)} as written_off
    from ${payments} where ${hers}`,
  )
  const found = await paged<Row>(db, query, {
    columns: sql`e.id, e.reference, jsonb_build_object('id', s.id, 'first_name', u.first_name, 'last_name', u.last_name) as girl,
      c.name as cohort_name, e.payroll_group_id, g.n, g.due_on, e.receiver_first_name, e.receiver_last_name, e.amount, e.status,
      e.failure_reason, w.reason as write_off_reason, e.updated_at, e.written_off_at is not null as written_off,
      ${isDoubted(sql`e.id`)} as doubted, ${isPaidAfterAll(sql`e.id`)} as paid_after_all,
      ${isCorrecting(sql`e.master_list_id`)} as correcting, ${isHeld(sql`e.master_list_id`)} as held,
      e.withheld_at is not null as withheld, ${isOverdue(sql`e.id`)} as overdue, ${isSettling(sql`e.id`)} as settling`,
    from: sql`${payments} join transfer_payroll_groups g on g.id = e.payroll_group_id
      join transfer_cohorts c on c.id = g.cohort_id join students s on s.id = m.student_id join users u on u.id = s.user_id
      left join payment_write_offs w on w.payroll_id = e.id`,
    where: [
      hers,
      matches(
        sql`portal_search(c.name || ' ' || e.reference || ' ' || s.person || ' ' || e.receiver_first_name || ' ' || e.receiver_last_name)`,
        query.search,
      ),
      query.of && parts[query.of],
    ],
    sort: { due_on: sql`g.due_on`, amount: sql`e.amount` },
    order: '-due_on',
    key: sql`e.id`,
  })
  if (!totals) throw new Error('The sums of the payments could not be read')
  return { totals, payments: { ...found, data: found.data.map((row) => withState(row, locale)) } }
}

/** Adds where the payment stands and what comes next. */
function withState(row: Row, locale: Locale): PayeePayment {
  const { written_off: _, doubted: __, paid_after_all: ___, correcting: ____, held: _____, ...payment } = row
  const { withheld: ______, overdue: _______, settling: ________, ...rest } = payment
  const state = stateOf(row)
  return { ...rest, state, next_step: nextSteps[state]?.[locale] ?? null }
}
