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
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(person, list)) ?? 'null')
    if (typeof stored !== 'object' || stored === null) return usualView
    const { order, hidden, compact } = stored as Record<string, unknown>
    return { order: texts(order), hidden: texts(hidden), compact: compact === true }
  } catch {
    return usualView
  }
}

/** Stores the view. If storage is forbidden or full, the choice lasts as long as the page. */
export function rememberView(person: number, list: string, view: TableView): void {
  try {
    if (isUsual(view)) localStorage.removeItem(keyOf(person, list))
    else localStorage.setItem(keyOf(person, list), JSON.stringify(view))
  } catch {
    // Only the stored choice is lost.
  }
}

/** Whether somebody has chosen anything. */
export const isUsual = ({ order, hidden, compact }: TableView): boolean =>
  order.length === 0 && hidden.length === 0 && !compact

/** Every column in the person's order: those that came after she chose stand where the list has them, at the end. */
export function inOrder(columns: readonly string[], view: TableView): string[] {
  const chosen = view.order.filter((key) => columns.includes(key))
  return [...chosen, ...columns.filter((key) => !chosen.includes(key))]
}

/** The view with one column a place up (`-1`) or down (`1`). */
export function moved(columns: readonly string[], view: TableView, key: string, by: 1 | -1): TableView {
  const order = inOrder(columns, view)
  const at = order.indexOf(key)
  const other = order[at + by]
  if (at < 0 || other === undefined) return view
  order[at + by] = key
  order[at] = other
  return { ...view, order }
}

/** The view with one column shown or left out. */
export function shown(view: TableView, key: string, show: boolean): TableView {
  const others = view.hidden.filter((each) => each !== key)
  return { ...view, hidden: show ? others : [...others, key] }
}
