import { doubts, type ImportKind } from '@portal/contracts/imports'
import { sql } from 'kysely'
import type { Tx } from '../kit/database/db.ts'
import type { OpenImport, TaskRow } from './import-kind.ts'
import { leftOutRow, RowSorter } from './import-sort.service.ts'
import { countCategories, countsSet, stageRows } from './import-stage.service.ts'

/** A staged row, as it is sorted again. */
export type ReviewRow = {
  row: number
  key: string | null
  cells: Record<string, string | null>
  left_out: boolean
  /** The doubt about the row that somebody has confirmed, as a sentence for `say`. */
  confirmed: string | null
  /** The doubt for which it is rejected. */
  doubt: string | null
}

/**
 * Under which names the corrections of a row keep what is no cell: whether it is left out (null or `yes`), and the doubt that somebody
 * confirmed. Fields of a module have any name, but no point in it.
 */
export const marksOf = (kind: ImportKind) =>
  kind === 'module-records'
    ? { leftOut: 'row.left_out', confirmedAs: 'row.confirmed' }
    : { leftOut: 'left_out', confirmedAs: 'confirmed' }

/** Rows that are sorted again at once, after the file was read. */
const sortedAtOnce = 500

/** Sorts rows again that a later row of the file has shown to be right. */
export async function sortShownRight(tx: Tx, open: OpenImport, task: TaskRow) {
  const numbers = open.again?.() ?? []
  for (let from = 0; from < numbers.length; from += sortedAtOnce)
    await sortAgain(tx, open, task, await stagedRows(tx, task, numbers.slice(from, from + sortedAtOnce), []))
}

/** Sorts rows again with all rows of their keys. */
export async function sortAgain(tx: Tx, open: OpenImport, task: TaskRow, corrected: ReviewRow[]) {
  const checked = await open.check(tx, corrected)
  const keys = [...corrected, ...checked].flatMap(({ key }) => key ?? [])
  const besides = (await open.besides?.(tx, keys)) ?? []
  const others = await stagedRows(tx, task, [], [...new Set([...keys, ...besides])])
  const all = new Map([...others, ...corrected].map((row) => [row.row, row]))
  const ordered = [...all.values()].sort((a, b) => a.row - b.row)
  const { sorted } = await new RowSorter(open).sort(
    tx,
    ordered.filter((row) => !row.left_out),
  )
  const out = await open.check(
    tx,
    ordered.filter((row) => row.left_out),
  )
  sorted.push(...out.map(leftOutRow))
  for (let from = 0; from < sorted.length; from += 500)
    await stageRows(tx, task.id, sorted.slice(from, from + 500), { replace: true })
  await sql`update imports set ${countsSet(await countCategories(tx, task.id))} where id = ${task.id}`.execute(
    tx,
  )
}

/** The staged rows with these numbers or keys. */
export async function stagedRows(
  tx: Tx,
  { id, kind }: Pick<TaskRow, 'id' | 'kind'>,
  numbers: number[],
  keys: string[],
): Promise<ReviewRow[]> {
  const { rows: found } = await sql<ReviewRow>`
    select r."row", r.key, r.cells, exists (select from import_errors e
      where e.import_id = r.import_id and e."row" = r."row" and e.message = 'left_out') as left_out,
      (select e.message from import_errors e where e.import_id = r.import_id and e."row" = r."row"
        and split_part(e.message, '|', 1) = any(${[...doubts]}::text[])) as doubt,
      (select c.new_value from import_corrections c where c.import_id = r.import_id and c."row" = r."row"
        and c."column" = ${marksOf(kind).confirmedAs} order by c.id desc limit 1) as confirmed
    from import_rows r where r.import_id = ${id}
      and (r."row" = any(${numbers}::int[]) or r.key = any(${keys}::text[])) order by r."row"`.execute(tx)
  return found
}
