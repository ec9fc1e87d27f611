import { type Locale, say as sentence, type Text } from '@portal/contracts/sentences'
import { findingCategoryWords, findingCauseWords } from '@portal/contracts/transfers/statement-words'
import type { Finding, FindingCategory } from '@portal/contracts/transfers/statements'
import { sql } from 'kysely'
import { type OutCell, type OutColumn, writeWorkbook } from '../../excel/write.ts'
import type { Reader } from '../../kit/database/db.ts'
import { notFound } from '../../kit/http/refusals.ts'
import { registerExport } from '../../kit/jobs/exports.ts'
import { exportName } from '../export-names.ts'
import { findingColumns, findingFilter, findingTables } from './statements.service.ts'

export const statementExport = 'statement'

type Params = { id: number; category?: FindingCategory; resolved?: 'true' | 'false'; search?: string }

/** A file name with agency and period. Throws 404 if there is no such statement. */
export async function statementFileName(db: Reader, id: number, category: FindingCategory | undefined) {
  const { rows } = await sql<{ name: string }>`
    select a.name || ' ' || s."from" || ' ' || s."to" as name from agency_statements s
    join transfer_agencies a on a.id = s.agency_id where s.id = ${id}`.execute(db)
  if (!rows[0]) throw notFound()
  return exportName(category ? `statement-${category}` : 'statement', rows[0].name)
}

type Column = Omit<OutColumn, 'header'> & { label: Text; value: (row: Finding, locale: Locale) => OutCell }

const columns: Column[] = [
  {
    key: 'category',
    kind: 'text',
    label: { en: 'Category', fr: 'Catégorie' },
    value: (row, locale) => findingCategoryWords[row.category][locale],
  },
  {
    key: 'cause',
    kind: 'text',
    label: { en: 'Cause', fr: 'Cause' },
    value: (row, locale) =>
      row.problem ? sentence(row.problem, locale) : row.cause && findingCauseWords[row.cause][locale],
  },
  {
    key: 'row',
    kind: 'whole',
    label: { en: 'Row of the file', fr: 'Ligne du fichier' },
    value: (row) => row.row,
  },
  { key: 'day', kind: 'date', label: { en: 'Day', fr: 'Jour' }, value: (row) => row.day },
  {
    key: 'reference',
    kind: 'text',
    label: { en: 'Reference', fr: 'Référence' },
    value: (row) => row.reference,
  },
  {
    key: 'transaction_id',
    kind: 'text',
    label: { en: 'Transaction id', fr: 'Identifiant de transaction' },
    value: (row) => row.transaction_id,
  },
  {
    key: 'number',
    kind: 'text',
    label: { en: 'Number or account', fr: 'Numéro ou compte' },
    value: (row) => row.number,
  },
  { key: 'name', kind: 'text', label: { en: 'Recipient', fr: 'Destinataire' }, value: (row) => row.name },
  { key: 'cohort', kind: 'text', label: { en: 'Cohort', fr: 'Cohorte' }, value: (row) => row.cohort_name },
  {
    key: 'their_amount',
    kind: 'money',
    label: { en: 'Paid by the statement (XOF)', fr: 'Payé d’après le relevé (F CFA)' },
    value: (row) => row.their_amount,
  },
  {
    key: 'our_amount',
    kind: 'money',
    label: { en: 'Paid by the portal (XOF)', fr: 'Payé d’après le portail (F CFA)' },
    value: (row) => row.our_amount,
  },
  {
    key: 'their_fee',
    kind: 'money',
    label: { en: 'Fee charged (XOF)', fr: 'Frais facturés (F CFA)' },
    value: (row) => row.their_fee,
  },
  {
    key: 'expected_fee',
    kind: 'money',
    label: { en: 'Fee of the tariff (XOF)', fr: 'Frais du tarif (F CFA)' },
    value: (row) => row.expected_fee,
  },
  {
    key: 'reason',
    kind: 'text',
    label: { en: 'Resolved because', fr: 'Résolu car' },
    value: (row) => row.reason,
  },
  {
    key: 'resolved_by',
    kind: 'text',
    label: { en: 'Resolved by', fr: 'Résolu par' },
    value: ({ resolved_by }) => resolved_by && `${resolved_by.first_name} ${resolved_by.last_name}`,
  },
]

const batch = 2000

/** Registers the export of a statement: all its findings, or those of a category. */
export function registerStatementExport() {
  registerExport<Params>(statementExport, {
    allowed: (actor) => actor.can('payrolls.export'),
    subject: ({ id, ...filters }) => ({ type: 'statement', id, filters }),
    write: async ({ db }, { params, locale, path, progress }) => {
      const where = sql.join(findingFilter(params.id, params), sql` and `)
      const { rows: counted } = await sql<{ total: number }>`
        select count(*) as total from ${findingTables} where ${where}`.execute(db)
      const total = counted[0]?.total ?? 0
      let done = 0
      async function* rowsInBatches() {
        for (let after = 0; ; ) {
          const { rows } = await sql<Finding>`
            select ${findingColumns} from ${findingTables} where ${where} and f.id > ${after} order by f.id limit ${batch}`.execute(
            db,
          )
          for (const row of rows) yield columns.map(({ value }) => value(row, locale))
          done += rows.length
          await progress(done, total)
          const last = rows.at(-1)
          if (!last || rows.length < batch) return
          after = last.id
        }
      }
      await writeWorkbook(path, {
        name: { en: 'Statement', fr: 'Relevé' }[locale],
        columns: columns.map(({ key, kind, label }) => ({ key, kind, header: label[locale] })),
        rows: rowsInBatches(),
      })
      return { rows: done, columns: columns.map(({ label }) => label) }
    },
  })
}
