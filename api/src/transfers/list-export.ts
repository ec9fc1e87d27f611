import type { Locale, Text } from '@portal/contracts/sentences'
import { type OutCell, type OutColumn, writeWorkbook } from '../excel/write.ts'
import { type List, wholeList } from '../kit/database/paging.ts'
import { registerExport } from '../kit/jobs/exports.ts'

/** A column of an exported list. */
export type ListColumn<Row> = Omit<OutColumn, 'header'> & {
  label: Text
  value: (row: Row, locale: Locale) => OutCell
}

type ListExport<Row, Filters> = {
  /** The kind of the export, which is also the type in the audit log. */
  kind: string
  /** The name of the sheet. */
  name: Text
  columns: readonly ListColumn<Row>[]
  /** The list as it is on the screen. */
  list: (filters: Filters) => List
}

/**
 * Registers the export of a list: all rows of what the screen shows, by the list's own query, so that a filter cannot be
 * forgotten. They are in the order in which they were made. Rows that come meanwhile stand at the end, and one that
 * the filter does not leave any more makes it skip no other.
 */
export function registerListExport<Row extends { id: number }, Filters extends { search: string }>(
  list: ListExport<Row, Filters>,
) {
  registerExport<Filters>(list.kind, {
    allowed: (actor) => actor.can('payrolls.export'),
    subject: (filters) => ({ type: list.kind, id: null, filters }),
    write: async ({ db }, { params, locale, path, progress }) => {
      const { total, batches } = wholeList<Row>(db, list.list(params))
      const all = await total()
      async function* lines() {
        let done = 0
        for await (const found of batches()) {
          for (const row of found) yield list.columns.map(({ value }) => value(row, locale))
          done += found.length
          await progress(done, Math.max(done, all))
        }
      }
      const rows = await writeWorkbook(path, {
        name: list.name[locale],
        columns: list.columns.map(({ label, value: _, ...column }) => ({ ...column, header: label[locale] })),
        rows: lines(),
      })
      return { rows, columns: list.columns.map(({ label }) => label) }
    },
  })
}
