import { readStored, writeStored } from '@portal/ui/stored'
import type { TableView } from '@portal/ui/Table'

/** Columns in their own order, all of them, in rows of the usual height. */
export const usualView: TableView = { order: [], hidden: [], compact: false }

/** The storage key: one for each person and list. */
const keyOf = (person: number, list: string) => `portal.table.${person}.${list}`

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []

/** The stored view of a list on this device; the default view if nothing readable is stored. */
export function rememberedView(person: number, list: string): TableView {
  try {
    const stored: unknown = JSON.parse(readStored(keyOf(person, list)) ?? 'null')
    if (typeof stored !== 'object' || stored === null) return usualView
    const { order, hidden, compact } = stored as Record<string, unknown>
    return { order: texts(order), hidden: texts(hidden), compact: compact === true }
  } catch {
    return usualView
  }
}

/** Stores the view. */
export function rememberView(person: number, list: string, view: TableView): void {
  writeStored(keyOf(person, list), isUsual(view) ? null : JSON.stringify(view))
}

/** Whether somebody has chosen anything. */
export const isUsual = ({ order, hidden, compact }: TableView): boolean =>
  order.length === 0 && hidden.length === 0 && !compact
