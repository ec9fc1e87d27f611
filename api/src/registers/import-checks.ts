import { sentence } from '@portal/contracts/imports/import-sentences'
import { severalOf, severalText } from '@portal/contracts/imports/read-cell'
import type { CheckedRow } from '../imports/imports.service.ts'
import type { Hints, KnownClass, KnownSchool, Listed } from './lookups.ts'

/** Adds an error at a cell of the row. */
export function fault({ errors, values }: CheckedRow, column: string, message: string) {
  errors.push({ column, value: values[column] ?? null, message })
}

/** Replaces the text of a cell by the code of a closed list, or reports the cell. */
export function checkListed(checked: CheckedRow, column: string, listed: Listed) {
  const written = checked.values[column]
  if (!written) return
  const code = listed.find(written)
  if (code === undefined) fault(checked, column, sentence('not_listed', written, listed.codes().join(', ')))
  else checked.values[column] = code
}

/** The known schools by code, with the hints for unknown codes. */
export type Schools = { schools: Map<string, KnownSchool>; hints: Hints }

const schoolUnknown = ({ schools, hints }: Schools, code: string) => {
  const near = hints.near(code, schools.keys())
  return near ? sentence('school_unknown_near', code, near) : sentence('school_unknown', code)
}

/** The school of a row. Undefined if the cell is blank or the code is unknown; an unknown code is reported. */
export function checkSchool(known: Schools, checked: CheckedRow): KnownSchool | undefined {
  const { admin_code } = checked.values
  if (!admin_code) return undefined
  const school = known.schools.get(admin_code)
  if (school) checked.rest.school_id = school.id
  else fault(checked, 'admin_code', schoolUnknown(known, admin_code))
  return school
}

/** Looks up the ids of all schools that a cell names. */
export const checkSchools = (known: Schools, checked: CheckedRow) =>
  checkSeveral(checked, {
    column: 'schools',
    ids: 'school_ids',
    find: (code) => known.schools.get(code)?.id,
    unknown: (code) => schoolUnknown(known, code),
  })

type Several = {
  column: string
  /** The key in `rest` under which `replaceLinks` finds the ids. */
  ids: string
  find(code: string): number | undefined
  unknown(code: string): string
}

/** Looks up the ids of all codes in a cell. The first unknown code is reported. */
export function checkSeveral(checked: CheckedRow, { column, ids, find, unknown }: Several) {
  const codes = severalOf(checked.values[column])
  const strange = codes.find((code) => find(code) === undefined)
  if (strange) fault(checked, column, unknown(strange))
  else if (codes.length > 0) checked.rest[ids] = codes.map(find)
}

/** The error for a class that its school does not have. It names the classes that the school has. */
export function classUnknown(classes: Map<string, KnownClass> | undefined, name: string): string {
  const all = severalText([...(classes?.values() ?? [])].map((one) => one.name))?.replaceAll('; ', ', ')
  return all ? sentence('class_unknown_near', name, all) : sentence('class_unknown', name)
}
