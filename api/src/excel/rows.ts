import { hash } from 'node:crypto'

/** How a row relates to the earlier rows of its file. */
export type RowVerdict =
  | { kind: 'first' }
  /** Equal to an earlier row. It is counted and otherwise ignored. */
  | { kind: 'duplicate'; row: number }
  /**
   * An earlier row has this key with other values, so both are rejected. `takeBack` is true if that row was accepted so
   * far.
   */
  | { kind: 'conflict'; row: number; takeBack: boolean }

/**
 * Finds rows of one file with the same natural key (Imports 2.4). Equal rows count once; different rows reject each
 * other. It keeps the key, row number and a hash of the values of each row in memory: some 40 MB for 200,000 rows,
 * however wide.
 */
export class KeyedRows {
  readonly #seen = new Map<string, { row: number; values: string | null }>()

  /** `key` is the normalised key. `values` are the values that the row would store, in a fixed order. */
  add(key: string, row: number, values: readonly (string | number | null)[]): RowVerdict {
    const text = hash('sha1', JSON.stringify(values), 'base64')
    const earlier = this.#seen.get(key)
    if (earlier === undefined) {
      this.#seen.set(key, { row, values: text })
      return { kind: 'first' }
    }
    if (earlier.values === text) return { kind: 'duplicate', row: earlier.row }
    const takeBack = earlier.values !== null
    // All later rows with this key are conflicts.
    earlier.values = null
    return { kind: 'conflict', row: earlier.row, takeBack }
  }
}
