import type { CohortStatus, PaymentStatus, Protocol } from '@portal/contracts/transfers'
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  customType,
  date,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { users } from '../access/users.tables.ts'
import { imports } from '../imports/imports.tables.ts'
import { students } from '../registers/students.tables.ts'

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
const key = () => bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity()
const ref = (to: () => AnyPgColumn) => bigint({ mode: 'number' }).references(to)
const francs = () => bigint({ mode: 'number' })
const instant = () => timestamp({ withTimezone: true, mode: 'string' })
const now = () => instant().notNull().defaultNow()
const counter = () => integer().notNull().default(0)
const sum = () => bigint({ mode: 'number' }).notNull().default(0)

/** Who moves the money (section 3). Secrets stand sealed in `secrets`, never in `details` (decisions 4.8). */
export const transferAgencies = pgTable(
  'transfer_agencies',
  {
    id: key(),
    name: text().notNull(),
    description: text().notNull(),
    type: text().$type<'mobile_money' | 'bank'>().notNull(),
    country: text().$type<'ml' | 'sn'>().notNull(),
    fees: numeric({ precision: 5, scale: 2, mode: 'number' }).notNull(),
    endpoint: text().notNull(),
    protocol: text().$type<Protocol>().notNull(),
    details: jsonb().$type<Record<string, unknown>>().notNull(),
    secrets: bytes(),
    /** Names of the sealed details, so that a list need not open them. */
    secret_names: text().array().notNull().default([]),
    status: text().$type<'active' | 'inactive'>().notNull().default('active'),
    user_id: ref(() => users.id).notNull(),
    created_at: now(),
    updated_at: now(),
  },
  (t) => [
    unique('transfer_agencies_name').on(t.name),
    check('transfer_agencies_type', sql`${t.type} in ('mobile_money', 'bank')`),
    check('transfer_agencies_country', sql`${t.country} in ('ml', 'sn')`),
    check('transfer_agencies_status', sql`${t.status} in ('active', 'inactive')`),
    check('transfer_agencies_fees', sql`${t.fees} between 0 and 100`),
  ],
)

/** How much, how often, at what commission (section 3). Never edited: only activated and deactivated. */
export const transferParameters = pgTable(
  'transfer_parameters',
  {
    id: key(),
    name: text().notNull(),
    description: text().notNull(),
    /** Hundredths of a percent (decisions 4.2). */
    commission_hundredths: integer().notNull(),
    amount: francs().notNull(),
    currency: text().notNull().default('XOF'),
    frequency: integer().notNull(),
    status: text().$type<'active' | 'inactive'>().notNull().default('active'),
    user_id: ref(() => users.id).notNull(),
    created_at: now(),
  },
  (t) => [
    unique('transfer_parameters_name').on(t.name),
    check('transfer_parameters_commission', sql`${t.commission_hundredths} between 0 and 10000`),
    check('transfer_parameters_amount', sql`${t.amount} > 0`),
    check('transfer_parameters_currency', sql`${t.currency} = 'XOF'`),
    check('transfer_parameters_frequency', sql`${t.frequency} between 1 and 31`),
    check('transfer_parameters_status', sql`${t.status} in ('active', 'inactive')`),
  ],
)

/** A target list with its period (section 3). Listed only once its import is `imported` (decisions 5.1). */
export const transferCohorts = pgTable(
  'transfer_cohorts',
  {
    id: key(),
    name: text().notNull(),
    description: text().notNull(),
    from: date({ mode: 'string' }).notNull(),
    to: date({ mode: 'string' }).notNull(),
    status: text().$type<CohortStatus>().notNull().default('pending'),
    transfer_agency_id: ref(() => transferAgencies.id).notNull(),
    transfer_parameter_id: ref(() => transferParameters.id).notNull(),
    import_id: ref(() => imports.id).notNull(),
    file_hash: text().notNull(),
    rounds_total: integer().notNull(),
    master_list_count: counter(),
    list_amount: sum(),
    list_fees: sum(),
    /** SHA-256 over the rows in their order: what an approver has looked at. */
    list_hash: text(),
    imported_at: instant(),
    user_id: ref(() => users.id).notNull(),
    decided_by: ref(() => users.id),
    decided_at: instant(),
    comment: text(),
    error_reason: text(),
    /** Set by Stop, cleared by Resume: nothing more is sent while it is set. */
    stopped_at: instant(),
    created_at: now(),
  },
  (t) => [
    unique('transfer_cohorts_import').on(t.import_id),
    uniqueIndex('transfer_cohorts_same_upload')
      .on(t.file_hash, t.name, t.from, t.to, t.transfer_agency_id, t.transfer_parameter_id)
      .where(sql`status <> 'rejected'`),
    index('transfer_cohorts_newest').on(t.created_at.desc(), t.id.desc()),
    check('transfer_cohorts_status', sql`${t.status} in ('pending', 'approved', 'rejected', 'error')`),
    check('transfer_cohorts_period', sql`${t.to} >= ${t.from}`),
    check('transfer_cohorts_rounds', sql`${t.rounds_total} between 1 and 120`),
    check('transfer_cohorts_decided', sql`(${t.status} = 'pending') = (${t.decided_at} is null)`),
    check('transfer_cohorts_imported', sql`${t.status} = 'pending' or ${t.imported_at} is not null`),
  ],
)

/** One recipient of a cohort (section 3). */
export const transferMasterList = pgTable(
  'transfer_master_list',
  {
    id: key(),
    cohort_id: ref(() => transferCohorts.id).notNull(),
    /** The row of the file, as the spreadsheet numbers it. */
    row: integer().notNull(),
    receiver_first_name: text().notNull(),
    receiver_last_name: text().notNull(),
    /** E.164. */
    receiver_phone_number: text(),
    receiver_account: text(),
    receiver_bank: text(),
    student_id: ref(() => students.id).notNull(),
    student_code: text().notNull(),
    /** Expected per round, whole francs; `total_amount` = `amount` + `fees` is what it costs (decisions 4.2). */
    amount: francs().notNull(),
    fees: francs().notNull(),
    total_amount: francs().notNull().generatedAlwaysAs(sql`amount + fees`),
    created_at: now(),
  },
  (t) => [
    unique('transfer_master_list_student').on(t.cohort_id, t.student_code),
    index('transfer_master_list_page').on(t.cohort_id, t.id),
    index('transfer_master_list_by_student').on(t.student_id),
    index('transfer_master_list_phone').on(t.cohort_id, t.receiver_phone_number),
    check('transfer_master_list_amount', sql`${t.amount} > 0 and ${t.fees} >= 0`),
    check(
      'transfer_master_list_receiver',
      sql`${t.receiver_phone_number} is not null or ${t.receiver_account} is not null`,
    ),
  ],
)

/** The plan of a cohort's rounds, written at approval (decisions 4.3). */
export const transferRounds = pgTable(
  'transfer_rounds',
  {
    cohort_id: ref(() => transferCohorts.id).notNull(),
    n: integer().notNull(),
    due_on: date({ mode: 'string' }).notNull(),
    state: text().$type<'scheduled' | 'missed' | 'made'>().notNull().default('scheduled'),
  },
  (t) => [
    primaryKey({ columns: [t.cohort_id, t.n] }),
    index('transfer_rounds_due').on(t.due_on).where(sql`state = 'scheduled'`),
    check('transfer_rounds_state', sql`${t.state} in ('scheduled', 'missed', 'made')`),
  ],
)

/**
 * A disbursement round (section 3). Counters are kept by a trigger on its entries, in the same transaction;
 * `lease_*` and `fence` say which worker may send and write (architecture section 5).
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
    lease_owner: text(),
    lease_until: instant(),
    fence: bigint({ mode: 'number' }).notNull().default(0),
    executed_at: instant(),
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

/** One payment to one recipient in one round (section 3); paid at most once, ever (decisions 4.5). */
export const transferPayrolls = pgTable(
  'transfer_payrolls',
  {
    id: key(),
    payroll_group_id: ref(() => transferPayrollGroups.id).notNull(),
    master_list_id: ref(() => transferMasterList.id).notNull(),
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
    created_at: now(),
    updated_at: now(),
  },
  (t) => [
    unique('transfer_payrolls_once').on(t.payroll_group_id, t.master_list_id),
    index('transfer_payrolls_status').on(t.payroll_group_id, t.status, t.id),
    index('transfer_payrolls_master').on(t.master_list_id),
    check(
      'transfer_payrolls_status',
      sql`${t.status} in ('pending', 'sending', 'success', 'failed', 'unknown')`,
    ),
    check('transfer_payrolls_amount', sql`${t.amount} > 0 and ${t.fees} >= 0`),
    check('transfer_payrolls_written_off', sql`${t.written_off_at} is null or ${t.status} = 'failed'`),
  ],
)

/** One try at one payment. Its key is committed before the first call and sent with every repetition (decisions 4.5). */
export const paymentAttempts = pgTable(
  'payment_attempts',
  {
    id: key(),
    payroll_id: ref(() => transferPayrolls.id).notNull(),
    n: integer().notNull().default(1),
    idempotency_key: uuid().notNull().defaultRandom(),
    state: text().$type<PaymentStatus>().notNull().default('pending'),
    /** How often the instruction was sent or asked about; decides how long to wait before the next time. */
    tries: integer().notNull().default(0),
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
    index('payment_attempts_ask').on(t.ask_at).where(sql`state in ('sending', 'unknown')`),
    check(
      'payment_attempts_state',
      sql`${t.state} in ('pending', 'sending', 'success', 'failed', 'unknown')`,
    ),
  ],
)

/** What the agency says against a final state: for a person, never settled by itself (architecture section 5). */
export const paymentExceptions = pgTable('payment_exceptions', {
  id: key(),
  payroll_id: ref(() => transferPayrolls.id).notNull(),
  attempt_id: ref(() => paymentAttempts.id).notNull(),
  said: text().notNull(),
  resolved: boolean().notNull().default(false),
  created_at: now(),
})

/** A corrected number or name: takes effect when a second person approves it (decisions 4.7). */
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
