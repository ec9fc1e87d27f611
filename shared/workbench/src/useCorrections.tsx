import type { Correction } from '@portal/contracts/imports'
import { useMemo, useState } from 'react'

/** Cells put right in the grid that the server has not looked at yet. */
export type Corrections = {
  /** What is written in a cell; undefined where it stands as in the file. */
  of: (row: number, column: string) => string | undefined
  /** `reason` is that of the group in which it is corrected. */
  set: (row: number, column: string, value: string, reason: string) => void
  undo: (cells: readonly { row: number; column: string }[]) => void
  count: number
  inGroup: (column: string, reason: string) => number
  /** As the calls take them: an emptied cell is null. */
  all: () => Correction[]
  clear: () => void
}

const keyOf = (row: number, column: string) => `${row} ${column}`

/** Holds what is corrected until it is checked; leaving the page asks first. */
export function useCorrections(): Corrections {
  const [cells, setCells] = useState<ReadonlyMap<string, Correction & { reason: string }>>(new Map())
  return useMemo(() => {
    const list = () => [...cells.values()]
    return {
      of: (row, column) => {
        const cell = cells.get(keyOf(row, column))
        return cell && (cell.value ?? '')
      },
      set: (row, column, value, reason) =>
        setCells((before) => new Map(before).set(keyOf(row, column), { row, column, value, reason })),
      undo: (taken) =>
        setCells((before) => {
          const after = new Map(before)
          for (const { row, column } of taken) after.delete(keyOf(row, column))
          return after
        }),
      count: cells.size,
      inGroup: (column, reason) =>
        list().filter((cell) => cell.column === column && cell.reason === reason).length,
      all: () => list().map(({ row, column, value }) => ({ row, column, value: value?.trim() || null })),
      clear: () => setCells(new Map()),
    }
  }, [cells])
}
