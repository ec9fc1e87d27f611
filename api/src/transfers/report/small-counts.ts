import { smallCount } from '@portal/contracts/transfers/donor-report'

/** A table of counts with the sums of its rows, of its columns and of all; null where a count is hidden. */
export type GuardedCounts = {
  cells: (number | null)[][]
  rows: (number | null)[]
  columns: (number | null)[]
  all: number | null
}

type Entry = { count: number; hidden: boolean }

/**
 * Hides counts of one to four, and as many others that nobody finds a hidden one by subtraction: in each row and column,
 * with its sum, none is hidden or at least two that make five together (Money 3.9).
 */
export function hideSmallCounts(
  counts: readonly (readonly number[])[],
  columnCount = counts[0]?.length ?? 0,
): GuardedCounts {
  const sums = Array.from({ length: columnCount }, (_, at) =>
    counts.reduce((sum, row) => sum + (row[at] ?? 0), 0),
  )
  const table = [...counts, sums].map((row) =>
    [...row, row.reduce((sum, count) => sum + count, 0)].map(
      (count): Entry => ({ count, hidden: count > 0 && count < smallCount }),
    ),
  )
  const all = table.at(-1)?.at(-1)
  const columns = Array.from({ length: columnCount + 1 }, (_, at) => table.map((row) => row[at] as Entry))
  const lines = [...table, ...columns]
  while (lines.some((line) => hideAnother(line, all))) {
    // Each turn hides one more, so it ends.
  }
  const shown = table.map((row) => row.map(({ count, hidden }) => (hidden ? null : count)))
  const last = shown.pop() ?? []
  return {
    all: last.pop() ?? null,
    columns: last,
    rows: shown.map((row) => row.pop() ?? null),
    cells: shown,
  }
}

/** Hides the smallest count of a line that needs one more hidden. Says whether it did. */
function hideAnother(line: readonly Entry[], all: Entry | undefined): boolean {
  const hidden = line.filter((entry) => entry.hidden)
  if (hidden.length === 0) return false
  const sum = hidden.reduce((so, { count }) => so + count, 0)
  if (hidden.length > 1 && sum >= smallCount) return false
  const [next] = line
    .filter((entry) => !entry.hidden && entry.count > 0 && entry !== all)
    .sort((a, b) => a.count - b.count)
  if (next) next.hidden = true
  return next !== undefined
}
