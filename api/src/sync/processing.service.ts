import type { Text } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { type Db, databaseFault, type Reader, type Tx, transaction } from '../kit/database/db.ts'
import type { Context } from '../kit/process/context.ts'
import { wholeSchool } from './adapters/answers.ts'
import { text } from './messages.ts'
import {
  classKey,
  codeOf,
  type Figure,
  type KnownSchool,
  type Message,
  readReport,
  reasonOf,
} from './report.ts'

/** Messages of one transaction: enough to be fast, but few enough that other workers get some too. */
const batch = 500

type Waiting = Message & { id: number }
type Outcome = { id: number; figures: Figure[] } | { id: number; error: Text }

/** Processes all waiting messages; several workers share them. */
export async function processMessages(
  { db, log }: Pick<Context, 'db' | 'log'>,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    signal?.throwIfAborted()
    try {
      if ((await transaction(db, (tx) => processBatch(tx, batch))) < batch) return
    } catch (error) {
      // A message that the database refuses must not block the others. So they are processed one by one, and only that
      // message is marked as failed.
      if (!/^2[23]/.test(databaseFault(error)?.code ?? '')) throw error
      log.error({ err: error }, 'messages')
      await processSingly(db, signal)
    }
  }
}

async function processSingly(db: Db, signal?: AbortSignal): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from synced_messages where ${waiting} order by id limit ${batch}`.execute(db)
  for (const { id } of rows) {
    signal?.throwIfAborted()
    try {
      await transaction(db, (tx) => processBatch(tx, 1, id))
    } catch (error) {
      if (!/^2[23]/.test(databaseFault(error)?.code ?? '')) throw error
      await transaction(db, (tx) => settle(tx, [{ id, error: text.broken }]))
    }
  }
}

const waiting = sql`processed_at is null and error is null`

/** Processes one batch that no other worker has locked, in one transaction. */
async function processBatch(tx: Tx, limit: number, only?: number): Promise<number> {
  const { rows } = await sql<Waiting>`
    select id, entity_type, action, data, received_at from synced_messages
    where ${waiting} ${only === undefined ? sql`` : sql`and id = ${only}`}
    order by id limit ${limit} for update skip locked`.execute(tx)
  if (rows.length === 0) return 0
  const schools = await readSchools(tx, new Set(rows.flatMap(({ data }) => codeOf(data) ?? [])))
  const outcomes = rows.map(({ id, ...message }): Outcome => {
    const read = readReport(message, schools)
    return 'figures' in read ? { id, figures: read.figures } : { id, error: reasonOf(read) }
  })
  await writeFigures(tx, outcomes)
  await settle(tx, outcomes)
  return rows.length
}

/**
 * Upserts the latest report of each key and keeps a stored one that is later. So the order of messages, repetitions and
 * the number of workers do not matter. Keys are written in one order, so that workers do not deadlock.
 */
async function writeFigures(tx: Tx, outcomes: readonly Outcome[]): Promise<void> {
  const figures = outcomes.flatMap((one) =>
    'figures' in one ? one.figures.map((figure) => ({ message: one.id, ...figure })) : [],
  )
  if (figures.length === 0) return
  await sql`
    insert into attendance (school_id, date, who, class, enrolled, present, withdrawn, reported_at, message_id, message_key)
    select distinct on (f.school_id, f.date, f.who, f.class collate "C") f.school_id, f.date, f.who, f.class, f.enrolled,
      f.present, f.withdrawn, m.created_at, m.id, m.message_id
    from jsonb_to_recordset(${JSON.stringify(figures)}::jsonb) as f (message bigint, school_id bigint, date date, who text,
      class text, enrolled int, present int, withdrawn boolean) join synced_messages m on m.id = f.message
    order by f.school_id, f.date, f.who, f.class collate "C", m.created_at desc, m.message_id collate "C" desc
    on conflict (school_id, date, who, class) do update set enrolled = excluded.enrolled, present = excluded.present,
      withdrawn = excluded.withdrawn, reported_at = excluded.reported_at, message_id = excluded.message_id,
      message_key = excluded.message_key
    where (excluded.reported_at, excluded.message_key collate "C") > (attendance.reported_at, attendance.message_key collate "C")
  `.execute(tx)
}

async function settle(tx: Tx, outcomes: readonly Outcome[]): Promise<void> {
  const settled = outcomes.map((one) => ({ id: one.id, error: 'error' in one ? one.error : null }))
  await sql`
    update synced_messages m set error = s.error, processed_at = case when s.error is null then now() end
    from jsonb_to_recordset(${JSON.stringify(settled)}::jsonb) as s (id bigint, error jsonb) where m.id = s.id
  `.execute(tx)
}

type SchoolRow = {
  id: number
  admin_code: string
  teachers: number
  students: number
  classes: Record<string, number> | null
}

/** Returns the schools of these codes, with their counts of teachers and learners in the register. */
export async function readSchools(db: Reader, codes: ReadonlySet<string>): Promise<Map<string, KnownSchool>> {
  if (codes.size === 0) return new Map()
  const { rows } = await sql<SchoolRow>`
    select s.id, s.admin_code, (select count(*) from teachers t where t.school_id = s.id)::int as teachers,
      (select count(*) from students u where u.school_id = s.id)::int as students,
      (select jsonb_object_agg(name, n) from (select k.name, count(*)::int as n from students u join classes k on k.id = u.class_id
        where u.school_id = s.id group by k.name) k) as classes
    from schools s where s.admin_code = any(${[...codes]}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.admin_code, known(row)]))
}

function known({ id, teachers, students, classes }: SchoolRow): KnownSchool {
  const learners = new Map([[wholeSchool, students]])
  for (const [name, count] of Object.entries(classes ?? {}))
    learners.set(classKey(name), (learners.get(classKey(name)) ?? 0) + count)
  return { id, teachers, learners }
}
