import type { QueryOf } from '@portal/contracts/endpoint'
import type { Page } from '@portal/contracts/fields'
import type { Correction, imports as endpoints, ImportRow, RejectedGroup } from '@portal/contracts/imports'
import { type Locale, say } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { audit } from '../kit/audit.ts'
import type { Context } from '../kit/context.ts'
import { type Db, rows, type Tx, transaction } from '../kit/db.ts'
import { enqueue } from '../kit/jobs.ts'
import { paged } from '../kit/paging.ts'
import { conflict, notFound } from '../kit/refusals.ts'
import type { Actor } from '../kit/session.ts'
import type { TaskRow } from './import-kind.ts'
import { RowSorter } from './import-sort.service.ts'
import { countPiles, countsSet, stageRows } from './import-stage.service.ts'
import { allow, hiddenFrom, importDomain, importJob, readTask, seenBy } from './imports.service.ts'
import { text } from './messages.ts'

/** The rows of one category of an import, page by page, in the reader's language. */
export async function listRows(
  db: Db,
  actor: Actor,
  locale: Locale,
  id: number,
  query: QueryOf<typeof endpoints.rows>,
): Promise<Page<ImportRow>> {
  const task = await readTask(db, actor, id)
  const sheet = await importDomain(task.kind).sheet(db, seenBy(actor, task), id)
  const hidden = hiddenFrom(actor)
  const inGroup = sql`exists (select from import_errors e where e.import_id = r.import_id and e."row" = r."row"
    and e."column" = ${query.column ?? ''} and (${query.reason ?? ''} = '' or split_part(e.message, '|', 1) = ${query.reason ?? ''}))`
  const page = await paged<ImportRow>(db, query, {
    columns: sql`r."row", r.kind, coalesce(nullif(r.cells, '{}'), r.entry, '{}') as cells, r.same_as,
      coalesce((select jsonb_agg(jsonb_build_object('column', c."column", 'old_value', c.old_value, 'new_value', c.new_value) order by c.id)
        from import_changes c where c.import_id = r.import_id and c."row" = r."row" and c."column" <> all(${hidden})), '[]') as changes,
      coalesce((select jsonb_agg(jsonb_build_object('row', e."row", 'column', e."column", 'value', e.value, 'message', e.message) order by e.id)
        from import_errors e where e.import_id = r.import_id and e."row" = r."row" and e."column" <> all(${hidden})), '[]') as errors`,
    from: sql`import_rows r`,
    where: [sql`r.import_id = ${id}`, sql`r.kind = ${query.kind}`, query.column && inGroup],
    sort: { row: sql`r."row"` },
    order: 'row',
    key: sql`r."row"`,
  })
  const inWords = (row: ImportRow) => ({
    ...row,
    cells: Object.fromEntries(Object.keys(sheet.columns).map((name) => [name, row.cells[name] ?? null])),
    errors: row.errors.map((error) => ({ ...error, message: say(error.message, locale) })),
  })
  return { ...page, data: page.data.map(inWords) }
}

type GroupRow = Omit<RejectedGroup, 'message'> & { sentences: number }

/** Rejected cells by column and reason, most frequent first. */
export async function listGroups(db: Db, actor: Actor, locale: Locale, id: number): Promise<RejectedGroup[]> {
  await readTask(db, actor, id)
  const groups = await rows(
    db,
    sql<GroupRow>`select "column", reason, count(*)::int as count, count(distinct message)::int as sentences,
        jsonb_agg(jsonb_build_object('row', "row", 'value', value, 'message', message) order by "row") filter (where nth <= 10) as samples
      from (select *, split_part(message, '|', 1) as reason,
          row_number() over (partition by "column", split_part(message, '|', 1) order by "row", id) as nth
        from import_errors where import_id = ${id} and "column" <> all(${hiddenFrom(actor)})) e
      group by "column", reason order by count(*) desc, "column", reason`,
  )
  return groups.map(({ sentences, samples, ...group }) => {
    const said = samples.map((sample) => ({ ...sample, message: say(sample.message, locale) }))
    const [first] = said
    // If the sentences of the rows differ, the sentence of the group leaves out their values.
    const message =
      sentences === 1 ? (first?.message ?? '') : general(group.reason, locale, samples[0]?.message ?? '')
    return { ...group, message, samples: said }
  })
}

const general = (reason: string, locale: Locale, message: string) =>
  say(
    [
      reason,
      ...message
        .split('|')
        .slice(1)
        .map(() => '…'),
    ].join('|'),
    locale,
  )

/**
 * Corrects cells and checks their rows again, together with all rows that had or now have the same key. The register is
 * not changed.
 */
export function checkAgain(
  context: Pick<Context, 'db' | 'settings'>,
  actor: Actor,
  id: number,
  corrections: Correction[],
): Promise<void> {
  return transaction(context.db, async (tx) => {
    const task = await lockReview(tx, actor, id)
    await correct(context, tx, actor, task, corrections)
  })
}

/** Queues the writing of a reviewed import. */
export function confirmImport(
  context: Pick<Context, 'db' | 'settings'>,
  actor: Actor,
  id: number,
  corrections: Correction[],
): Promise<void> {
  return transaction(context.db, async (tx) => {
    const task = await lockReview(tx, actor, id)
    await correct(context, tx, actor, task, corrections)
    await sql`
      update imports set state = 'importing', problem = null, confirmed_by = ${actor.id} where id = ${id}
    `.execute(tx)
    await enqueue(tx, importJob, { id })
    await audit(tx, actor, 'confirmed', 'import', id, {
      old: { state: 'review' },
      new: { state: 'importing' },
    })
  })
}

async function lockReview(tx: Tx, actor: Actor, id: number): Promise<TaskRow> {
  const { rows: found } = await sql<TaskRow & { state: string }>`
    select id, kind, params, user_id, review, fence, state from imports where id = ${id} for update
  `.execute(tx)
  const [task] = found
  if (!task) throw notFound()
  allow(actor, task.kind)
  if (task.state !== 'review') throw conflict(text.notInReview)
  return task
}

type Cells = { row: number; key: string | null; cells: Record<string, string | null> }

async function correct(
  context: Pick<Context, 'db' | 'settings'>,
  tx: Tx,
  actor: Actor,
  task: TaskRow,
  corrections: Correction[],
) {
  if (corrections.length === 0) return
  const open = await importDomain(task.kind).open(context, task)
  const byRow = Map.groupBy(corrections, ({ row }) => row)
  const found = await stagedRows(tx, task.id, [...byRow.keys()], [])
  const corrected = found.map((row) => {
    const cells = { ...row.cells }
    for (const { column, value } of byRow.get(row.row) ?? [])
      if (column in open.sheet.columns) cells[column] = value
    return { ...row, cells }
  })
  await keepCorrections(tx, actor, task, changedCells(found, corrected))
  const checked = await open.check(tx, corrected)
  const keys = [...corrected, ...checked].flatMap(({ key }) => key ?? [])
  const others = await stagedRows(tx, task.id, [], keys)
  const all = new Map([...others, ...corrected].map((row) => [row.row, row]))
  const ordered = [...all.values()].sort((a, b) => a.row - b.row)
  const { sorted } = await new RowSorter(open).sort(tx, ordered)
  for (let from = 0; from < sorted.length; from += 500)
    await stageRows(tx, task.id, sorted.slice(from, from + 500), { replace: true })
  await sql`update imports set ${countsSet(await countPiles(tx, task.id))} where id = ${task.id}`.execute(tx)
}

type ChangedCell = { row: number; column: string; old_value: string | null; new_value: string | null }

function changedCells(before: Cells[], after: Cells[]): ChangedCell[] {
  return after.flatMap(({ row, cells }, n) =>
    Object.keys(cells).flatMap((column) => {
      const [old_value, new_value] = [before[n]?.cells[column] || null, cells[column] || null]
      return old_value === new_value ? [] : [{ row, column, old_value, new_value }]
    }),
  )
}

/**
 * Stores who corrected which cell, because correctors may not approve the cohort (Money 6.1). Audits the old and new
 * values.
 */
async function keepCorrections(tx: Tx, actor: Actor, task: TaskRow, cells: ChangedCell[]) {
  if (cells.length === 0) return
  const list = (key: keyof ChangedCell) => cells.map((cell) => cell[key])
  await sql`
    insert into import_corrections (import_id, "row", "column", old_value, new_value, user_id)
    select ${task.id}, c.*, ${actor.id} from unnest(${list('row')}::int[], ${list('column')}::text[],
      ${list('old_value')}::text[], ${list('new_value')}::text[]) c`.execute(tx)
  const side = (key: 'old_value' | 'new_value') => {
    const rows: Record<string, Record<string, string | null>> = {}
    for (const cell of cells) {
      const row = `row ${cell.row}`
      rows[row] = { ...rows[row], [cell.column]: cell[key] }
    }
    return rows
  }
  await audit(tx, actor, 'corrected', 'import', task.id, { old: side('old_value'), new: side('new_value') })
}

async function stagedRows(tx: Tx, id: number, numbers: number[], keys: string[]): Promise<Cells[]> {
  const { rows: found } = await sql<Cells>`
    select "row", key, cells from import_rows where import_id = ${id}
      and ("row" = any(${numbers}::int[]) or key = any(${keys}::text[])) order by "row"
  `.execute(tx)
  return found
}
