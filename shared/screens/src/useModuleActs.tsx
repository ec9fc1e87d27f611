import { type ItemKind, type Items, useHost } from '@portal/sdk'
import type { RowAction } from './DataTable.tsx'

/**
 * What modules have in the menus of rows, for the end of a list's `rowActions`; undefined where they have nothing. The entries
 * are those that the person may see, so they need no permission of their own.
 */
export function useModuleActs<On extends ItemKind>(on: On): ((item: Items[On]) => RowAction[]) | undefined {
  const acts = useHost().extensions?.acts?.(on) ?? []
  if (acts.length === 0) return undefined
  return (item) =>
    acts.map(({ label, to }, at) => ({
      label,
      icon: 'grid',
      permission: null,
      to: to(item),
      ...(at === 0 && { apart: true }),
    }))
}
