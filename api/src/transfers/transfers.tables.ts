import type { Protocol } from '@portal/contracts/agencies'
import type { CohortStatus } from '@portal/contracts/cohorts'
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
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
import { version } from '../kit/columns.ts'
import { students } from '../registers/students.tables.ts'

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
export const key = () => bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity()
export const ref = (to: () => AnyPgColumn) => bigint({ mode: 'number' }).references(to)
export const francs = () => bigint({ mode: 'number' })
export const instant = () => timestamp({ withTimezone: true, mode: 'string' })
export const now = () => instant().notNull().defaultNow()
export const counter = () => integer().notNull().default(0)
export const sum = () => bigint({ mode: 'number' }).notNull().default(0)

/** Who moves the money. Secrets stand sealed in `secrets`, never in `details` (Money 7.2). */
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
    version: version(),
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

/** How much, how often, at what commission. Never edited: only activated and deactivated. */
export const transferParameters = pgTable(
  'transfer_parameters',
  {
    id: key(),
    name: text().notNull(),
    description: text().notNull(),
    /** Hundredths of a percent (Money 1.4). */
    commission_hundredths: integer().notNull(),
    amount: francs().notNull(),
    currency: text().notNull().default('XOF'),
    frequency: integer().notNull(),
    status: text().$type<'active' | 'inactive'>().notNull().default('active'),
    version: version(),
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

/** A target list with its period. Listed only once its import is `imported` (Imports 4.3). */
export const transferCohorts = pgTable(
  'transfer_cohorts',
  {
    id: key(),
    /** Random: keys and references of payments are derived from it (Money 4.5). */
    public_id: uuid().notNull().defaultRandom(),
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
    /** Set by a trigger when Retry or Resume opens it again: what is unknown is asked about first. */
    reopened_at: instant(),
    created_at: now(),
  },
  (t) => [
    unique('transfer_cohorts_import').on(t.import_id),
    unique('transfer_cohorts_public_id').on(t.public_id),
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

/** One recipient of a cohort. */
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
    /** Expected per round, whole francs; `total_amount` = `amount` + `fees` is what it costs (Money 1.5). */
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

/** The plan of a cohort's rounds, written at approval (Money 2.4). */
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
