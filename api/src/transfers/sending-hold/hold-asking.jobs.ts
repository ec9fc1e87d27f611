import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { rows } from '../../kit/database/db.ts'
import { repeat } from '../../kit/jobs/repeat.ts'
import type { Context } from '../../kit/process/context.ts'
import { type AgencyLine, openLine } from '../connectors/agency-line.ts'
import {
  dropLease,
  extendLease,
  type Lease,
  LeaseLost,
  takeHeldAgency,
} from '../engine/agency-lease.service.ts'
import {
  type Answered,
  claimHeld,
  hasMoved,
  noteFailure,
  type Question,
  writeAnswers,
} from './hold-asking.service.ts'
import { claimList, noteCanAsk, noteList, notePage } from './hold-lists.service.ts'

/**
 * During a hold, queries the agencies about its payments and reads their own lists. Returns the function that stops it.
 */
export function askWhileHeld(context: Context): () => Promise<void> {
  return repeat(context, 'questions of a hold', 500, async () => {
    const [hold] = await rows(context.db, sql`select id from sending_holds where released_at is null`)
    if (hold) await Promise.all([askAgencies(context), readLists(context)])
  })
}

async function askAgencies(context: Context): Promise<void> {
  const pool = context.db.pool
  for (;;) {
    const payments = await takeHeldAgency(pool, randomUUID())
    if (!payments) return
    const { hold_id, ...lease } = payments
    try {
      await askAgency(context, lease, hold_id)
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error
    } finally {
      await dropLease(pool, lease)
    }
  }
}

async function askAgency(context: Context, lease: Lease, holdId: number): Promise<void> {
  const pool = context.db.pool
  const line = await lineTo(context, lease.agency_id)
  const beat = setInterval(() => void extendLease(pool, lease).catch(() => {}), 1_000)
  try {
    if (!tellsUnpaid(line)) return await noteFailure(pool, lease, holdId, 'cannot_ask')
    const moved = await hasMoved(pool, holdId, lease.agency_id)
    for (;;) {
      const questions = await claimHeld(pool, lease, holdId, 4 * line.concurrency)
      if (questions.length === 0) return
      const answers = await askAll(line, questions)
      await writeAnswers(pool, lease, holdId, answers, moved)
      const answered = answers.length === questions.length
      await noteFailure(pool, lease, holdId, answered ? (moved ? 'moved' : null) : 'unreachable')
      if (!answered) return
    }
  } finally {
    clearInterval(beat)
    await line?.close()
  }
}

/**
 * Whether a query by reference shows that a payment was not made. If it does not, a person asks the agency and confirms the
 * round.
 */
const tellsUnpaid = (line: AgencyLine | null): line is AgencyLine =>
  line?.connector.askReference !== undefined && line.connector.notFound !== 'nothing'

/** Queries payments concurrently. Payments without an answer are missing from the result. */
async function askAll(line: AgencyLine, questions: readonly Question[]): Promise<Answered[]> {
  const answers: Answered[] = []
  const rest = questions.values()
  const askNext = async () => {
    for (const question of rest) {
      const payments = await line.connector.askReference?.(line.agency, question.reference)
      if (Array.isArray(payments)) answers.push({ question, payments })
    }
  }
  await Promise.all(Array.from({ length: line.concurrency }, askNext))
  return answers
}

async function readLists(context: Context): Promise<void> {
  for (;;) {
    const list = await claimList(context.db)
    if (!list) return
    const line = await lineTo(context, list.agency_id)
    try {
      if (!line) {
        await noteList(context.db, list, 'unreachable')
        continue
      }
      if (tellsUnpaid(line)) await noteCanAsk(context.db, list)
      if (!line.connector.list) {
        await noteList(context.db, list, 'no_list')
        continue
      }
      let { after } = list
      for (;;) {
        const page = await line.connector.list(line.agency, list.since, after)
        if (!('payments' in page)) {
          await noteList(context.db, list, 'unreachable')
          break
        }
        await notePage(context.db, list, page)
        if (page.next === null) break
        after = page.next
      }
    } finally {
      await line?.close()
    }
  }
}

async function lineTo({ db, settings }: Context, agencyId: number): Promise<AgencyLine | null> {
  const agency = await db
    .selectFrom('transfer_agencies')
    .selectAll()
    .where('id', '=', agencyId)
    .executeTakeFirst()
  return agency ? openLine(settings, agency) : null
}
