import { formatDate } from '@portal/i18n/format'

export type Row = Record<string, unknown>
export const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null

type Template = string | readonly string[]

const field = /\{([\w.]+)(\|date)?\}/g

/** The text of the first template of which the row has all fields; undefined when it has those of none. */
export const filledText = (template: Template, row: Row): string | undefined =>
  filled(template, row, (value, isDate) => (isDate ? formatDate(value) : value))

/** The address of the first template of which the row has all fields; values are encoded. */
export const filledLink = (template: Template, row: Row): string | undefined =>
  filled(template, row, (value) => (/^\.+$/.test(value) ? null : encodeURIComponent(value)))

function filled(template: Template, row: Row, write: (value: string, isDate: boolean) => string | null) {
  for (const each of [template].flat() as string[]) {
    let isWhole = true
    const text = each.replace(field, (_, path: string, date?: string) => {
      const value = valueAt(row, path)
      const written = value === null ? null : write(value, date !== undefined)
      if (written === null) isWhole = false
      return written ?? ''
    })
    if (isWhole) return text
  }
  return undefined
}

/** A text or a number of a row; null for whatever is neither, and for an empty text. */
function valueAt(row: Row, path: string): string | null {
  let value: unknown = row
  for (const name of path.split('.')) {
    if (!isRow(value) || !Object.hasOwn(value, name)) return null
    value = value[name]
  }
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : null
}
