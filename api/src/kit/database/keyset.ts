/**
 * Reads rows by keyset pagination, a batch at a time, until a batch is empty: `read` gets the key of the last row that was
 * read, `first` at first, and returns the rows after it in the order of their keys. So the rows are never in memory as a whole, no
 * batch skips the rows before it, and concurrent changes cannot make it miss one. The database reads the next batch while
 * whoever asked works on this one.
 */
export async function* batches<Row>(
  read: (after: number) => Promise<Row[]>,
  keyOf: (row: Row) => number,
  first = 0,
): AsyncGenerator<Row[]> {
  let next = read(first)
  try {
    for (;;) {
      const rows = await next
      const last = rows.at(-1)
      if (!last) return
      next = read(keyOf(last))
      // Its error is thrown when it is this batch's turn, and must not end the process before.
      next.catch(() => undefined)
      yield rows
    }
  } finally {
    // Whoever stops early may close the connection next.
    await next.catch(() => undefined)
  }
}
