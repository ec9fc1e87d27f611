import type { MasterListFilters } from '@portal/contracts/transfers/cohorts'
import type { NameState } from '@portal/contracts/transfers/name-outcomes'
import { nameStateWords } from '@portal/contracts/transfers/name-words'
import { sql } from 'kysely'
import type { Db } from '../../kit/database/db.ts'
import { type ExportTask, registerExport } from '../../kit/jobs/exports.ts'
import type { Context } from '../../kit/process/context.ts'
import { listedNumber, recipientNames, rowStatus, rowsOfList } from '../cohorts/master-list.service.ts'
import type { ListColumn } from '../list-export.ts'
import { answerOf } from '../names/name-answers.service.ts'
import { type Line, lineColumns, writeLines } from './exported-lines.ts'

export const masterListExport = 'cohort-master-list'

type Params = { cohort_id: number; search?: string } & MasterListFilters
type ListLine = Line & { name_state: NameState; listed_number: string | null }

const columns: readonly ListColumn<ListLine>[] = [
  lineColumns.parent,
  lineColumns.number,
  lineColumns.account,
  {
    key: 'listed',
    kind: 'text',
    label: { en: 'Corrected, before', fr: 'Corrigé, avant' },
    value: (line) => line.listed_number,
  },
  lineColumns.student,
  {
    key: 'sent',
    kind: 'money',
    label: { en: 'Sent amount (XOF)', fr: 'Montant envoyé (F CFA)' },
    value: (line) => line.amount + line.fees,
  },
  lineColumns.fees,
  {
    key: 'expected',
    kind: 'money',
    label: { en: 'Expected amount (XOF)', fr: 'Montant attendu (F CFA)' },
    value: (line) => line.amount,
  },
  {
    key: 'name',
    kind: 'text',
    label: { en: 'Name at the agency', fr: 'Nom à l’agence' },
    value: (line, locale) => nameStateWords[line.name_state][locale],
  },
  {
    key: 'reference',
    kind: 'text',
    label: { en: 'Reference id', fr: 'Référence' },
    value: (line) => line.reference,
  },
  lineColumns.status,
  lineColumns.reason,
  lineColumns.time,
]

/** Registers the export of a cohort's master list, with where each payment of its latest round stands. */
export function registerMasterListExport() {
  registerExport<Params>(masterListExport, {
    allowed: (actor) => actor.can('cohorts.export'),
    subject: ({ cohort_id, ...filters }) => ({ type: 'cohort', id: cohort_id, filters }),
    write: writeMasterList,
  })
}

async function writeMasterList({ db }: Context, task: ExportTask<Params>) {
  const { params } = task
  const round = await latestRound(db, params.cohort_id)
  const from = sql`transfer_master_list m join transfer_cohorts c on c.id = m.cohort_id
    left join transfer_payrolls e on e.master_list_id = m.id and e.payroll_group_id = ${round}`
  const where = sql.join(rowsOfList(params.cohort_id, params), sql` and `)
  const counted = await sql<{ total: number }>`
    select count(*) as total from ${from} where ${where}`.execute(db)
  return writeLines<ListLine>(db, task, {
    name: { en: 'Master list', fr: 'Liste nominative' },
    columns,
    total: counted.rows[0]?.total ?? 0,
    page: (after) => sql`
      select m.id, ${recipientNames}, r.phone as receiver_phone_number, r.account as receiver_account,
        ${listedNumber} as listed_number, m.student_code, m.amount, m.fees, e.external_trx_id as reference, ${rowStatus} as status, e.failure_reason,
        coalesce((select n.outcome from ${answerOf(sql`m.id`, sql`c.transfer_agency_id`)} n), 'unchecked') as name_state,
        coalesce(e.updated_at, m.created_at) as at
      from ${from} cross join lateral recipient_of(m.id) r where ${where} and m.id > ${after} order by m.id limit 1000`,
  })
}

/** The id of the latest round that was made; 0 if there is none. */
async function latestRound(db: Db, cohortId: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select coalesce(max(r.id), 0) as id from transfer_payroll_groups r
    where r.cohort_id = ${cohortId} and not round_is_missed(r.cohort_id, r.n)`.execute(db)
  return rows[0]?.id ?? 0
}
