import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import { audit } from '../kit/audit/audit.ts'
import { type Tx, transaction } from '../kit/database/db.ts'
import { findOrphans } from '../kit/files/stored-files.ts'
import { portal } from '../kit/http/session.ts'
import type { KeptKind } from '../kit/jobs/keep-days.ts'
import type { Context } from '../kit/process/context.ts'
import { dropPictures } from '../modules/record-pictures.service.ts'

/** Rows of one transaction, so that nobody waits long for a lock. */
const batch = 1_000

/** The night that is due. It begins at two o'clock in UTC, which is the programme's own time. */
const night = sql`(now() at time zone 'utc' - interval '2 hours')::date`
const old = (column: RawBuilder<unknown>, days: number) =>
  sql`${column} < now() - make_interval(days => ${days})`

/** Deletes one batch. Returns how many it deleted and which stored files lose their content with them. */
type Sweep = (tx: Tx, days: number) => Promise<{ count: number; keys?: string[] }>

const deleting =
  (table: RawBuilder<unknown>, over: (days: number) => RawBuilder<unknown>): Sweep =>
  async (tx, days) => {
    const { numAffectedRows } = await sql`
      delete from ${table} where ctid = any(array(select t.ctid from ${table} t where ${over(days)} limit ${batch}))`.execute(
      tx,
    )
    return { count: Number(numAffectedRows ?? 0) }
  }

const dropping =
  (files: (days: number) => RawBuilder<unknown>): Sweep =>
  async (tx, days) => {
    const { rows } = await sql<{ key: string }>`
      update files set dropped_at = now() where id in (
        select f.id from files f where f.dropped_at is null and f.id in (${files(days)}) limit ${batch})
      returning key`.execute(tx)
    return { count: rows.length, keys: rows.map(({ key }) => key) }
  }

const ended = sql`('imported', 'failed', 'cancelled')`

const endedImport = (days: number) => sql`t.import_id in (
  select i.id from imports i where i.state in ${ended} and ${old(sql`coalesce(i.finished_at, i.created_at)`, days)})`

/** What each kind deletes from the database, in this order. Money and the audit log are in none of them. */
const sweeps: [KeptKind, Sweep][] = [
  ['sessions', deleting(sql`password_tokens`, (days) => old(sql`t.expires_at`, days))],
  ['sessions', deleting(sql`sessions`, (days) => old(sql`coalesce(t.ended_at, t.last_seen_at)`, days))],
  [
    'letters',
    deleting(sql`mails`, (days) => sql`t.state in ('sent', 'failed') and ${old(sql`t.created_at`, days)}`),
  ],
  [
    'notices',
    deleting(
      sql`notifications`,
      (
        days,
      ) => sql`${old(sql`t.created_at`, days)} and not exists (select from mails m where m.notification_id = t.id)
        and (t.mail <> 'digest' or t.digest_id is not null)`,
    ),
  ],
  [
    'notices',
    deleting(
      sql`notice_digests`,
      (days) =>
        sql`${old(sql`t.created_at`, days)} and not exists (select from notifications n where n.digest_id = t.id)`,
    ),
  ],
  ['messages', emptyMessages],
  ['import-rows', deleting(sql`import_errors`, (days) => endedImport(days))],
  ['import-rows', deleting(sql`import_rows`, (days) => endedImport(days))],
  [
    'import-files',
    dropping(
      (days) =>
        sql`select i.file_id from imports i where i.state in ${ended} and ${old(sql`coalesce(i.finished_at, i.created_at)`, days)}`,
    ),
  ],
  ['statements', emptyLines],
  [
    'statements',
    dropping(
      (days) =>
        sql`select s.file_id from agency_statements s where s.state in ('closed', 'withdrawn', 'failed')
          and ${old(sql`coalesce(s.ended_at, s.created_at)`, days)}`,
    ),
  ],
  [
    'statements',
    dropping(
      (days) => sql`select n.document_id from payment_settlements n where ${old(sql`n.decided_at`, days)}`,
    ),
  ],
  ['names', deleting(sql`name_answers`, (days) => old(sql`t.answered_at`, days))],
  [
    'statements',
    dropping((days) => sql`select b.file_id from bank_files b where ${old(sql`b.created_at`, days)}`),
  ],
  [
    'statements',
    dropping((days) => sql`select r.file_id from bank_answers r where ${old(sql`r.created_at`, days)}`),
  ],
  [
    'case-documents',
    dropping(
      (days) =>
        sql`select d.file_id from case_documents d join cases c on c.id = d.case_id where ${old(sql`c.decided_at`, days)}`,
    ),
  ],
  ['pictures', dropPicturesInNone],
  ['deletions', deleting(sql`module_record_deletions`, (days) => old(sql`t.deleted_at`, days))],
]

async function dropPicturesInNone(tx: Tx, days: number) {
  const inNone = sql`p.record_id is null and p.sandbox_record_id is null and ${old(sql`p.created_at`, days)}`
  const some = sql`p.id in (select p.id from record_pictures p where ${inNone} limit ${batch})`
  return { count: await dropPictures(tx, sql`${some} and ${inNone}`) }
}

async function emptyMessages(tx: Tx, days: number) {
  const { numAffectedRows } = await sql`
    update synced_messages set data = '{}' where id in (
      select id from synced_messages where ${old(sql`processed_at`, days)} and data::text <> '{}' limit ${batch})`.execute(
    tx,
  )
  return { count: Number(numAffectedRows ?? 0) }
}

async function emptyLines(tx: Tx, days: number) {
  const { numAffectedRows } = await sql`
    update statement_lines set number = null, name = null where id in (
      select l.id from statement_lines l join agency_statements s on s.id = l.statement_id
      where s.state = 'closed' and ${old(sql`s.ended_at`, days)} and (l.number is not null or l.name is not null)
      limit ${batch})`.execute(tx)
  return { count: Number(numAffectedRows ?? 0) }
}

/**
 * Deletes what is older than its kind is kept, once a night. A worker takes the night by a lease and renews it with each
 * batch; after a crash another one goes on. One audit row says how much was deleted (Access 8.2).
 */
export async function tidy(context: Context): Promise<void> {
  const { db, settings } = context
  const { rows } = await sql<{ day: string }>`
    insert into retention_runs as r (day, leased_until) values (${night}, now() + interval '1 minute')
    on conflict (day) do update set leased_until = excluded.leased_until where r.finished_at is null and r.leased_until < now()
    returning day::text`.execute(db)
  const day = rows[0]?.day
  if (!day) return
  for (const [kind, sweep] of sweeps) {
    while ((await oneBatch(context, day, kind, sweep)) === batch);
  }
  await note(context, day, 'letters', await dropLetters(context, settings.keepDays.letters))
  await note(
    context,
    day,
    'person-exports',
    await dropFiles(context, 'people', /./, settings.keepDays['person-exports']),
  )
  await note(context, day, 'logs', await dropFiles(context, 'logs', /\.log\.1$/, settings.keepDays.logs))
  await dropAgain(context)
  await dropOrphans(context, day)
  await transaction(db, async (tx) => {
    const { rows: done } = await sql<{ counts: Record<string, number> }>`
      update retention_runs set finished_at = now() where day = ${day}::date and finished_at is null returning counts`.execute(
      tx,
    )
    const counts = done[0]?.counts ?? {}
    if (Object.keys(counts).length > 0)
      await audit(tx, portal, 'old data deleted', 'installation', null, { new: counts })
  })
}

/** One batch in a transaction with its count. Its files go after the commit. */
async function oneBatch(
  { db, storage, settings }: Context,
  day: string,
  kind: KeptKind,
  sweep: Sweep,
): Promise<number> {
  const { count, keys } = await transaction(db, async (tx) => {
    const swept = await sweep(tx, settings.keepDays[kind])
    await countIn(tx, day, kind, swept.count)
    return { keys: [], ...swept }
  })
  for (const key of keys) await storage.remove(key)
  return count
}

const note = ({ db }: Context, day: string, kind: KeptKind, count: number) =>
  transaction(db, (tx) => countIn(tx, day, kind, count))

const countIn = (tx: Tx, day: string, kind: KeptKind | 'orphans-left', count: number) =>
  sql`
  update retention_runs set leased_until = now() + interval '1 minute', counts = case when ${count}::int = 0 then counts
    else counts || jsonb_build_object(${kind}::text, coalesce((counts->>${kind}::text)::int, 0) + ${count}::int) end
  where day = ${day}::date`.execute(tx)

/** The moment before which something is deleted that is kept for so many days, by the clock of the database. */
async function before({ db }: Context, days: number): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select floor(extract(epoch from now() - make_interval(days => ${days})) * 1000)::bigint as ms`.execute(db)
  return rows[0]?.ms ?? 0
}

/** Deletes letters of the outbox, whose rows are gone. */
async function dropLetters(context: Context, days: number): Promise<number> {
  const { outbox } = context.storage
  const ms = await before(context, days)
  let count = 0
  for await (const { name, keptAt } of outbox.list()) {
    if (keptAt.getTime() >= ms) continue
    await outbox.remove(name)
    count++
  }
  return count
}

/** Deletes files or folders in a folder of the data folder that are older than so many days of the database. */
async function dropFiles(context: Context, folder: string, form: RegExp, days: number): Promise<number> {
  const ms = await before(context, days)
  const place = join(context.settings.dataDir, folder)
  let count = 0
  for (const name of await readdir(place).catch(() => [])) {
    const path = join(place, name)
    const found = form.test(name) ? await stat(path).catch(() => undefined) : undefined
    if (!found || found.mtimeMs >= ms) continue
    await rm(path, { recursive: true, force: true })
    count++
  }
  return count
}

/** Removes the content of files that lost it within the last two days again, because a crash may have come between. */
async function dropAgain({ db, storage }: Context) {
  const { rows } = await sql<{ key: string }>`
    select key from files where dropped_at > now() - interval '2 days'`.execute(db)
  for (const { key } of rows) await storage.remove(key)
}

/**
 * Removes files that nothing refers to. It removes none if sending is held, because the database may be older than the
 * files, or if they are so many that the store may be that of another portal; their number is counted as left.
 */
async function dropOrphans(context: Context, day: string) {
  const { db, storage, settings, log } = context
  const { rows } = await sql<{ held: boolean }>`
    select exists (select from sending_holds where released_at is null) as held`.execute(db)
  const { orphans, files } = await findOrphans(context, settings.keepDays.orphans)
  const strange = orphans.length > 100 && orphans.length * 2 > files
  if (rows[0]?.held || strange) {
    if (strange)
      log.error(
        { files, orphans: orphans.length },
        'most files of the store belong to no row: none is deleted',
      )
    return transaction(db, (tx) => countIn(tx, day, 'orphans-left', orphans.length))
  }
  for (let at = 0; at < orphans.length; at += batch) {
    const some = orphans.slice(at, at + batch)
    await Promise.all(some.map((key) => storage.remove(key)))
    await note(context, day, 'orphans', some.length)
  }
}
