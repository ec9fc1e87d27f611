import { sentence } from '@portal/contracts/import-sentences'
import { severalOf, severalText } from '@portal/contracts/read-cell'
import type { CheckedRow } from '../imports/imports.service.ts'
import type { Hints, KnownClass, KnownSchool, Listed } from './lookups.ts'

/** Reports a cell of the row. */
export function fault({ errors, values }: CheckedRow, column: string, message: string) {
  errors.push({ column, value: values[column] ?? null, message })
}

/** Puts the code of one of the portal's lists in the place of what was written for it. */
export function checkListed(checked: CheckedRow, column: string, listed: Listed) {
  const written = checked.values[column]
  if (!written) return
  const code = listed.find(written)
  if (code === undefined) fault(checked, column, sentence('not_listed', written, listed.codes().join(', ')))
  else checked.values[column] = code
}

/** Schools as rows name them by code. */
export type Schools = { schools: Map<string, KnownSchool>; hints: Hints }

const schoolUnknown = ({ schools, hints }: Schools, code: string) => {
  const near = hints.near(code, schools.keys())
  return near ? sentence('school_unknown_near', code, near) : sentence('school_unknown', code)
}

/** The school that a row belongs to; undefined where it names none that is known. */
export function checkSchool(known: Schools, checked: CheckedRow): KnownSchool | undefined {
  const { admin_code } = checked.values
  if (!admin_code) return undefined
  const school = known.schools.get(admin_code)
  if (school) checked.more.school_id = school.id
  else fault(checked, 'admin_code', schoolUnknown(known, admin_code))
  return school
}

/** The ids of all schools that a cell names. */
export const checkSchools = (known: Schools, checked: CheckedRow) =>
  checkSeveral(checked, {
    column: 'schools',
    ids: 'school_ids',
    find: (code) => known.schools.get(code)?.id,
    unknown: (code) => schoolUnknown(known, code),
  })

type Several = {
  column: string
  /** Where the ids are kept for `replaceLinks`. */
  ids: string
  find(code: string): number | undefined
  unknown(code: string): string
}

/** The ids of all that a cell names by its codes; the first that is not known is reported. */
export function checkSeveral(checked: CheckedRow, { column, ids, find, unknown }: Several) {
  const codes = severalOf(checked.values[column])
  const strange = codes.find((code) => find(code) === undefined)
  if (strange) fault(checked, column, unknown(strange))
  else if (codes.length > 0) checked.more[ids] = codes.map(find)
}

/** What to say of a class that its school does not have. */
export function classUnknown(classes: Map<string, KnownClass> | undefined, name: string): string {
  const all = severalText([...(classes?.values() ?? [])].map((one) => one.name))?.replaceAll('; ', ', ')
  return all ? sentence('class_unknown_near', name, all) : sentence('class_unknown', name)
}
