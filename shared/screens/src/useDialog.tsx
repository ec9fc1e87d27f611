import { useMemo, useState } from 'react'

/** Which item a dialog is open for; `item` is null while it is closed. */
export type Opened<Item> = { item: Item | null; open: (item: Item) => void; close: () => void }

/** One dialog of a screen: `useDialog<School>()` for a row's, `useDialog()` for one that needs nothing. */
export function useDialog<Item = true>(initial: Item | null = null): Opened<Item> {
  const [item, setItem] = useState<Item | null>(initial)
  return useMemo(
    () => ({ item, open: (next: Item) => setItem(() => next), close: () => setItem(null) }),
    [item],
  )
}
