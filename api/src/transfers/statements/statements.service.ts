import type { AnswerOf, QueryOf } from '@portal/contracts/endpoint'
import type { Page } from '@portal/contracts/fields'
import { fill, type Locale, say as sentence, type Text } from '@portal/contracts/sentences'
import type { Finding, OpenedStatement, Statement, statements } from '@portal/contracts/transfers/statements'
import { type RawBuilder, sql } from 'kysely'
import { type Db, rows } from '../../kit/database/db.ts'
import { type List, matches, paged } from '../../kit/database/paging.ts'
import { notFound } from '../../kit/http/refusals.ts'
import type { Actor } from '../../kit/http/session.ts'
import { signBar } from './statement-decision.service.ts'

type Row = Omit<Statement, 'problem'> & { problem: Text | null }

const nameOf = (user: 'u' | 'e') =>
  sql`jsonb_build_object('first_name', ${sql.ref(user)}.first_name, 'last_name', ${sql.ref(user)}.last_name)`

const columns = sql`s.id, jsonb_build_object('id', a.id, 'name', a.name, 'fees', a.fees) as transfer_agency, s."from", s."to",
  s.format, s.state, s.file_name, s.lines_read, s.lines_repeated, s.problem, s.corrects_id,
  (select k.id from agency_statements k where k.corrects_id = s.id and k.state not in ('failed', 'withdrawn')) as corrected_by_id,
  ${nameOf('u')} as "user", s.created_at, case when e.id is not null then ${nameOf('e')} end as ended_by, s.ended_at, s.version,
  (select coalesce(jsonb_agg(to_jsonb(t) - 'statement_id' order by t.category), '[]') from statement_totals t
    where t.statement_id = s.id) as totals`

const tables = sql`agency_statements s join transfer_agencies a on a.id = s.agency_id join users u on u.id = s.user_id
  left join users e on e.id = s.ended_by`

const inWords = (row: Row, locale: Locale): Statement => ({
  ...row,
  problem: row.problem && fill(row.problem, locale),
})

/** Statements with the sums of their categories, newest first by default. */
export async function listStatements(
  db: Db,
  locale: Locale,
  query: QueryOf<typeof statements.list>,
): Promise<AnswerOf<typeof statements.list>> {
  const page = await paged<Row>(db, query, statementsOf(query))
  return { statements: { ...page, data: page.data.map((row) => inWords(row, locale)) } }
}

/** The statements, for the list and its export. */
export function statementsOf(query: QueryOf<typeof statements.list>): List {
  return {
    columns,
    from: tables,
    where: [
      matches(sql`portal_search(s.file_name || ' ' || a.name)`, query.search),
      query.transfer_agency_id && sql`s.agency_id = ${query.transfer_agency_id}`,
      query.state && sql`s.state = ${query.state}`,
      query.from && sql`s."to" >= ${query.from}::date`,
      query.to && sql`s."from" <= ${query.to}::date`,
    ],
    sort: { created_at: sql`s.created_at`, from: sql`s."from"` },
    order: '-created_at',
    key: sql`s.id`,
  }
}

/** One statement, and what keeps the reader from signing it. */
export async function readStatementRow(
  call: { db: Db; actor: Actor; locale: Locale },
  fourEyes: boolean,
  id: number,
): Promise<OpenedStatement> {
  const { db, actor, locale } = call
  const [row] = await rows(db, sql<Row>`select ${columns} from ${tables} where s.id = ${id}`)
  if (!row) throw notFound()
  const open = row.totals.reduce(
    (sum, { category, count, resolved }) => (category === 'matched' ? sum : sum + count - resolved),
    0,
  )
  const bar = row.state === 'open' ? await signBar(db, actor, fourEyes, id) : null
  return { ...inWords(row, locale), open, barred: bar && fill(bar.text, locale, ...bar.parts) }
}

type Filters = Pick<QueryOf<typeof statements.findings>, 'category' | 'resolved'> & { search?: string }

/** The tables of findings. The export uses them too. */
export const findingTables = sql`statement_findings f left join statement_lines l on l.id = f.line_id
  left join transfer_payrolls p on p.id = f.payroll_id left join transfer_payroll_groups g on g.id = p.payroll_group_id
  left join transfer_cohorts c on c.id = g.cohort_id left join statement_resolutions r on r.id = f.resolution_id
  left join users u on u.id = r.user_id`

/** What a finding shows: the line as the agency wrote it, or the payment that no line has. */
export const findingColumns = sql`f.id, f.category, f.cause, l.problem, l."row", coalesce(l.reference, p.reference) as reference,
  coalesce(l.transaction_id, p.external_trx_id) as transaction_id,
  case when l.id is null then number_at((select a.type from agency_statements s join transfer_agencies a on a.id = s.agency_id
    where s.id = f.statement_id), p.receiver_phone_number, p.receiver_account) else l.number end as number,
  case when l.id is null then p.receiver_first_name || ' ' || p.receiver_last_name else l.name end as name,
  case when l.id is null then (select (t.settled_at at time zone 'utc')::date from payment_attempts t
    where t.payroll_id = p.id and t.state = 'success') else l.day end as day,
  f.their_amount, f.our_amount, f.their_fee, f.expected_fee, f.payroll_id, p.payroll_group_id, c.name as cohort_name, r.reason,
  case when u.id is not null then ${nameOf('u')} end as resolved_by`

/** The conditions of the list of findings and of its export. */
export const findingFilter = (id: number, { category, resolved, search = '' }: Filters) =>
  [
    sql`f.statement_id = ${id}`,
    category && sql`f.category = ${category}`,
    resolved && sql`(f.resolution_id is not null) = ${resolved === 'true'}`,
    matches(
      sql`portal_search(concat_ws(' ', l.reference, l.transaction_id, l.number, l.name, p.reference, p.external_trx_id,
        p.receiver_phone_number, p.receiver_account, p.receiver_first_name, p.receiver_last_name))`,
      search,
    ),
  ].filter((condition): condition is RawBuilder<unknown> => Boolean(condition))

/** The lines and payments of a statement. */
export async function listFindings(
  db: Db,
  locale: Locale,
  id: number,
  query: QueryOf<typeof statements.findings>,
): Promise<Page<Finding>> {
  const found = await rows(db, sql`select id from agency_statements where id = ${id}`)
  if (found.length === 0) throw notFound()
  const page = await paged<Finding>(db, query, {
    columns: findingColumns,
    from: findingTables,
    where: findingFilter(id, query),
    sort: { id: sql`f.id`, their_amount: sql`f.their_amount`, our_amount: sql`f.our_amount` },
    order: 'id',
    key: sql`f.id`,
  })
  return {
    ...page,
    data: page.data.map((row) => ({ ...row, problem: row.problem && sentence(row.problem, locale) })),
  }
}
