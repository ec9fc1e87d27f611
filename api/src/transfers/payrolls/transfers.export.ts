import type { ListStatus, MasterListFilters, ShownStatus } from '@portal/contracts/cohorts'
import { failureReason } from '@portal/contracts/failure-reasons'
import type { NameState } from '@portal/contracts/name-outcomes'
import { nameStateWords } from '@portal/contracts/name-words'
import type { Locale, Text } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { type OutColumn, writeWorkbook } from '../../excel/write.ts'
import type { Context } from '../../kit/context.ts'
import type { Db } from '../../kit/db.ts'
import { registerExport } from '../../kit/exports.ts'
import { batches } from '../../kit/keyset.ts'
import { listedNumber, recipientNames, rowStatus, rowsOfList } from '../cohorts/master-list.service.ts'
import { answerOf } from '../names/name-answers.service.ts'
import { shownStatus, statusWords } from '../payments/shown-status.ts'
import { paymentsOfRound } from './round-search.service.ts'

export const cohortExport = 'cohort-master-list'
export const payrollExport = 'payroll'

const labels = {
  parent: { en: 'Parent name', fr: 'Nom du parent' },
  number: { en: 'Recipient number', fr: 'Numéro du destinataire' },
  account: { en: 'Account', fr: 'Compte' },
  listed: { en: 'Corrected, before', fr: 'Corrigé, avant' },
  student: { en: 'Student code', fr: 'Code de l’élève' },
  sent: { en: 'Sent amount (XOF)', fr: 'Montant envoyé (F CFA)' },
  fees: { en: 'Fees (XOF)', fr: 'Frais (F CFA)' },
  expected: { en: 'Expected amount (XOF)', fr: 'Montant attendu (F CFA)' },
  amount: { en: 'Amount (XOF)', fr: 'Montant (F CFA)' },
  reference: { en: 'Reference id', fr: 'Référence' },
  transaction: { en: 'Transaction id', fr: 'Identifiant de transaction' },
  status: { en: 'Status', fr: 'Statut' },
  reason: { en: 'Reason of failure', fr: 'Motif de l’échec' },
  name: { en: 'Name at the agency', fr: 'Nom à l’agence' },
  time: { en: 'Timestamp', fr: 'Horodatage' },
} satisfies Record<string, Text>

type Layout = [keyof typeof labels, OutColumn['kind']][]
const columns = (locale: Locale, layout: Layout): OutColumn[] =>
  layout.map(([key, kind]) => ({ key, header: labels[key][locale], kind }))
const labelsOf = (layout: Layout): Text[] => layout.map(([key]) => labels[key])
const listColumns: Layout = [
  ['parent', 'text'],
  ['number', 'text'],
  ['account', 'text'],
  ['listed', 'text'],
  ['student', 'text'],
  ['sent', 'money'],
  ['fees', 'money'],
  ['expected', 'money'],
  ['name', 'text'],
  ['reference', 'text'],
  ['status', 'text'],
  ['reason', 'text'],
  ['time', 'datetime'],
]
const payrollColumns: Layout = [
  ['transaction', 'text'],
  ['parent', 'text'],
  ['number', 'text'],
  ['account', 'text'],
  ['student', 'text'],
  ['amount', 'money'],
  ['fees', 'money'],
  ['status', 'text'],
  ['reason', 'text'],
  ['time', 'datetime'],
]

type Line = {
  id: number
  receiver_first_name: string
  receiver_last_name: string
  receiver_phone_number: string | null
  receiver_account: string | null
  student_code: string
  amount: number
  fees: number
  reference: string | null
  status: ListStatus
  failure_reason: string | null
  at: string
}
type ListLine = Line & { name_state: NameState; listed_number: string | null }

/** Reads a list, a thousand rows at a time. */
async function* linesOf<L extends Line = Line>(
  db: Db,
  page: (after: number) => ReturnType<typeof sql>,
): AsyncGenerator<L> {
  const read = async (after: number) => (await page(after).$castTo<L>().execute(db)).rows
  for await (const lines of batches(read, ({ id }) => id)) yield* lines
}

async function* counted<T>(
  rows: AsyncIterable<T>,
  total: number,
  progress: (done: number, total: number) => Promise<void>,
) {
  let done = 0
  for await (const row of rows) {
    yield row
    done += 1
    if (done % 500 === 0) await progress(done, total)
  }
  await progress(done, total)
}

const fullName = (line: Line) => `${line.receiver_first_name} ${line.receiver_last_name}`

/** Registers the two exports: a cohort's master list, and a round's payments. */
export function registerTransferExports() {
  registerExport<{ cohort_id: number; search?: string } & MasterListFilters>(cohortExport, {
    allowed: (actor) => actor.can('cohorts.export'),
    subject: ({ cohort_id, ...filters }) => ({ type: 'cohort', id: cohort_id, filters }),
    write: async (context: Context, { params, locale, path, progress }) => {
      const { rows } = await sql<{ id: number }>`
      select coalesce(max(r.id), 0) as id from transfer_payroll_groups r
      where r.cohort_id = ${params.cohort_id} and not round_is_missed(r.cohort_id, r.n)`.execute(context.db)
      const from = sql`transfer_master_list m join transfer_cohorts c on c.id = m.cohort_id
        left join transfer_payrolls e on e.master_list_id = m.id and e.payroll_group_id = ${rows[0]?.id ?? 0}`
      const where = sql.join(rowsOfList(params.cohort_id, params), sql` and `)
      const { rows: all } = await sql<{
        total: number
      }>`select count(*) as total from ${from} where ${where}`.execute(context.db)
      const lines = linesOf<ListLine>(
        context.db,
        (after) => sql`
      select m.id, ${recipientNames}, r.phone as receiver_phone_number, r.account as receiver_account,
        ${listedNumber} as listed_number, m.student_code, m.amount, m.fees, e.external_trx_id as reference, ${rowStatus} as status, e.failure_reason,
        coalesce((select n.outcome from ${answerOf(sql`m.id`, sql`c.transfer_agency_id`)} n), 'unchecked') as name_state,
        coalesce(e.updated_at, m.created_at) as at
      from ${from} cross join lateral recipient_of(m.id) r where ${where} and m.id > ${after} order by m.id limit 1000`,
      )
      const written = await writeWorkbook(path, {
        name: { en: 'Master list', fr: 'Liste nominative' }[locale],
        columns: columns(locale, listColumns),
        rows: mapped(counted(lines, all[0]?.total ?? 0, progress), (line) => [
          fullName(line),
          line.receiver_phone_number,
          line.receiver_account,
          line.listed_number,
          line.student_code,
          line.amount + line.fees,
          line.fees,
          line.amount,
          nameStateWords[line.name_state][locale],
          line.reference,
          statusWords[line.status][locale],
          line.failure_reason && failureReason(line.failure_reason, locale),
          line.at,
        ]),
      })
      return { rows: written, columns: labelsOf(listColumns) }
    },
  })

  registerExport<{ payroll_id: number; search?: string; status?: ShownStatus }>(payrollExport, {
    allowed: (actor) => actor.can('payrolls.export'),
    subject: ({ payroll_id, ...filters }) => ({ type: 'round', id: payroll_id, filters }),
    write: async (context: Context, { params, locale, path, progress }) => {
      const found = await paymentsOfRound(context.db, params.payroll_id, params)
      const where = sql.join(found.where, sql` and `)
      const { rows } = await sql<{
        total: number
      }>`
        select count(*) as total from transfer_payrolls e join transfer_master_list m on m.id = e.master_list_id
        where ${where}`.execute(context.db)
      const lines = linesOf(
        context.db,
        (after) => sql`
      select e.master_list_id as id, e.receiver_first_name, e.receiver_last_name, e.receiver_phone_number, e.receiver_account, m.student_code,
        e.amount, e.fees, e.external_trx_id as reference, e.failure_reason, e.updated_at as at,
        ${shownStatus(sql`e`)} as status
      from transfer_payrolls e join transfer_master_list m on m.id = e.master_list_id
      where ${where} and e.master_list_id > ${after} order by e.master_list_id limit 1000`,
      )
      const written = await writeWorkbook(path, {
        name: { en: 'Payroll', fr: 'État de paiement' }[locale],
        columns: columns(locale, payrollColumns),
        rows: mapped(counted(lines, rows[0]?.total ?? 0, progress), (line) => [
          line.reference,
          fullName(line),
          line.receiver_phone_number,
          line.receiver_account,
          line.student_code,
          line.amount,
          line.fees,
          statusWords[line.status][locale],
          line.failure_reason && failureReason(line.failure_reason, locale),
          line.at,
        ]),
      })
      return { rows: written, columns: labelsOf(payrollColumns) }
    },
  })
}

async function* mapped<T, R>(rows: AsyncIterable<T>, to: (row: T) => R): AsyncGenerator<R> {
  for await (const row of rows) yield to(row)
}
