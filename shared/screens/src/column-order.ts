import type { TableView } from '@portal/ui/Table'

// Apart from the stored view: only the dialog that changes it needs this.
/** Every column in the person's order. Columns that the list got after she chose come last. */
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
