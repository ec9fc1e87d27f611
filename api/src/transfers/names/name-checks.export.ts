import type { Locale, Text } from '@portal/contracts/sentences'
import type { ListedName } from '@portal/contracts/transfers/name-checks'
import { nameStateWords } from '@portal/contracts/transfers/name-words'
import { sql } from 'kysely'
import { type OutCell, type OutColumn, writeWorkbook } from '../../excel/write.ts'
import { registerExport } from '../../kit/jobs/exports.ts'
import { listedName, type NameRow, nameColumns, namesOf, placeOf } from './name-checks.service.ts'

export const namesExport = 'cohort-names'

const within: Record<'true' | 'false', Text> = {
  true: { en: 'yes', fr: 'oui' },
  false: { en: 'no', fr: 'non' },
}

type Column = {
  key: string
  kind: OutColumn['kind']
  label: Text
  value: (row: ListedName, locale: Locale) => OutCell
}
const columns: Column[] = [
  {
    key: 'state',
    kind: 'text',
    label: { en: 'The agency says', fr: 'L’agence dit' },
    value: (row, locale) => nameStateWords[row.state][locale],
  },
  {
    key: 'student',
    kind: 'text',
    label: { en: 'Student code', fr: 'Code de l’élève' },
    value: (row) => row.student_code,
  },
  {
    key: 'name',
    kind: 'text',
    label: { en: 'Name on the list', fr: 'Nom sur la liste' },
    value: (row) => `${row.first_name} ${row.last_name}`,
  },
  {
    key: 'holder',
    kind: 'text',
    label: { en: 'Name at the agency', fr: 'Nom à l’agence' },
    value: (row) => row.holder,
  },
  { key: 'phone', kind: 'text', label: { en: 'Number', fr: 'Numéro' }, value: (row) => row.phone },
  {
    key: 'limits',
    kind: 'text',
    label: { en: 'Within the holder’s limits', fr: 'Dans les limites du titulaire' },
    value: ({ within_limits }, locale) =>
      within_limits === null ? null : within[within_limits ? 'true' : 'false'][locale],
  },
  {
    key: 'answered_at',
    kind: 'text',
    label: { en: 'Checked on', fr: 'Vérifié le' },
    value: (row) => row.answered_at?.slice(0, 10) ?? null,
  },
]

/** Registers the sheet of the names of a list, in the order of the page. */
export function registerNamesExport() {
  registerExport<{ cohort_id: number }>(namesExport, {
    allowed: (actor) => actor.can('cohorts.export'),
    subject: ({ cohort_id }) => ({ type: 'cohort', id: cohort_id, filters: {} }),
    write: async ({ db, settings }, { params, locale, path, progress }) => {
      const { rows } = await sql<NameRow>`
        select ${nameColumns} from ${namesOf(params.cohort_id)} n order by ${placeOf}, n.id`.execute(db)
      await progress(0, rows.length)
      await writeWorkbook(path, {
        name: { en: 'Names', fr: 'Noms' }[locale],
        columns: columns.map(({ key, kind, label }) => ({ key, kind, header: label[locale] })),
        rows: rows.map((row) => columns.map(({ value }) => value(listedName(settings.secret, row), locale))),
      })
      await progress(rows.length, rows.length)
      return { rows: rows.length, columns: columns.map(({ label }) => label) }
    },
  })
}
