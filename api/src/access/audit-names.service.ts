import type { AuditLog } from '@portal/contracts/audit'
import type { Locale } from '@portal/contracts/sentences'
import type { Db } from '../kit/database/db.ts'
import { type Names, type Noun, readListed, readNames, type SubjectName } from './audit-subjects.service.ts'

/** An entry as it is stored. */
export type StoredAudit = Omit<AuditLog, 'auditable_name' | 'auditable_code' | 'sentence'>

/**
 * What the reader may see: the names and pages of which subjects, maternal status and disability (Access 5.1), the texts of all
 * cases or of those that the person `own` filed or reviews, and the records of which collections of modules (Access 6.6).
 */
export type Reader = {
  visible: Noun[]
  sensitive: boolean
  cases: boolean
  own: number | null
  /** The collections, in the form `module/collection`. */
  records: readonly string[]
  locale: Locale
}

/** Fields whose values are ids of something that has a name. `listed` stands for the portal's own lists. */
export type Pointing = Record<string, Noun | 'listed'>

/** Filters of lists, as exports and saved views keep them. What has one of these fields otherwise stores a name, which is no number. */
const filters: Pointing = {
  region: 'region',
  cercle: 'cercle',
  academy: 'academy',
  cap: 'cap',
  arrondissement: 'location',
  school: 'school',
  class: 'class',
  cohort_id: 'cohort',
  transfer_agency_id: 'agency',
  transfer_parameter_id: 'parameter',
  payroll_group_id: 'round',
}

const byType: Record<string, Pointing> = {
  audit: { user_id: 'user' },
  case: {
    first_found: 'case',
    assigned_id: 'user',
    reviewer: 'user',
    type: 'listed',
    channel: 'listed',
    tags: 'listed',
  },
  cohort: { confirmed_overlaps: 'cohort' },
  parent: { first_found: 'parent' },
  role: { users: 'user' },
  'saved view': { user_id: 'user', reviewer: 'user', type: 'listed', channel: 'listed', tag: 'listed' },
  school: { arrondissement_id: 'location', cap_id: 'cap' },
  student: { class_id: 'class', first_found: 'student' },
  teacher: { first_found: 'teacher' },
}

/** Which fields of a type's entries are ids. */
export const pointingOf = (type: string): Pointing => ({ ...filters, ...byType[type] })

/** What a noun's id is called, with the page that shows it. */
export type Name = (noun: string, id: unknown) => (SubjectName & { link: string | null }) | undefined

type Values = StoredAudit['new_values']

/** The values of an entry, with those inside the filters of a saved view. */
const valuesOf = ({ old_values, new_values }: StoredAudit) =>
  [old_values, new_values].flatMap((values) => [values, filtersIn(values)])

const filtersIn = (values: Values) =>
  typeof values?.query === 'object' ? (values.query as Values) : undefined

/** What the subjects of these entries and the ids in their values are called. */
export async function namesIn(
  db: Db,
  entries: readonly StoredAudit[],
  pointing: (entry: StoredAudit) => Pointing,
  { visible, locale }: Reader,
): Promise<Names> {
  const wanted = new Map<string, Set<number>>()
  const want = (noun: string, id: unknown) => {
    if (typeof id === 'number') wanted.set(noun, (wanted.get(noun) ?? new Set()).add(id))
  }
  for (const entry of entries) {
    want(entry.auditable_type, entry.auditable_id)
    for (const [field, noun] of Object.entries(pointing(entry)))
      for (const id of valuesOf(entry).flatMap((values) => values?.[field])) want(noun, id)
  }
  const [names, listed] = await Promise.all([
    readNames(db, wanted, visible),
    readListed(db, [...(wanted.get('listed') ?? [])], locale),
  ])
  return (noun, id) => {
    if (noun !== 'listed') return names(noun, id)
    const name = listed.get(Number(id))
    return name ? { name, code: null, kind: null, page: Number(id) } : undefined
  }
}

/** Puts a name, and a link where a page shows it, in the place of each id that a field points with. */
export function withNames(
  { auditable_type }: Pick<StoredAudit, 'auditable_type'>,
  fields: Pointing,
  values: Values,
  name: Name,
): Values {
  if (!values) return values
  const called = (noun: string, id: unknown) => {
    const found = typeof id === 'number' ? name(noun, id) : undefined
    if (!found) return id
    // In records of modules people know things by their codes, as their lists and files have them.
    const coded = auditable_type === 'module record' && found.code
    const text = coded ? `${found.name} (${found.code})` : found.name
    return { id, name: text, ...(found.link && { link: found.link }) }
  }
  const inner = filtersIn(values)
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => {
      if (field === 'query' && inner) return [field, withNames({ auditable_type }, fields, inner, name)]
      const noun = fields[field]
      if (!noun) return [field, value]
      return [field, Array.isArray(value) ? value.map((id) => called(noun, id)) : called(noun, value)]
    }),
  )
}
