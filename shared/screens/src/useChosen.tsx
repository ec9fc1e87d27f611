import type { Selected } from '@portal/ui/Table'
import { useEffect, useMemo, useState } from 'react'

type Key = { id: number | string }

/** The rows that are chosen in a list. They stay over its pages and orders; another search or filter drops them. */
export function useChosen<Row extends Key>(onPage: readonly Row[], narrowedTo: string) {
  const [kept, setKept] = useState<Record<string, Row>>({})
  const clear = () => setKept({})
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that are not shown any more must not be acted on
  useEffect(clear, [narrowedTo])
  const latest = Object.fromEntries(onPage.map((row) => [String(row.id), row]))
  const selected = useMemo(
    () => Object.fromEntries(Object.keys(kept).map((id) => [id, true as const])),
    [kept],
  )
  const select = (wanted: Selected) =>
    setKept((before) =>
      Object.fromEntries(
        Object.keys(wanted).flatMap((id) => {
          const row = latest[id] ?? before[id]
          return row ? [[id, row]] : []
        }),
      ),
    )
  return {
    /** The chosen rows with the values of the latest answer. */
    rows: Object.entries(kept).map(([id, row]) => latest[id] ?? row),
    selected,
    select,
    clear,
  }
}
