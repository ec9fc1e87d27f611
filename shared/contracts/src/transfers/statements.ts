import * as v from 'valibot'
import { daysInOrder } from '../days-in-order.ts'
import { endpoint } from '../endpoint.ts'
import { day, done, id, instant, listQuery, PersonName, page, required, searched, upload } from '../fields.ts'
import { headingsField } from '../imports/headings.ts'
import { exportStarted } from '../registers/register-fields.ts'

/** Whole francs. */
const money = v.number()
const count = v.number()

/** `queued → reading → open → closed`; a file that cannot be read is `failed`, a wrong one is `withdrawn` (Money 9). */
export const statementStates = ['queued', 'reading', 'open', 'closed', 'withdrawn', 'failed'] as const
export type StatementState = (typeof statementStates)[number]

/** What an agency's file can be. */
const statementFormats = ['xlsx', 'csv', 'camt', 'pain'] as const
export type StatementFormat = (typeof statementFormats)[number]

/** How a line of the agency and a payment of ours compare (Money 9.3). Each line is in one of these. */
export const findingCategories = ['matched', 'amount', 'theirs', 'ours', 'fee'] as const
export type FindingCategory = (typeof findingCategories)[number]

/** Why a line has no payment of ours. */
const findingCauses = ['unreadable', 'unknown', 'not_paid', 'already'] as const
export type FindingCause = (typeof findingCauses)[number]

/** The sums of a category. */
export const StatementTotal = v.object({
  category: v.picklist(findingCategories),
  count,
  resolved: count,
  /** What the agency says that it paid. */
  their_amount: money,
  /** What the portal paid. */
  our_amount: money,
  their_fees: money,
  /** The fees of the agency's tariff. */
  expected_fees: money,
})
export type StatementTotal = v.InferOutput<typeof StatementTotal>

/** A statement of an agency with the sums of its comparison. */
export const Statement = v.object({
  id: v.number(),
  transfer_agency: v.object({ id: v.number(), name: v.string(), fees: v.number() }),
  from: v.string(),
  to: v.string(),
  format: v.picklist(statementFormats),
  state: v.picklist(statementStates),
  file_name: v.string(),
  lines_read: count,
  lines_repeated: count,
  /** Why its file could not be read. */
  problem: v.nullable(v.string()),
  /** The statement that it replaces, and the one that replaces it. */
  corrects_id: v.nullable(v.number()),
  corrected_by_id: v.nullable(v.number()),
  user: PersonName,
  created_at: instant,
  ended_by: v.nullable(PersonName),
  ended_at: v.nullable(instant),
  version: v.number(),
  totals: v.array(StatementTotal),
})
export type Statement = v.InferOutput<typeof Statement>

/** A statement on its own page. */
export const OpenedStatement = v.object({
  ...Statement.entries,
  /** Differences that nobody has resolved. */
  open: count,
  /** Why the reader cannot sign it now; null if nothing keeps from it. */
  barred: v.nullable(v.string()),
})
export type OpenedStatement = v.InferOutput<typeof OpenedStatement>

/** What the withdrawal of a statement deletes, leaves and sets free (Money 9.4). */
export const StatementWithdrawal = v.object({
  lines: count,
  /** Differences whose resolution is deleted. */
  resolved: count,
  /** Payments of a bank's file, or of a round that was paid before, that its lines settled. They stay paid. */
  settled: count,
  /** Payments that the making of a bank's file found on it and left to evidence. They still wait for it. */
  waiting: count,
  /** Failed payments that are in doubt because of it, and of nothing else. */
  freed: count,
  /** Why it cannot be withdrawn. */
  barred: v.nullable(v.string()),
})
export type StatementWithdrawal = v.InferOutput<typeof StatementWithdrawal>

/** A line, a payment, or both. */
export const Finding = v.object({
  id: v.number(),
  category: v.picklist(findingCategories),
  cause: v.nullable(v.picklist(findingCauses)),
  /** What is wrong with a line that cannot be read. */
  problem: v.nullable(v.string()),
  /** The row of the file. */
  row: v.nullable(v.number()),
  reference: v.nullable(v.string()),
  transaction_id: v.nullable(v.string()),
  number: v.nullable(v.string()),
  name: v.nullable(v.string()),
  day: v.nullable(v.string()),
  their_amount: v.nullable(money),
  our_amount: v.nullable(money),
  their_fee: v.nullable(money),
  expected_fee: v.nullable(money),
  payroll_id: v.nullable(v.number()),
  payroll_group_id: v.nullable(v.number()),
  cohort_name: v.nullable(v.string()),
  /** Why it was resolved, and by whom. */
  reason: v.nullable(v.string()),
  resolved_by: v.nullable(PersonName),
})
export type Finding = v.InferOutput<typeof Finding>

/** The columns of a statement. A day and an amount are needed, the others as the agency has them. */
export const statementColumns = [
  'reference',
  'transaction_id',
  'number',
  'name',
  'amount',
  'fee',
  'day',
] as const
export type StatementColumn = (typeof statementColumns)[number]

const period = { from: day, to: day }

/** The first rows of a file, with the column of each heading as the portal would read it. */
export const StatementPreview = v.object({
  format: v.picklist(statementFormats),
  /** The headings of the file; none where the format itself says what is what. */
  headings: v.array(v.object({ heading: v.string(), column: v.nullable(v.picklist(statementColumns)) })),
  rows: v.array(v.array(v.string())),
  /** The version of the mapping that was remembered for the agency. */
  mapping_version: v.nullable(v.number()),
  /** Why the file cannot be read with these columns. */
  problem: v.nullable(v.string()),
})
export type StatementPreview = v.InferOutput<typeof StatementPreview>

const StatementFile = v.object({ statement_file: upload, transfer_agency_id: id, headings: headingsField })

/** The upload of a statement. */
export const StatementUpload = v.object({
  ...StatementFile.entries,
  ...period,
  /** The closed statement that it replaces. */
  corrects_id: v.optional(id),
})
export type StatementUpload = v.InferOutput<typeof StatementUpload>

const findingFilters = {
  category: v.optional(v.picklist(findingCategories)),
  resolved: v.optional(v.picklist(['true', 'false'])),
}

/** Which differences a person resolves, and why: those that were chosen, or all that are open in a category. */
export const StatementResolution = v.pipe(
  v.object({
    finding_ids: v.optional(
      v.pipe(v.array(id, 'choose'), v.minLength(1, 'choose'), v.maxLength(500, 'too_many_chosen|500')),
    ),
    category: v.optional(v.picklist(['amount', 'theirs', 'ours', 'fee'], 'choose')),
    reason: v.pipe(required, v.maxLength(500, 'too_long|500')),
  }),
  v.forward(
    v.check(
      ({ finding_ids, category }) => (finding_ids === undefined) !== (category === undefined),
      'choose',
    ),
    ['finding_ids'],
  ),
)
export type StatementResolution = v.InferOutput<typeof StatementResolution>

/** The calls on statements of agencies. */
export const statements = {
  /** Statements of whose period a day is in the wanted one. */
  list: endpoint({
    method: 'GET',
    path: '/admin/transfers/statements',
    access: 'transfers.view',
    query: v.pipe(
      listQuery(['created_at', 'from'], {
        transfer_agency_id: v.optional(id),
        state: v.optional(v.picklist(statementStates)),
        from: v.optional(day),
        to: v.optional(day),
      }),
      daysInOrder(),
    ),
    answer: v.object({ statements: page(Statement) }),
  }),
  /** Reads headings and first rows of a file. Nothing is stored. */
  preview: endpoint({
    method: 'POST',
    path: '/admin/transfers/statements/preview',
    access: 'statements.import',
    body: StatementFile,
    multipart: true,
    answer: StatementPreview,
  }),
  /** A file that the agency's statements have already answers with its statement and changes nothing. */
  create: endpoint({
    method: 'POST',
    path: '/admin/transfers/statements',
    access: 'statements.import',
    body: StatementUpload,
    multipart: true,
    answer: v.object({ message: v.string(), statement: v.object({ id: v.number() }) }),
  }),
  read: endpoint({
    method: 'GET',
    path: '/admin/transfers/statements/:id',
    access: 'transfers.view',
    answer: v.object({ statement: OpenedStatement }),
  }),
  findings: endpoint({
    method: 'GET',
    path: '/admin/transfers/statements/:id/findings',
    access: 'transfers.view',
    query: listQuery(['id', 'their_amount', 'our_amount'], findingFilters),
    answer: v.object({ findings: page(Finding) }),
  }),
  resolve: endpoint({
    method: 'POST',
    path: '/admin/transfers/statements/:id/resolve',
    access: 'statements.import',
    body: StatementResolution,
    answer: v.object({ message: v.string(), resolved: count }),
  }),
  /** Signs a statement without open differences, and so closes it for good. */
  sign: endpoint({
    method: 'POST',
    path: '/admin/transfers/statements/:id/sign',
    access: 'statements.sign',
    fresh: true,
    body: v.object({ version: v.number('required') }),
    answer: done,
  }),
  withdrawal: endpoint({
    method: 'GET',
    path: '/admin/transfers/statements/:id/withdrawal',
    access: 'statements.import',
    answer: StatementWithdrawal,
  }),
  /** Takes back a statement that is not closed, with its lines. */
  withdraw: endpoint({
    method: 'POST',
    path: '/admin/transfers/statements/:id/withdraw',
    access: 'statements.import',
    body: v.object({ reason: v.pipe(required, v.maxLength(500, 'too_long|500')) }),
    answer: done,
  }),
  /** All lines and payments of a statement, or those that search and filters of the list leave. */
  export: endpoint({
    method: 'POST',
    path: '/admin/transfers/statements/export',
    access: 'payrolls.export',
    body: v.object({
      statement_id: id,
      search: searched,
      ...findingFilters,
    }),
    answer: exportStarted,
  }),
}
