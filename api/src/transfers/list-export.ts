import type { ListQuery, Page } from '@portal/contracts/fields'
import type { Locale, Text } from '@portal/contracts/sentences'
import { type OutCell, type OutColumn, writeWorkbook } from '../excel/write.ts'
import type { Db } from '../kit/db.ts'
import { registerExport } from '../kit/exports.ts'

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
  /** Reads a page of the list. The screen is read by the same function. */
  read: (db: Db, locale: Locale, query: ListQuery & Filters) => Promise<Page<Row>>
}

const perPage = 500

/**
 * Registers the export of a list: all pages of what the screen shows, by the list's own query, so that a filter cannot be
 * forgotten. It reads the oldest rows first, so that rows that come meanwhile stand at the end. For lists of some
 * thousand rows.
 */
export function registerListExport<Row, Filters extends { search: string }>(list: ListExport<Row, Filters>) {
  registerExport<Filters>(list.kind, {
    allowed: (actor) => actor.can('payrolls.export'),
    subject: (filters) => ({ type: list.kind, id: null, filters }),
    write: async ({ db }, { params, locale, path, progress }) => {
      async function* lines() {
        for (let page = 1, last = 1, done = 0; page <= last; page++) {
          const found = await list.read(db, locale, {
            ...params,
            page,
            per_page: perPage,
            sort: 'created_at',
          })
          last = found.last_page
          for (const row of found.data) yield list.columns.map(({ value }) => value(row, locale))
          done += found.data.length
          await progress(done, found.total)
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
