import type { ShownStatus } from '@portal/contracts/transfers/cohorts'
import { sql } from 'kysely'
import { type ExportTask, registerExport } from '../../kit/jobs/exports.ts'
import type { Context } from '../../kit/process/context.ts'
import type { ListColumn } from '../list-export.ts'
import { shownStatus } from '../payments/shown-status.ts'
import { type Line, lineColumns, writeLines } from './exported-lines.ts'
import { paymentsOfRound } from './round-search.service.ts'

export const payrollExport = 'payroll'

type Params = { payroll_id: number; search?: string; status?: ShownStatus }

const columns: readonly ListColumn<Line>[] = [
  {
    key: 'transaction',
    kind: 'text',
    label: { en: 'Transaction id', fr: 'Identifiant de transaction' },
    value: (line) => line.reference,
  },
  lineColumns.parent,
  lineColumns.number,
  lineColumns.account,
  lineColumns.student,
  {
    key: 'amount',
    kind: 'money',
    label: { en: 'Amount (XOF)', fr: 'Montant (F CFA)' },
    value: (line) => line.amount,
  },
  lineColumns.fees,
  lineColumns.status,
  lineColumns.reason,
  lineColumns.time,
]

/** Registers the export of a round's payments. */
export function registerPayrollExport() {
  registerExport<Params>(payrollExport, {
    allowed: (actor) => actor.can('payrolls.export'),
    subject: ({ payroll_id, ...filters }) => ({ type: 'round', id: payroll_id, filters }),
    write: writePayroll,
  })
}

async function writePayroll({ db }: Context, task: ExportTask<Params>) {
  const { params } = task
  const found = await paymentsOfRound(db, params.payroll_id, params)
  const from = sql`transfer_payrolls e join transfer_master_list m on m.id = e.master_list_id`
  const where = sql.join(found.where, sql` and `)
  const counted = await sql<{ total: number }>`
    select count(*) as total from ${from} where ${where}`.execute(db)
  return writeLines<Line>(db, task, {
    name: { en: 'Payroll', fr: 'État de paiement' },
    columns,
    total: counted.rows[0]?.total ?? 0,
    page: (after) => sql`
      select e.master_list_id as id, e.receiver_first_name, e.receiver_last_name, e.receiver_phone_number, e.receiver_account, m.student_code,
        e.amount, e.fees, e.external_trx_id as reference, e.failure_reason, e.updated_at as at,
        ${shownStatus(sql`e`)} as status
      from ${from} where ${where} and e.master_list_id > ${after} order by e.master_list_id limit 1000`,
  })
}
