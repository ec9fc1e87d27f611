import type { Protocol } from '@portal/contracts/agencies'
import type { PaymentStatus } from '@portal/contracts/cohorts'
import type { ExceptionKind } from '@portal/contracts/payrolls'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { users } from '../access/users.tables.ts'
import {
  counter,
  francs,
  instant,
  key,
  now,
  ref,
  sum,
  transferAgencies,
  transferCohorts,
  transferMasterList,
} from './transfers.tables.ts'

/**
 * A disbursement round. Counters are kept by a trigger on its entries, in the same transaction.
 */
export const transferPayrollGroups = pgTable(
  'transfer_payroll_groups',
  {
    id: key(),
    cohort_id: ref(() => transferCohorts.id).notNull(),
    n: integer().notNull(),
    due_on: date({ mode: 'string' }).notNull(),
    total: counter(),
    pending: counter(),
    sending: counter(),
    success: counter(),
    failed: counter(),
    unknown: counter(),
    expected_amount: sum(),
    pending_amount: sum(),
    success_amount: sum(),
    failed_amount: sum(),
    unknown_amount: sum(),
    written_off_amount: sum(),
    success_fees: sum(),
    executed_at: instant(),
    /** When a person or the plan last asked for it: it begins by itself on its day or on this one, never long after. */
    called_at: now(),
    created_at: now(),
  },
  (t) => [
    unique('transfer_payroll_groups_round').on(t.cohort_id, t.n),
    index('transfer_payroll_groups_open').on(t.due_on).where(sql`pending + sending + unknown > 0`),
    check(
      'transfer_payroll_groups_counts',
      sql`${t.pending} + ${t.sending} + ${t.success} + ${t.failed} + ${t.unknown} = ${t.total}`,
    ),
    check(
      'transfer_payroll_groups_amounts',
      sql`${t.pending_amount} + ${t.success_amount} + ${t.failed_amount} + ${t.unknown_amount} + ${t.written_off_amount} = ${t.expected_amount}`,
    ),
    check(
      'transfer_payroll_groups_floor',
      sql`least(${t.pending}, ${t.sending}, ${t.success}, ${t.failed}, ${t.unknown}) >= 0`,
    ),
  ],
)

/** One payment to one recipient in one round; paid at most once, ever (Money 4.1). */
export const transferPayrolls = pgTable(
  'transfer_payrolls',
  {
    id: key(),
    payroll_group_id: ref(() => transferPayrollGroups.id).notNull(),
    master_list_id: ref(() => transferMasterList.id).notNull(),
    /** What the agency knows the payment by; derived by the database (Money 4.5). */
    reference: text().notNull(),
    receiver_first_name: text().notNull(),
    receiver_last_name: text().notNull(),
    receiver_phone_number: text(),
    receiver_account: text(),
    receiver_bank: text(),
    amount: francs().notNull(),
    fees: francs().notNull(),
    status: text().$type<PaymentStatus>().notNull().default('pending'),
    external_trx_id: text(),
    failure_reason: text(),
    /** The agency's own charge in whole francs, to compare with its tariff. */
    agency_fees: francs(),
    written_off_at: instant(),
    /** How often the paying account was empty for this one: the others of the round are sent first. */
    set_aside: integer().notNull().default(0),
    created_at: now(),
    updated_at: now(),
  },
  (t) => [
    unique('transfer_payrolls_once').on(t.payroll_group_id, t.master_list_id),
    unique('transfer_payrolls_reference').on(t.reference),
    index('transfer_payrolls_status').on(t.payroll_group_id, t.status, t.id),
    index('transfer_payrolls_to_send')
      .on(t.payroll_group_id, t.set_aside, t.id)
      .where(sql`status = 'pending'`),
    index('transfer_payrolls_master').on(t.master_list_id),
    check(
      'transfer_payrolls_status',
      sql`${t.status} in ('pending', 'sending', 'success', 'failed', 'unknown')`,
    ),
    check('transfer_payrolls_amount', sql`${t.amount} > 0 and ${t.fees} >= 0`),
    check('transfer_payrolls_written_off', sql`${t.written_off_at} is null or ${t.status} = 'failed'`),
  ],
)

/** One address of an agency that orders were sent to (Money 4.6). */
export const paymentLines = pgTable(
  'payment_lines',
  {
    id: key(),
    agency_id: ref(() => transferAgencies.id).notNull(),
    endpoint: text().notNull(),
    account: text().notNull(),
    protocol: text().$type<Protocol>().notNull(),
    connector_version: integer().notNull(),
    created_at: now(),
  },
  (t) => [
    unique('payment_lines_address').on(t.agency_id, t.endpoint, t.account, t.protocol, t.connector_version),
  ],
)

/** Who may speak to an agency, over all workers, and how it gets on (Money 4.10). */
export const agencyLeases = pgTable('agency_leases', {
  agency_id: bigint({ mode: 'number' })
    .primaryKey()
    .references(() => transferAgencies.id),
  owner: text(),
  lease_until: instant(),
  fence: bigint({ mode: 'number' }).notNull().default(0),
  rest_until: instant(),
  opened_with: text(),
  open_since: instant(),
  settled_at: instant(),
  stalled_at: instant(),
})

/** One try at one payment. Its key is committed before the first call and sent with every repetition (Money 4.1). */
export const paymentAttempts = pgTable(
  'payment_attempts',
  {
    id: key(),
    payroll_id: ref(() => transferPayrolls.id).notNull(),
    n: integer().notNull().default(1),
    /** Derived by the database from the payment's reference and `n` (Money 4.5). */
    idempotency_key: uuid().notNull(),
    /** Filled from the cohort where an insert does not say it. */
    agency_id: ref(() => transferAgencies.id).notNull(),
    /** Where it went, and when for the first time; a pending one has not gone anywhere yet. */
    line_id: ref(() => paymentLines.id),
    sent_at: instant(),
    state: text().$type<PaymentStatus>().notNull().default('pending'),
    /** How often the instruction was sent or asked about; decides how long to wait before the next time. */
    tries: integer().notNull().default(0),
    /** Whether its agency is asked by reference before it is sent: to be asked, asked and free, or held there. */
    first_asked: text().$type<'due' | 'clear' | 'held'>(),
    /** When to ask again, for `sending` that the agency holds and for `unknown`. */
    ask_at: instant(),
    external_trx_id: text(),
    reason: text(),
    user_id: ref(() => users.id),
    created_at: now(),
    settled_at: instant(),
  },
  (t) => [
    unique('payment_attempts_key').on(t.idempotency_key),
    unique('payment_attempts_number').on(t.payroll_id, t.n),
    uniqueIndex('payment_attempts_one_open').on(t.payroll_id).where(sql`state <> 'failed'`),
    uniqueIndex('payment_attempts_transaction')
      .on(t.agency_id, t.external_trx_id)
      .where(sql`external_trx_id is not null`),
    index('payment_attempts_ask').on(t.agency_id, t.ask_at).where(sql`state in ('sending', 'unknown')`),
    check(
      'payment_attempts_state',
      sql`${t.state} in ('pending', 'sending', 'success', 'failed', 'unknown')`,
    ),
  ],
)

/** What an agency said that cannot be so: for a person, never settled by itself (Money 4.7, Money 4.8). */
export const paymentExceptions = pgTable(
  'payment_exceptions',
  {
    id: key(),
    payroll_id: ref(() => transferPayrolls.id).notNull(),
    attempt_id: ref(() => paymentAttempts.id).notNull(),
    kind: text().$type<ExceptionKind>().notNull(),
    expected: text(),
    answered: text().notNull(),
    resolved: boolean().notNull().default(false),
    created_at: now(),
  },
  (t) => [
    unique('payment_exceptions_once').on(t.attempt_id, t.kind, t.answered),
    check(
      'payment_exceptions_kind',
      sql`${t.kind} in ('contradiction', 'key', 'reference', 'amount', 'currency', 'recipient', 'transaction', 'not_found', 'unreadable')`,
    ),
  ],
)

/** A corrected number or name: takes effect when a second person approves it (Money 6.1). */
export const recipientCorrections = pgTable(
  'recipient_corrections',
  {
    id: key(),
    master_list_id: ref(() => transferMasterList.id).notNull(),
    old_values: jsonb().$type<Record<string, string | null>>().notNull(),
    new_values: jsonb().$type<Record<string, string | null>>().notNull(),
    user_id: ref(() => users.id).notNull(),
    approved_by: ref(() => users.id),
    approved_at: instant(),
    created_at: now(),
  },
  (t) => [
    uniqueIndex('recipient_corrections_open').on(t.master_list_id).where(sql`approved_at is null`),
    check(
      'recipient_corrections_four_eyes',
      sql`${t.approved_by} is null or ${t.approved_by} <> ${t.user_id}`,
    ),
  ],
)
