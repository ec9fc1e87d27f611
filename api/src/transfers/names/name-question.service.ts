import type { AnswerOf, BodyOf } from '@portal/contracts/endpoint'
import type { Country } from '@portal/contracts/fields'
import { fill, type Locale, type Text } from '@portal/contracts/sentences'
import type { nameChecks } from '@portal/contracts/transfers/name-checks'
import { type RawBuilder, sql } from 'kysely'
import { audit } from '../../kit/audit/audit.ts'
import { type Db, databaseFault, rows, type Tx, transaction } from '../../kit/database/db.ts'
import { conflict, notFound } from '../../kit/http/refusals.ts'
import type { Actor } from '../../kit/http/session.ts'
import type { Context } from '../../kit/process/context.ts'
import { openLine } from '../connectors/agency-line.ts'
import type { Connector } from '../connectors/connector.ts'
import { connectorFacts } from '../connectors/index.ts'
import { type Recipient, readRecipient } from '../recipient.ts'
import {
  type Asked,
  type Kept,
  linkAnswers,
  type NewAnswer,
  readAnswer,
  recentlyAsked,
  shownAnswer,
  storeAnswers,
  subjectOf,
} from './name-answers.service.ts'
import { agencyPays } from './name-asking.jobs.ts'
import { say as sayOfCheck } from './name-check.messages.ts'
import { type CohortOfNames, checkBar, cohortOf } from './name-checks.service.ts'
import { say } from './name-question.messages.ts'

type Call = Pick<Context, 'db' | 'settings'> & { actor: Actor; locale: Locale }
type Answer = AnswerOf<typeof nameChecks.ask>
type Entry = Recipient & { cohort_id: number; amount: number; country: Country }
type Names = NonNullable<Connector['names']>
type Question = { entryId: number; cohort: CohortOfNames; asked: Asked }

/** A person waits for the answer, so that it is waited for less long than for that of an order. */
const timeoutMs = 8_000

/**
 * Asks the agency whose number a recipient has, or would have by a correction (Money 5.21). An answer that still counts is
 * given without asking. The agency is called outside of any transaction.
 */
export async function askName(
  { db, settings, actor, locale }: Call,
  entryId: number,
  wanted: BodyOf<typeof nameChecks.ask>,
): Promise<Answer> {
  const entry = await readEntry(db, entryId)
  const [cohort] = await rows(db, cohortOf(entry.cohort_id))
  const bar = cohort && checkBar(cohort)
  if (bar) throw conflict(bar)
  const names = cohort && connectorFacts(cohort.protocol)?.names
  if (!cohort || !names) throw notFound()
  const next = readRecipient(entry, wanted)
  if (next.receiver_phone_number === null) throw conflict(say.noNumber)
  const name = `${next.receiver_first_name} ${next.receiver_last_name}`
  const question = {
    entryId,
    cohort,
    asked: { name, phone: next.receiver_phone_number, amount: entry.amount },
  }
  const known = await knownAnswer({ db, settings }, question, names)
  if (known) {
    await transaction(db, (tx) => linkIfPaid(tx, question, known.id))
    return shownAnswer(settings.secret, known)
  }
  await takeTurn(db, settings, actor, question, names)
  const answer = await askAgency({ db, settings }, question)
  if ('en' in answer) return { outcome: null, holder: null, answered_at: null, problem: fill(answer, locale) }
  await transaction(db, async (tx) => {
    const stored = await storeAnswers(tx, settings.secret, cohort.agency_id, [answer])
    await linkIfPaid(tx, question, stored.get(answer.subject))
  })
  const stored = await knownAnswer({ db, settings }, question, names)
  if (!stored) throw new Error(`the answer about row ${entryId} was not stored`)
  return shownAnswer(settings.secret, stored)
}

async function readEntry(db: Db, entryId: number): Promise<Entry> {
  const [entry] = await rows(
    db,
    sql<Entry>`
    select m.cohort_id, m.amount, a.country, r.first_name as receiver_first_name, r.last_name as receiver_last_name,
      r.phone as receiver_phone_number, r.account as receiver_account
    from transfer_master_list m join transfer_cohorts c on c.id = m.cohort_id
    join transfer_agencies a on a.id = c.transfer_agency_id cross join lateral recipient_of(m.id) r
    where m.id = ${entryId}`,
  )
  if (!entry) throw notFound()
  return entry
}

/** The answer of the agency about this number and name, if it still counts. */
async function knownAnswer(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  { cohort, asked }: Question,
  { freshDays }: Names,
): Promise<Kept | undefined> {
  const { subject } = subjectOf(settings.secret, asked)
  const [known] = await rows(db, freshAnswer(cohort.agency_id, subject, freshDays))
  return known
}

const freshAnswer = (agencyId: number, subject: string, freshDays: number): RawBuilder<Kept> => sql<Kept>`
  select id, outcome, names, answered_at from name_answers
  where agency_id = ${agencyId} and subject = decode(${subject}, 'hex')
    and answered_at > now() - make_interval(days => ${freshDays})`

/** Notes the question, unless the person or the agency has been asked enough. Payments and lists keep their turns. */
async function takeTurn(
  db: Db,
  settings: Context['settings'],
  actor: Actor,
  { entryId, cohort, asked }: Question,
  { rate, perNumber }: Names,
): Promise<void> {
  const { number } = subjectOf(settings.secret, asked)
  if (((await recentlyAsked(db, cohort.agency_id, [number])).get(number) ?? 0) >= perNumber)
    throw conflict(say.numberAsked)
  try {
    await transaction(db, async (tx) => {
      await sql`select from transfer_agencies where id = ${cohort.agency_id} for no key update`.execute(tx)
      const { rows: found } = await sql<{ pays: boolean; asked: number }>`
        select ${agencyPays} as pays, (select count(*)::int from name_questions q
          where q.agency_id = c.agency_id and q.asked_at > clock_timestamp() - interval '1 second') as asked
        from (select ${cohort.agency_id}::bigint as agency_id) c`.execute(tx)
      if (found[0]?.pays) throw conflict(say.paying)
      if ((found[0]?.asked ?? 0) >= rate) throw conflict(say.busy)
      await sql`delete from name_questions where asked_at < now() - interval '1 hour'`.execute(tx)
      await sql`insert into name_questions (agency_id, user_id, asked_at)
        values (${cohort.agency_id}, ${actor.id}, clock_timestamp())`.execute(tx)
      // A check of a list that runs at this agency waits for as long as one question takes of its rate.
      await sql`update name_checks set ask_at = greatest(ask_at, now()) + make_interval(secs => ${1 / rate})
        where agency_id = ${cohort.agency_id} and state = 'running'`.execute(tx)
      await audit(tx, actor, 'name asked', 'cohort', cohort.id, { new: { row: entryId } })
    })
  } catch (error) {
    // The database counts, so that calls at the same moment do not pass the limit.
    if (databaseFault(error)?.constraint === 'name_questions_limit') throw conflict(say.tooMany)
    throw error
  }
}

/** Calls the agency. A text says why it gave no answer. */
async function askAgency(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  { cohort, asked }: Question,
): Promise<NewAnswer | Text> {
  const row = await db
    .selectFrom('transfer_agencies')
    .selectAll()
    .where('id', '=', cohort.agency_id)
    .executeTakeFirstOrThrow()
  const timeout_ms = Math.min(Number(row.details.timeout_ms) || timeoutMs, timeoutMs)
  const line = await openLine(settings, { ...row, details: { ...row.details, timeout_ms } })
  try {
    const answer = await line?.connector.verifyName?.(line.agency, asked)
    if (!answer) return sayOfCheck.notOffered
    const read = readAnswer(answer)
    if (read) return { ...subjectOf(settings.secret, asked), name: asked.name, ...read }
    return 'kind' in answer && answer.kind === 'unusable' && answer.reason === 'credentials'
      ? say.refused
      : say.noAnswer
  } finally {
    await line?.close()
  }
}

/** Makes the answer the current one of the row, if its recipient is the one that was asked about. */
async function linkIfPaid(
  tx: Tx,
  { entryId, asked: { phone, name } }: Question,
  answerId: number | undefined,
): Promise<void> {
  // The lock keeps a correction from being approved meanwhile.
  const { rows: found } = await sql`
    select from transfer_master_list m join transfer_cohorts c on c.id = m.cohort_id
    where m.id = ${entryId} for share of c`.execute(tx)
  const { rows: same } = await sql`
    select from recipient_of(${entryId}) r
    where r.phone = ${phone} and concat_ws(' ', r.first_name, r.last_name) = ${name}`.execute(tx)
  if (answerId && found.length > 0 && same.length > 0)
    await linkAnswers(tx, [{ master_list_id: entryId, answer_id: answerId }])
}
