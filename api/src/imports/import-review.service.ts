import type { QueryOf } from '@portal/contracts/endpoint'
import type { Page } from '@portal/contracts/fields'
import type {
  Corrections,
  imports as endpoints,
  ImportKind,
  ImportRow,
  LikelyPerson,
  RejectedGroup,
} from '@portal/contracts/imports'
import { type Locale, say } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { audit } from '../kit/audit/audit.ts'
import { auditSearch } from '../kit/audit/reads.ts'
import { type Db, rows, type Tx, transaction } from '../kit/database/db.ts'
import { paged } from '../kit/database/paging.ts'
import { conflict, lacking, notFound } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'
import { correct, lastChanges } from './import-correct.service.ts'
import { allow, importDomain } from './import-domains.service.ts'
import type { FoundStudents, LikelyRow, Rights, TaskRow } from './import-kind.ts'
import { countCategories } from './import-stage.service.ts'
import { hiddenFrom, isHidden, queueImport, readTask, seenBy } from './imports.service.ts'
import { text } from './messages.ts'

/** The rows of one category of an import, page by page, in the reader's language. */
export async function listRows(
  context: Rights & { db: Db },
  actor: Actor,
  locale: Locale,
  id: number,
  query: QueryOf<typeof endpoints.rows>,
): Promise<Page<ImportRow>> {
  const { db } = context
  const task = await readTask(context, actor, id)
  const sheet = await importDomain(task.kind).sheet(db, seenBy(actor, task), id)
  const hidden = hiddenFrom(actor)
  const inGroup = sql`exists (select from import_errors e where e.import_id = r.import_id and e."row" = r."row"
    and e."column" = ${query.column ?? ''} and (${query.reason ?? ''} = '' or split_part(e.message, '|', 1) = ${query.reason ?? ''})
    and (${query.value ?? ''} = '' or ${query.value ?? ''} in (e.value, r.cells->>(${query.column ?? ''}::text))))`
  const pairs = query.likely && pairsOf(actor, task, null)
  const page = await paged<Omit<ImportRow, 'likely'>>(db, query, {
    columns: sql`r."row", r.kind, coalesce(nullif(r.cells, '{}'), r.entry, '{}') as cells, r.same_as,
      coalesce((select jsonb_agg(jsonb_build_object('column', c."column", 'old_value', c.old_value, 'new_value', c.new_value) order by c.id)
        from import_changes c where c.import_id = r.import_id and c."row" = r."row" and c."column" <> all(${hidden})), '[]') as changes,
      coalesce((select jsonb_agg(jsonb_build_object('row', e."row", 'column', e."column", 'value', e.value, 'message', e.message) order by e.id)
        from import_errors e where e.import_id = r.import_id and e."row" = r."row" and e."column" <> all(${hidden})), '[]') as errors`,
    from: sql`import_rows r`,
    // The group of whole rows has no column.
    where: [
      sql`r.import_id = ${id}`,
      sql`r.kind = ${query.kind}`,
      (query.column || query.reason) && (isHidden(actor, query.column ?? '') ? sql`false` : inGroup),
      query.likely &&
        (pairs ? sql`r."row" = any(array(select distinct p."row" from (${pairs}) p))` : sql`false`),
    ],
    sort: { row: sql`r."row"` },
    order: 'row',
    key: sql`r."row"`,
  })
  const likely = await likelyPeople(db, actor, task, page.data)
  const inWords = (row: Omit<ImportRow, 'likely'>) => ({
    ...row,
    likely: likely.get(row.row) ?? [],
    cells: Object.fromEntries(Object.keys(sheet.columns).map((name) => [name, row.cells[name] ?? null])),
    errors: row.errors.map((error) => ({ ...error, message: say(error.message, locale) })),
  })
  return { ...page, data: page.data.map(inWords) }
}

type Reviewed = { id: number; kind: ImportKind; state: string }

/** The pairs of new rows that are still in review with people who may be the same; of the register only for whoever may see it. */
function pairsOf(actor: Actor, { id, kind, state }: Reviewed, numbers: number[] | null) {
  const { likely } = importDomain(kind)
  if (!likely || state !== 'review') return undefined
  return likely.pairs({ importId: id, numbers, register: actor.can(likely.permission) })
}

/** People who may be those of new rows, at most three for each row. */
async function likelyPeople(
  db: Db,
  actor: Actor,
  task: Reviewed,
  page: Pick<ImportRow, 'row' | 'kind'>[],
): Promise<Map<number, LikelyPerson[]>> {
  const numbers = page.filter((row) => row.kind === 'new').map(({ row }) => row)
  const pairs = numbers.length > 0 && pairsOf(actor, task, numbers)
  if (!pairs) return new Map()
  const found = await rows(
    db,
    sql<LikelyRow>`select p.* from (${pairs}) p order by p.likeness desc, p.code, p.twin nulls first`,
  )
  return new Map(
    [...Map.groupBy(found, ({ row }) => row)].map(([row, people]) => [
      row,
      people.slice(0, 3).map(({ code, name, place, twin }) => ({ code, name, place, twin })),
    ]),
  )
}

/**
 * Students by name, for whoever reviews a list that pays them: she may know neither the register nor more of a girl than
 * name, code and school (Imports 3.7).
 */
export async function findStudents(
  context: Rights & { db: Db },
  actor: Actor,
  id: number,
  search: string,
): Promise<FoundStudents> {
  const { kind, state } = await readTask(context, actor, id)
  const { findStudents: find } = importDomain(kind)
  if (!find) throw notFound()
  if (state !== 'review') throw conflict(text.notInReview)
  const { students, more } = await find(context.db, search)
  await auditSearch(context.db, actor, 'student', search, { data: students, total: students.length })
  return { students: students.map(({ id: _, ...student }) => student), more }
}

type GroupRow = Omit<RejectedGroup, 'message'> & { sentences: number }

/** Rejected cells by column and reason, most frequent first. */
export async function listGroups(
  context: Rights & { db: Db },
  actor: Actor,
  locale: Locale,
  id: number,
): Promise<RejectedGroup[]> {
  await readTask(context, actor, id)
  const groups = await rows(
    context.db,
    sql<GroupRow>`select "column", reason, count(*)::int as count, count(distinct message)::int as sentences,
        jsonb_agg(jsonb_build_object('row', "row", 'value', value, 'message', message) order by "row") filter (where nth <= 10) as samples
      from (select *, split_part(message, '|', 1) as reason,
          row_number() over (partition by "column", split_part(message, '|', 1) order by "row", id) as nth
        from import_errors where import_id = ${id} and "column" <> all(${hiddenFrom(actor)})) e
      group by "column", reason order by count(*) desc, "column", reason`,
  )
  return groups.map(({ sentences, samples, ...group }) => {
    const translated = samples.map((sample) => ({ ...sample, message: say(sample.message, locale) }))
    const [first] = translated
    // If the sentences of the rows differ, the sentence of the group leaves out their values.
    const message =
      sentences === 1 ? (first?.message ?? '') : general(group.reason, locale, samples[0]?.message ?? '')
    return { ...group, message, samples: translated }
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

/** Changes of cells that the person may not see are ignored, like other values that are sent without the right (Access 5.1). */
const withoutHidden = (actor: Actor, { corrections, replacements, ...rest }: Corrections): Corrections => ({
  ...rest,
  corrections: corrections.filter(({ column }) => !isHidden(actor, column)),
  replacements: replacements.filter(({ column }) => !isHidden(actor, column)),
})

type Reviewing = Pick<Context, 'db' | 'settings' | 'registry'>

/** Makes the changes of a review and checks the rows again. The register is not changed. */
export function checkAgain(
  context: Reviewing,
  actor: Actor,
  id: number,
  changes: Corrections,
): Promise<void> {
  return transaction(context.db, async (tx) => {
    const task = await lockReview(tx, context, actor, id)
    await correct(context, tx, actor, task, withoutHidden(actor, changes))
  })
}

/** Takes back what was changed last, whoever did it. Taking back is a change too, and kept as one. */
export function undoLast(context: Reviewing, actor: Actor, id: number): Promise<void> {
  return transaction(context.db, async (tx) => {
    const task = await lockReview(tx, context, actor, id)
    const changes = await lastChanges(tx, task)
    if (!changes) throw conflict(text.nothingToUndo)
    // A change is taken back as a whole or not at all (Access 5.1).
    if (changes.corrections.some(({ column }) => isHidden(actor, column)))
      throw lacking(['students.sensitive'])
    await correct(context, tx, actor, task, changes)
  })
}

/** Queues the writing of a reviewed import. */
export function confirmImport(
  context: Reviewing,
  actor: Actor,
  id: number,
  changes: Corrections,
): Promise<void> {
  return transaction(context.db, async (tx) => {
    const task = await lockReview(tx, context, actor, id)
    await correct(context, tx, actor, task, withoutHidden(actor, changes))
    const { refusal } = await importDomain(task.kind).open({ ...context, db: tx }, task)
    const refused = await refusal?.(tx, await countCategories(tx, id))
    if (refused) throw conflict(refused)
    // The new fence stops a process that still checks this import, so that it cannot end the confirmed one.
    await sql`
      update imports set state = 'importing', problem = null, confirmed_by = ${actor.id}, fence = fence + 1 where id = ${id}
    `.execute(tx)
    await queueImport(tx, task.kind, id)
    await audit(tx, actor, 'confirmed', 'import', id, {
      old: { state: 'review' },
      new: { state: 'importing' },
    })
  })
}

async function lockReview(tx: Tx, context: Rights, actor: Actor, id: number): Promise<TaskRow> {
  const { rows: found } = await sql<TaskRow & { state: string }>`
    select id, kind, params, user_id, review, fence, state from imports where id = ${id} for update
  `.execute(tx)
  const [task] = found
  if (!task) throw notFound()
  await allow(context, actor, task)
  if (task.state !== 'review') throw conflict(text.notInReview)
  return task
}
