import { type Locale, say as sentence } from '@portal/contracts/sentences'
import { reportedDifferences, type StatementReport } from '@portal/contracts/transfers/statement-report'
import type { Finding } from '@portal/contracts/transfers/statements'
import { sql } from 'kysely'
import { type Db, rows } from '../../kit/database/db.ts'
import { conflict } from '../../kit/http/refusals.ts'
import type { Actor } from '../../kit/http/session.ts'
import { say } from './statement.messages.ts'
import { findingColumns, findingTables, readStatementRow } from './statements.service.ts'

/** Reads a statement as a document. One that is not compared yet, or never was, has no report. */
export async function readStatementReport(
  call: { db: Db; actor: Actor; locale: Locale },
  fourEyes: boolean,
  id: number,
): Promise<StatementReport> {
  const { db, locale } = call
  const statement = await readStatementRow(call, fourEyes, id)
  if (statement.state !== 'open' && statement.state !== 'closed') throw conflict(say.noReport)
  const [[facts], differences] = await Promise.all([
    rows(
      db,
      sql<Pick<StatementReport, 'file_hash' | 'commission'>>`
      select s.file_hash, (select coalesce(sum(p.fees), 0)::bigint from statement_findings f
        join transfer_payrolls p on p.id = f.payroll_id
        where f.statement_id = s.id and f.category in ('matched', 'amount', 'fee')) as commission
      from agency_statements s where s.id = ${id}`,
    ),
    rows(
      db,
      sql<Finding>`
      select ${findingColumns} from ${findingTables} where f.statement_id = ${id} and f.category <> 'matched'
      order by f.category, f.id limit ${reportedDifferences}`,
    ),
  ])
  if (!facts) throw new Error('The statement could not be read')
  return {
    ...statement,
    ...facts,
    differences_total: statement.totals.reduce(
      (sum, { category, count }) => (category === 'matched' ? sum : sum + count),
      0,
    ),
    differences: differences.map((row) => ({
      ...row,
      problem: row.problem && sentence(row.problem, locale),
    })),
  }
}
