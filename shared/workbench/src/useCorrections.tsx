import type { Corrections as Changes, Correction, doubts, Replacement } from '@portal/contracts/imports'
import { useMemo, useState } from 'react'

/** A decision about a whole row. */
export type RowDecision = 'keep' | 'leave_out' | 'take_back' | 'confirm'
/** A reason for which rows are rejected until somebody confirms that they are right. */
export type Doubt = (typeof doubts)[number]
/** A corrected cell, with what it had before and the group in which it was corrected. */
export type CorrectedCell = Correction & { reason: string; before: string | null }
/** A value that is put right in every row of the import that has it. */
type Everywhere = Replacement & { rows: number }

/** Changes of a review that the server does not know yet. */
export type Corrections = {
  /** The corrected value of a cell; undefined if the cell has the value of the file (`inFile`). */
  of: (row: number, column: string, inFile?: string | null) => string | undefined
  set: (cell: CorrectedCell) => void
  undo: (cells: readonly { row: number; column: string }[]) => void
  /** The cell of a group that was corrected last. */
  latest: (column: string, reason: string) => CorrectedCell | undefined
  /** Puts a value right in all rows that have it; `rows` says how many they are. */
  replace: (replacement: Everywhere) => void
  replaced: (column: string) => Everywhere[]
  unreplace: (replacement: Replacement) => void
  decided: (row: number) => RowDecision | undefined
  /** The same decision twice removes it. */
  decide: (row: number, decision: RowDecision) => void
  /** Confirms every row of a reason, `rows` of them, or none of them any more. */
  confirmAll: (reason: Doubt, rows: number) => void
  confirmedAll: (reason: string) => boolean
  count: number
  inGroup: (column: string, reason: string) => number
  /** The changes in the form of the calls: a cell that was emptied is null. */
  body: () => Changes
  /** Removes the corrections that the server has. Later changes stay. */
  clear: () => void
}

type State = {
  cells: ReadonlyMap<string, CorrectedCell>
  everywhere: ReadonlyMap<string, Everywhere>
  rows: ReadonlyMap<number, RowDecision>
  confirmed: ReadonlyMap<string, { reason: Doubt; rows: number }>
}
const none: State = { cells: new Map(), everywhere: new Map(), rows: new Map(), confirmed: new Map() }

const keyOf = (row: number, column: string) => `${row} ${column}`
const valueKey = (column: string, value: string) => `${column} ${value}`
const without = <Key, Value>(map: ReadonlyMap<Key, Value>, keys: readonly Key[]) =>
  new Map([...map].filter(([key]) => !keys.includes(key)))
/** Adds an entry at the end, also if the map had its key already. */
const withLast = <Key, Value>(map: ReadonlyMap<Key, Value>, key: Key, value: Value) =>
  without(map, [key]).set(key, value)

/** The entries of `latest` that `known` lacks or has with another value. */
const since = <Key, Value>(latest: ReadonlyMap<Key, Value>, known: ReadonlyMap<Key, Value>) =>
  new Map([...latest].filter(([key, value]) => known.get(key) !== value))

/** Holds what is changed until it is checked; leaving the page asks first. */
export function useCorrections(): Corrections {
  const [state, setState] = useState(none)
  return useMemo(() => corrections(state, setState), [state])
}

function corrections(state: State, setState: (change: (before: State) => State) => void): Corrections {
  const { cells, everywhere, rows, confirmed } = state
  const list = [...cells.values()]
  const inGroup = (column: string, reason: string) =>
    list.filter((cell) => cell.column === column && cell.reason === reason)
  const replaced = [...everywhere.values()]
  return {
    of: (row, column, inFile) => {
      const cell = cells.get(keyOf(row, column)) ?? everywhere.get(valueKey(column, inFile ?? ''))
      return cell && (cell.value ?? '')
    },
    set: (cell) =>
      setState((before) => ({
        ...before,
        cells: withLast(before.cells, keyOf(cell.row, cell.column), cell),
      })),
    undo: (taken) =>
      setState((before) => ({
        ...before,
        cells: without(
          before.cells,
          taken.map(({ row, column }) => keyOf(row, column)),
        ),
      })),
    latest: (column, reason) => inGroup(column, reason).at(-1),
    replace: (made) =>
      setState((before) => ({
        ...before,
        cells: new Map(
          [...before.cells].filter(
            ([, cell]) => cell.column !== made.column || cell.before !== made.old_value,
          ),
        ),
        everywhere: withLast(before.everywhere, valueKey(made.column, made.old_value), made),
      })),
    replaced: (column) => replaced.filter((made) => made.column === column),
    unreplace: ({ column, old_value }) =>
      setState((before) => ({
        ...before,
        everywhere: without(before.everywhere, [valueKey(column, old_value)]),
      })),
    decided: (row) => rows.get(row),
    decide: (row, decision) =>
      setState((before) => ({
        ...before,
        rows:
          before.rows.get(row) === decision
            ? without(before.rows, [row])
            : withLast(before.rows, row, decision),
      })),
    confirmAll: (reason, count) =>
      setState((before) => ({
        ...before,
        // Rows that were confirmed one by one are included in it.
        rows: new Map([...before.rows].filter(([, decision]) => decision !== 'confirm')),
        confirmed: before.confirmed.has(reason)
          ? without(before.confirmed, [reason])
          : withLast(before.confirmed, reason, { reason, rows: count }),
      })),
    confirmedAll: (reason) => confirmed.has(reason),
    count: [...replaced, ...confirmed.values()].reduce(
      (sum, made) => sum + made.rows,
      cells.size + rows.size,
    ),
    inGroup: (column, reason) => inGroup(column, reason).length,
    body: () => bodyOf(state),
    clear: () =>
      setState((latest) => ({
        cells: since(latest.cells, cells),
        everywhere: since(latest.everywhere, everywhere),
        rows: since(latest.rows, rows),
        confirmed: since(latest.confirmed, confirmed),
      })),
  }
}

function bodyOf({ cells, everywhere, rows, confirmed }: State): Changes {
  const written = (value: string | null) => value?.trim() || null
  const decided = (wanted: RowDecision) =>
    [...rows].filter(([, decision]) => decision === wanted).map(([row]) => row)
  return {
    corrections: [...cells.values()].map(({ row, column, value }) => ({
      row,
      column,
      value: written(value),
    })),
    replacements: [...everywhere.values()].map(({ column, old_value, value }) => ({
      column,
      old_value,
      value: written(value),
    })),
    leave_out: decided('leave_out'),
    take_back: decided('take_back'),
    keep: decided('keep'),
    confirm: decided('confirm'),
    unconfirm: [],
    confirm_all: [...confirmed.values()].map(({ reason }) => reason),
  }
}
