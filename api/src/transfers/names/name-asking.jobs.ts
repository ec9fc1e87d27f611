import { sql } from 'kysely'
import { type Db, rows, transaction } from '../../kit/database/db.ts'
import type { Context } from '../../kit/process/context.ts'
import { type AgencyLine, openLine } from '../connectors/agency-line.ts'
import type { NameAnswer, Outcome } from '../connectors/connector.ts'
import {
  type Asked,
  freshAnswers,
  linkAnswers,
  type NewAnswer,
  readAnswer,
  recentlyAsked,
  type Subject,
  storeAnswers,
  subjectOf,
} from './name-answers.service.ts'

type Task = {
  id: number
  fence: number
  cohort_id: number
  agency_id: number
  after_id: number
  tries: number
}
type Row = { id: number; phone: string | null; name: string; amount: number }
type Question = Row & Asked & Subject

/** Outlasts a pause of its process and the longest call. After a kill another worker goes on then. */
const leaseSeconds = 15
const timeoutMs = 5_000
const rowsAtOnce = 200
/** After so many batches without any answer the check ends. A person starts it again, and it goes on. */
const triesAtMost = 5

/** The check was cancelled, or another worker has taken it over. */
class CheckEnded extends Error {}

/** SQL: payments of the agency are being made, or a hold asks about them. They have its slots for themselves. */
export const agencyPays = sql`exists (
  select from agency_leases l where l.agency_id = c.agency_id and l.lease_until > now())`

/**
 * Asks agencies about the names of lists (Money 5.19): one list of an agency at a time, the oldest first. Nothing is asked
 * while payments of the agency are being made.
 */
export async function askNames(context: Context): Promise<void> {
  for (;;) {
    const task = await claim(context.db)
    if (!task) return
    try {
      await askFor(context, task)
    } catch (error) {
      if (!(error instanceof CheckEnded)) throw error
    }
  }
}

async function claim(db: Db): Promise<Task | undefined> {
  const [task] = await rows(
    db,
    sql<Task>`
    update name_checks c set leased_until = now() + make_interval(secs => ${leaseSeconds}), fence = c.fence + 1
    from (
      select c.id from name_checks c
      where c.state = 'running' and c.ask_at <= now() and (c.leased_until is null or c.leased_until < now())
        and c.id = (select min(o.id) from name_checks o where o.agency_id = c.agency_id and o.state = 'running')
        and not ${agencyPays}
      order by c.id limit 1 for update skip locked
    ) free
    where c.id = free.id
    returning c.id, c.fence, c.cohort_id, c.agency_id, c.after_id, c.tries`,
  )
  return task
}

async function askFor(context: Context, task: Task): Promise<void> {
  const { db, settings } = context
  const row = await db
    .selectFrom('transfer_agencies')
    .selectAll()
    .where('id', '=', task.agency_id)
    .executeTakeFirst()
  const timeout_ms = Math.min(Number(row?.details.timeout_ms) || timeoutMs, timeoutMs)
  const line = row && (await openLine(settings, { ...row, details: { ...row.details, timeout_ms } }))
  try {
    if (!line?.connector.verifyName || !line.connector.names) return await fail(db, task, 'not_offered')
    // One batch per claim, so that payments come first, and cancelling counts, between two batches.
    await askBatch(context, task, line)
  } finally {
    await line?.close()
  }
}

async function askBatch({ db, settings }: Context, task: Task, line: AgencyLine): Promise<void> {
  const { freshDays = 0, rate = 1, perNumber = 1 } = line.connector.names ?? {}
  const list = await rows(
    db,
    sql<Row>`
    select m.id, r.phone, concat_ws(' ', r.first_name, r.last_name) as name, m.amount
    from transfer_master_list m cross join lateral recipient_of(m.id) r
    where m.cohort_id = ${task.cohort_id} and m.id > ${task.after_id} order by m.id limit ${rowsAtOnce}`,
  )
  const asking = list.flatMap((row): Question[] => {
    const { phone } = row
    return phone ? [{ ...row, phone, ...subjectOf(settings.secret, { ...row, phone }) }] : []
  })
  const subjects = asking.map(({ subject }) => subject)
  const known = await freshAnswers(db, task.agency_id, freshDays, subjects)
  const batch = firstUnknown(asking, known, line.concurrency)
  const counts = await recentlyAsked(
    db,
    task.agency_id,
    batch.map(({ number }) => number),
  )
  const allowed = batch.filter(({ number }) => {
    const count = counts.get(number) ?? 0
    counts.set(number, count + 1)
    return count < perNumber
  })
  const began = performance.now()
  const answers = await Promise.all(allowed.map((each) => line.connector.verifyName?.(line.agency, each)))
  const answered = allowed.flatMap((each, n): NewAnswer[] => {
    const answer = answers[n]
    const read = answer && readAnswer(answer)
    return read ? [{ subject: each.subject, number: each.number, name: each.name, ...read }] : []
  })
  const stored = await transaction(db, (tx) => storeAnswers(tx, settings.secret, task.agency_id, answered))
  for (const [subject, id] of stored) known.set(subject, id)
  const stop = answered.length < allowed.length ? stopFor(answers, answered.length > 0) : null
  if (stop === 'refused') return fail(db, task, 'refused')
  const tries = answered.length === 0 && stop !== null ? task.tries + 1 : 0
  if (tries > triesAtMost) return fail(db, task, 'no_answer')
  const tried = new Set(stop === null ? batch.map(({ subject }) => subject) : [])
  const left = asking.find(({ subject }) => !known.has(subject) && !tried.has(subject))
  const passed = left ? list.filter(({ id }) => id < left.id) : list
  // The next batch is due when the agency's rate allows it, whichever worker takes it.
  const pace = (1000 * allowed.length) / Math.min(rate, line.rate ?? rate) - (performance.now() - began)
  await advance(db, task, {
    passed,
    asking,
    known,
    tries,
    restMs: Math.max(restOf(stop, tries), pace, 0),
    last: !left && list.length < rowsAtOnce,
  })
}

/** The first questions that nobody has answered, each subject once. */
function firstUnknown(
  asking: readonly Question[],
  known: ReadonlyMap<string, number>,
  size: number,
): Question[] {
  const first = new Map<string, Question>()
  for (const each of asking) {
    if (first.size >= size) break
    if (!known.has(each.subject) && !first.has(each.subject)) first.set(each.subject, each)
  }
  return [...first.values()]
}

type Answer = NameAnswer | Outcome | undefined

/**
 * What to do about questions without an answer: end the check, or ask again after so many milliseconds. Null: the agency
 * answered others, so these are left out.
 */
function stopFor(answers: readonly Answer[], someAnswered: boolean): 'refused' | number | null {
  const outcomes = answers.flatMap((answer) => (answer && 'kind' in answer ? [answer] : []))
  if (outcomes.some((each) => each.kind === 'unusable' && each.reason === 'credentials')) return 'refused'
  const waits = outcomes.flatMap((each) => (each.kind === 'not_sent' ? [each.wait_ms] : []))
  if (waits.length > 0) return Math.max(...waits)
  return someAnswered ? null : 0
}

/** A rest after a batch that must be repeated: as long as the agency asks for, at least a second, then twice as long. */
const restOf = (stop: number | null, tries: number) =>
  stop === null ? 0 : Math.max(stop, tries === 0 ? 0 : 1000 * 2 ** (tries - 1))

type Step = {
  passed: readonly Row[]
  asking: readonly Question[]
  known: ReadonlyMap<string, number>
  tries: number
  restMs: number
  /** Whether these were the last rows of the list. */
  last: boolean
}

/** Links the answers of the rows that were passed and notes how far the check is. */
function advance(db: Db, task: Task, { passed, asking, known, tries, restMs, last }: Step): Promise<void> {
  const ids = new Set(passed.map(({ id }) => id))
  const links = asking.flatMap(({ id, subject }) => {
    const answer_id = known.get(subject)
    return ids.has(id) && answer_id ? [{ master_list_id: id, answer_id }] : []
  })
  return transaction(db, async (tx) => {
    const { numAffectedRows } = await sql`
      update name_checks set done = done + ${passed.length}, unanswered = unanswered + ${passed.length - links.length},
        after_id = ${passed.at(-1)?.id ?? task.after_id}, tries = ${tries}, leased_until = null,
        ask_at = now() + make_interval(secs => ${restMs / 1000}),
        state = case when ${last} then 'finished' else state end, ended_at = case when ${last} then now() end
      where id = ${task.id} and fence = ${task.fence} and state = 'running'`.execute(tx)
    if (!numAffectedRows) throw new CheckEnded(`check ${task.id} has ended`)
    if (links.length > 0) await linkAnswers(tx, links)
  })
}

async function fail(db: Db, task: Task, problem: 'refused' | 'no_answer' | 'not_offered'): Promise<void> {
  await sql`update name_checks set state = 'failed', problem = ${problem}, ended_at = now(), leased_until = null
    where id = ${task.id} and fence = ${task.fence} and state = 'running'`.execute(db)
}
