import type { Locale, Text } from '@portal/contracts/sentences'
import type { Reconciliation } from '@portal/contracts/transfers/reconciliations'
import { type RawBuilder, sql } from 'kysely'
import { type OutCell, type OutColumn, writeWorkbook } from '../../excel/write.ts'
import { registerExport } from '../../kit/jobs/exports.ts'
import {
  type ReconciliationFilters,
  reconciliationColumns,
  reconciliationFilter,
  reconciliationTables,
} from './reconciliations.service.ts'

export const reconciliationsExport = 'reconciliations'

const statuses: Record<Reconciliation['status'], Text> = {
  pending: { en: 'To approve', fr: 'À approuver' },
  approved: { en: 'Approved', fr: 'Approuvée' },
  rejected: { en: 'Rejected', fr: 'Rejetée' },
  error: { en: 'Payment error', fr: 'Erreur de paiement' },
}

const closed: Text = { en: 'Closed', fr: 'Clôturée' }

type Column = {
  key: string
  kind: OutColumn['kind']
  label: Text
  value: (row: Reconciliation, locale: Locale) => OutCell
}

/** Expected is the sum of disbursed, arrears, pending and written off; pending includes unknown, as on the page. */
const columns: Column[] = [
  { key: 'name', kind: 'text', label: { en: 'Cohort', fr: 'Cohorte' }, value: (row) => row.name },
  { key: 'from', kind: 'date', label: { en: 'Start date', fr: 'Date de début' }, value: (row) => row.from },
  { key: 'to', kind: 'date', label: { en: 'End date', fr: 'Date de fin' }, value: (row) => row.to },
  {
    key: 'agency',
    kind: 'text',
    label: { en: 'Transfer agency', fr: 'Agence de transfert' },
    value: (row) => row.transfer_agency.name,
  },
  {
    key: 'status',
    kind: 'text',
    label: { en: 'Status', fr: 'Statut' },
    value: (row, locale) => (row.closed ? closed : statuses[row.status])[locale],
  },
  { key: 'rounds', kind: 'whole', label: { en: 'Rounds', fr: 'Tours' }, value: (row) => row.rounds },
  {
    key: 'expected',
    kind: 'money',
    label: { en: 'Expected (XOF)', fr: 'Attendu (F CFA)' },
    value: (row) => row.total_amount_expected,
  },
  {
    key: 'disbursed',
    kind: 'money',
    label: { en: 'Disbursed (XOF)', fr: 'Décaissé (F CFA)' },
    value: (row) => row.total_amount_disbursed,
  },
  {
    key: 'arrears',
    kind: 'money',
    label: { en: 'Arrears (XOF)', fr: 'Arriérés (F CFA)' },
    value: (row) => row.total_amount_arrears,
  },
  {
    key: 'pending',
    kind: 'money',
    label: { en: 'Pending (XOF)', fr: 'En attente (F CFA)' },
    value: (row) => row.total_amount_pending + row.total_amount_unknown,
  },
  {
    key: 'unknown',
    kind: 'money',
    label: { en: 'Of which unknown (XOF)', fr: 'Dont résultat inconnu (F CFA)' },
    value: (row) => row.total_amount_unknown,
  },
  {
    key: 'written_off',
    kind: 'money',
    label: { en: 'Written off (XOF)', fr: 'Passé en perte (F CFA)' },
    value: (row) => row.total_amount_written_off,
  },
  {
    key: 'fees',
    kind: 'money',
    label: { en: 'Fees (XOF)', fr: 'Frais (F CFA)' },
    value: (row) => row.total_amount_fees,
  },
  {
    key: 'payments',
    kind: 'whole',
    label: { en: 'Payments disbursed', fr: 'Paiements décaissés' },
    value: (row) => row.payments_disbursed,
  },
  {
    key: 'payments_confirmed',
    kind: 'whole',
    label: { en: 'Payments confirmed by a statement', fr: 'Paiements confirmés par un relevé' },
    value: (row) => row.payments_confirmed,
  },
  {
    key: 'confirmed',
    kind: 'money',
    label: { en: 'Confirmed by a statement (XOF)', fr: 'Confirmé par un relevé (F CFA)' },
    value: (row) => row.total_amount_confirmed,
  },
]

/** Registers the export of the reconciliations: the cohorts and sums that search and filters leave, newest first. */
export function registerReconciliationsExport() {
  registerExport<ReconciliationFilters>(reconciliationsExport, {
    allowed: (actor) => actor.can('payrolls.export'),
    subject: (filters) => ({ type: 'reconciliation', id: null, filters }),
    write: async (context, { params, locale, path, progress }) => {
      const where = reconciliationFilter(params).filter((condition): condition is RawBuilder<unknown> =>
        Boolean(condition),
      )
      // One statement, so that all sums are of one moment. A programme has some hundred cohorts.
      const { rows } = await sql<Reconciliation>`
        select ${reconciliationColumns} from ${reconciliationTables(params)}
        where ${sql.join(where, sql` and `)} order by c.created_at desc, c.id desc`.execute(context.db)
      await progress(0, rows.length)
      await writeWorkbook(path, {
        name: { en: 'Reconciliations', fr: 'Rapprochements' }[locale],
        columns: columns.map(({ key, kind, label }) => ({ key, kind, header: label[locale] })),
        rows: rows.map((row) => columns.map(({ value }) => value(row, locale))),
      })
      await progress(rows.length, rows.length)
      return { rows: rows.length, columns: columns.map(({ label }) => label) }
    },
  })
}
