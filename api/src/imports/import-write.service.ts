import type { ImportKind } from '@portal/contracts/imports'
import type { Locale, Text } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { audit } from '../kit/audit/audit.ts'
import { type Db, type Tx, transaction } from '../kit/database/db.ts'
import { conflict } from '../kit/http/refusals.ts'
import { portal } from '../kit/http/session.ts'
import { importDomain } from './import-domains.service.ts'
import type { CheckedRow, Fault, OpenImport, Stored, TaskRow } from './import-kind.ts'
import { notifyOfEnd } from './import-notice.service.ts'
import { stagedPart } from './import-parts.service.ts'
import { compare, type SortedRow } from './import-sort.service.ts'
import { changesText, countCategories, countsSet, stageRows } from './import-stage.service.ts'
import { text } from './messages.ts'

/** Thrown if the import was cancelled or another worker has taken it over. */
export class ImportEnded extends Error {}

/** Thrown if rows would now be changed differently from what was reviewed. */
export class StaleReview extends Error {
  readonly stale: SortedRow[]
  /** Why the reviewer is asked again. */
  readonly text: Text
  constructor(stale: SortedRow[], text: Text) {
    super('Reviewed rows have changed')
    this.stale = stale
    this.text = text
  }
}

/** Rows written per statement: enough to be fast, and few enough that people see the progress count grow. */
const part = 2500

/** SQL: the advisory lock under which imports of a kind are written. */
export const writingLock = (kind: ImportKind) => sql`hashtext(${`import ${kind}`})`

/**
 * Writes the staged rows in one transaction. An advisory lock makes imports of one kind wait for each other, and every
 * row is compared again with the stored one, so that two concurrent imports have the effect of one after the other.
 */
export async function writeImport(db: Db, open: OpenImport, task: TaskRow): Promise<void> {
  const started = await sql`
    update imports set rows_new = 0, rows_changed = 0 where id = ${task.id} and fence = ${task.fence} and state = 'importing'
  `.execute(db)
  if (!started.numAffectedRows) throw new ImportEnded(`import ${task.id} has ended`)
  await transaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(${writingLock(task.kind)})`.execute(tx)
    if (open.stored || open.spoilt) await holdAgain(tx, open, task)
    const counts = await countCategories(tx, task.id)
    const refused = await open.refusal?.(tx, counts)
    if (refused) throw conflict(refused)
    await writeCategories(db, tx, open, task)
    const { numAffectedRows } = await sql`
      update imports set state = 'imported', ${countsSet(counts)}, problem = null, finished_at = now()
      where id = ${task.id} and fence = ${task.fence} and state = 'importing'`.execute(tx)
    if (!numAffectedRows) throw new ImportEnded(`import ${task.id} has ended`)
    await sql`delete from import_rows where import_id = ${task.id} and kind = 'unchanged'`.execute(tx)
    await open.finish?.(tx, counts)
    // The uploader of a target list is notified by its cohort.
    if (task.kind !== 'target-list') await notifyOfEnd(tx, task, counts)
    const { read, ...counted } = counts
    const { type, id } = open.subject ?? { type: 'import', id: task.id }
    await audit(tx, { ...portal, id: task.user_id }, 'imported', type, id, {
      old: null,
      new: {
        kind: task.kind,
        ...importDomain(task.kind).auditDetails?.(task.params),
        rows: read,
        ...counted,
      },
    })
  })
}

type StagedRow = {
  row: number
  key: string
  kind: 'new' | 'changed'
  entry: CheckedRow['values']
  changes: SortedRow['changes']
}

/**
 * Compares every staged row with the stored one again. The stored rows stay locked until the transaction ends. Of a kind
 * that stores nothing to compare with, only the spoilt rows are staged again.
 */
async function holdAgain(tx: Tx, open: OpenImport, task: TaskRow) {
  const columns = Object.keys(open.sheet.columns)
  const spoilt = (await open.spoilt?.(tx, task.id)) ?? new Map<number, Fault>()
  const compared = open.stored ? sql`true` : sql`r."row" = any(${[...spoilt.keys()]}::int[])`
  const found: Stale[] = []
  for (let after = 0; ; ) {
    const { rows } = await sql<StagedRow>`
      select r."row", r.key, r.kind, r.entry, coalesce((select jsonb_agg(jsonb_build_object('column', c."column",
        'old_value', c.old_value, 'new_value', c.new_value)) from import_changes c where c.import_id = r.import_id and c."row" = r."row"), '[]') as changes
      from import_rows r where r.import_id = ${task.id} and r.kind in ('new', 'changed') and r."row" > ${after} and ${compared}
      order by r."row" limit 1000`.execute(tx)
    const last = rows.at(-1)
    if (!last) return restage(tx, task, found, columns)
    after = last.row
    const keys = rows.map(({ key }) => key)
    const stored = (await open.stored?.(tx, keys, true)) ?? new Map<string, Stored>()
    for (const { row, key, kind, entry, changes } of rows) {
      const values = Object.fromEntries(columns.map((column) => [column, entry[column] ?? null]))
      const fault = spoilt.get(row)
      const errors = fault ? [fault] : []
      const checked = { row, key, keyColumn: '', cells: {}, values, rest: entry, errors }
      const now = compare(open, checked, stored.get(key))
      if (now.category !== kind || changesText(now.changes) !== changesText(changes))
        found.push({ now, shown: kind })
    }
  }
}

/** A row that would be written otherwise than it was staged. */
type Stale = { now: SortedRow; shown: StagedRow['kind'] }

/** Whether the reviewer has to see it: it overwrites, it is refused, or what it changed is gone, so that it would be made anew. */
const isOtherwise = ({ now: { category }, shown }: Stale) =>
  category === 'changed' || category === 'rejected' || (category === 'new' && shown === 'changed')

/** A row that is refused by now may be so without anybody's doing: a day of attendance becomes too old. */
function reasonOf(stale: Stale[]): Text {
  const refused = stale.filter(({ now }) => now.category === 'rejected').length
  const reasons = [
    ...(refused < stale.length ? [text.changedMeanwhile] : []),
    ...(refused > 0 ? [text.refusedMeanwhile] : []),
    text.reviewAgain,
  ]
  const inWords = (locale: Locale) => reasons.map((reason) => reason[locale]).join(' ')
  return { en: inWords('en'), fr: inWords('fr') }
}

/**
 * Stages rows again whose stored values were changed after they were read. If the import was reviewed, the reviewer is
 * asked again before any of these values is overwritten, and before a row that changed somebody makes a second one.
 */
async function restage(tx: Tx, task: TaskRow, stale: Stale[], columns: string[]) {
  if (stale.length === 0) return
  const numbers = stale.map(({ now }) => now.row)
  const { rows } = await sql<{ row: number; cells: Record<string, string | null> }>`
    select "row", coalesce(nullif(cells, '{}'), entry) as cells from import_rows where import_id = ${task.id} and "row" = any(${numbers}::int[])
  `.execute(tx)
  const staged = new Map(rows.map((row) => [row.row, row.cells]))
  // Without a review only the entry is known, which also has ids.
  const cells = (row: number) => Object.fromEntries(columns.map((name) => [name, staged.get(row)?.[name]]))
  const known = stale.map(({ now }) => ({ ...now, cells: cells(now.row) }))
  const otherwise = stale.filter(isOtherwise)
  if (task.review && otherwise.length > 0) throw new StaleReview(known, reasonOf(otherwise))
  await stageRows(tx, task.id, known, { replace: true })
}

async function writeCategories(db: Db, tx: Tx, open: OpenImport, task: TaskRow) {
  const { rows } = await sql<{ row: number; kind: 'new' | 'changed' }>`
    select "row", kind from import_rows where import_id = ${task.id} and kind in ('new', 'changed') order by "row"
  `.execute(tx)
  const done = { new: 0, changed: 0 }
  for (const category of ['new', 'changed'] as const) {
    const numbers = rows.filter(({ kind }) => kind === category).map(({ row }) => row)
    for (let from = 0; from < numbers.length; from += part) {
      const chunk = numbers.slice(from, from + part)
      const staged = stagedPart(task, category, (chunk[0] ?? 1) - 1, chunk.at(-1) ?? 0)
      await (category === 'new' ? open.insert(tx, staged) : open.update?.(tx, staged))
      await open.link?.(tx, staged)
      done[category] += chunk.length
      // The progress is committed outside the transaction: people see the count grow, but never a half-written list.
      const { numAffectedRows } = await sql`
        update imports set rows_new = ${done.new}, rows_changed = ${done.changed} where id = ${task.id} and fence = ${task.fence} and state = 'importing'
      `.execute(db)
      if (!numAffectedRows) throw new ImportEnded(`import ${task.id} has ended`)
    }
  }
}
