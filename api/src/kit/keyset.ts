/**
 * Reads rows by keyset pagination, a batch at a time, until a batch is empty: `read` gets the key of the last row that was
 * read, 0 at first, and returns the rows after it in the order of their keys. So the rows are never in memory as a whole, no
 * batch skips the rows before it, and concurrent changes cannot make it miss one.
 */
export async function* batches<Row>(
  read: (after: number) => Promise<Row[]>,
  keyOf: (row: Row) => number,
): AsyncGenerator<Row[]> {
  for (let after = 0; ; ) {
    const rows = await read(after)
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = keyOf(last)
  }
}
