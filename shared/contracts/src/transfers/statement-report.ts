import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { Finding, OpenedStatement } from './statements.ts'

/** How many differences a report has at most; the workbook has all lines. */
export const reportedDifferences = 1000

/** A statement as a document: what was compared, every difference with its decision, and who answers for it. */
export const StatementReport = v.object({
  ...OpenedStatement.entries,
  /** SHA-256 of the content of the file. */
  file_hash: v.string(),
  /** The programme's commission on the payments that lines of the statement have. */
  commission: v.number(),
  differences_total: v.number(),
  differences: v.array(Finding),
})
export type StatementReport = v.InferOutput<typeof StatementReport>

/** The call has its own file, so that the list of statements loads without it. */
export const statementReport = {
  read: endpoint({
    method: 'GET',
    path: '/admin/transfers/statements/:id/report',
    access: 'transfers.view',
    answer: v.object({ report: StatementReport }),
  }),
}
