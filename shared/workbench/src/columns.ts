import { groupBy } from '@portal/contracts/group-by'
import { type Column, optionIn, plainHeading, type Sheet } from '@portal/contracts/imports/sheet'
import { formatDate, formatPhone } from '@portal/i18n/format'
import { currentLocale } from '@portal/i18n/locale'

/** A column of a sheet by its key; undefined for what the sheet does not know. */
export const columnOf = (sheet: Sheet, key: string): Column | undefined =>
  (sheet.columns as Partial<Record<string, Column>>)[key]

/** What a column is called in the current language. */
export const labelOf = (sheet: Sheet, key: string): string =>
  columnOf(sheet, key)?.label[currentLocale()] ?? key

const naming = [
  'last_name',
  'first_name',
  'name',
  'student_code',
  'receiver_last_name',
  'receiver_first_name',
]

/** The columns by which a person knows a row: its key, then names; three at most. */
export function namingColumns(sheet: Sheet): string[] {
  const keys = Object.keys(sheet.columns)
  const natural = keys.filter((key) => columnOf(sheet, key)?.key)
  const names = naming.filter((key) => keys.includes(key))
  return [...new Set([...natural, ...names, ...keys])].slice(0, natural.length > 2 ? natural.length : 3)
}

/** The columns of a sheet that hold something in these rows, in the sheet's order; the first of them. */
export function filledColumns(
  sheet: Sheet,
  rows: readonly { cells: Record<string, string | null> }[],
  most: number,
): string[] {
  return Object.keys(sheet.columns)
    .filter((key) => rows.some(({ cells }) => cells[key]))
    .slice(0, most)
}

/** A stored value as it is read: dates dd/mm/yyyy, telephone numbers in groups. */
export function readable(sheet: Sheet, key: string, value: string): string {
  const column = columnOf(sheet, key)
  const kind = column?.kind
  if (kind === 'date') return formatDate(value)
  if (column?.worded) return optionIn(column, value, currentLocale())
  // With its country: a number may move from one to the other.
  return kind === 'phone' && value.startsWith('+') ? `${value.slice(0, 4)} ${formatPhone(value)}` : value
}

/** A value as the file shows it: Excel keeps a date as a number, which is read as yyyy-mm-dd. */
export const inFile = (sheet: Sheet, key: string, value: string): string =>
  columnOf(sheet, key)?.kind === 'date' && /^\d{4}-\d\d-\d\d$/.test(value) ? formatDate(value) : value

/** What a column accepts, in words. */
export const acceptedBy = (column: Column): string => column.help[currentLocale()]

/** Whether two headings say the same, so that it need not be said twice. */
export const sameWords = (one: string, other: string): boolean => plainHeading(one) === plainHeading(other)

/** The columns in which rows of one key differ from each other, in the sheet's order; four at most. */
export function differingColumns(
  sheet: Sheet,
  keyColumn: string,
  rows: readonly { cells: Record<string, string | null> }[],
): string[] {
  const groups = [...groupBy(rows, ({ cells }) => cells[keyColumn] ?? '').values()]
  return Object.keys(sheet.columns)
    .filter((key) => groups.some((group) => new Set(group.map(({ cells }) => cells[key])).size > 1))
    .slice(0, 4)
}
