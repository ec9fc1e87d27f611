import type { Locale, Text } from '@portal/contracts/sentences'
import type { ChangeKind, CohortChange } from '@portal/contracts/transfers/cohort-changes'
import { sql } from 'kysely'
import { type OutCell, type OutColumn, writeWorkbook } from '../../excel/write.ts'
import { registerExport } from '../../kit/jobs/exports.ts'
import { changesOf, earlierList } from './cohort-changes.service.ts'

export const cohortChangesExport = 'cohort-changes'

const kinds: Record<ChangeKind, Text> = {
  joined: { en: 'New girl', fr: 'Nouvelle élève' },
  left: { en: 'Girl who left', fr: 'Élève partie' },
  amount: { en: 'Amount changed', fr: 'Montant modifié' },
  number: { en: 'Number changed', fr: 'Numéro modifié' },
  name: { en: 'Name changed', fr: 'Nom modifié' },
  held: { en: 'On hold', fr: 'Bloquée' },
  owed: { en: 'Owed from before', fr: 'Arriéré d’avant' },
}

type Column = {
  key: string
  kind: OutColumn['kind']
  label: Text
  value: (row: CohortChange, locale: Locale) => OutCell
}
const columns: Column[] = [
  {
    key: 'kind',
    kind: 'text',
    label: { en: 'Change', fr: 'Changement' },
    value: (row, locale) => kinds[row.kind][locale],
  },
  {
    key: 'student',
    kind: 'text',
    label: { en: 'Student code', fr: 'Code de l’élève' },
    value: (row) => row.student_code,
  },
  {
    key: 'parent',
    kind: 'text',
    label: { en: 'Parent name', fr: 'Nom du parent' },
    value: (row) => `${row.first_name} ${row.last_name}`,
  },
  { key: 'before', kind: 'text', label: { en: 'Before', fr: 'Avant' }, value: (row) => row.before },
  {
    key: 'after',
    kind: 'text',
    label: { en: 'On this list', fr: 'Sur cette liste' },
    value: (row) => row.after,
  },
  {
    key: 'amount_before',
    kind: 'money',
    label: { en: 'Amount before (XOF)', fr: 'Montant avant (F CFA)' },
    value: (row) => row.amount_before,
  },
  {
    key: 'amount_after',
    kind: 'money',
    label: { en: 'Amount on this list (XOF)', fr: 'Montant sur cette liste (F CFA)' },
    value: (row) => row.amount_after,
  },
  {
    key: 'amount',
    kind: 'money',
    label: { en: 'Difference or amount (XOF)', fr: 'Différence ou montant (F CFA)' },
    value: (row) => row.amount,
  },
]

/** Registers the sheet of what changed since the earlier list, in the order of the page. */
export function registerCohortChangesExport() {
  registerExport<{ cohort_id: number }>(cohortChangesExport, {
    allowed: (actor) => actor.can('cohorts.export'),
    subject: ({ cohort_id }) => ({ type: 'cohort', id: cohort_id, filters: {} }),
    write: async (context, { params, locale, path, progress }) => {
      const earlier = await earlierList(context.db, params.cohort_id)
      // One statement, so that all rows are of one moment and agree with the counts of the page.
      const { rows } = await sql<CohortChange>`
        select d.* from ${changesOf(params.cohort_id, earlier?.id ?? 0)} d order by d.id % 10, d.id`.execute(
        context.db,
      )
      await progress(0, rows.length)
      await writeWorkbook(path, {
        name: { en: 'Changes', fr: 'Changements' }[locale],
        columns: columns.map(({ key, kind, label }) => ({ key, kind, header: label[locale] })),
        rows: rows.map((row) => columns.map(({ value }) => value(row, locale))),
      })
      await progress(rows.length, rows.length)
      return { rows: rows.length, columns: columns.map(({ label }) => label) }
    },
  })
}
