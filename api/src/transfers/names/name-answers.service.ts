import type { NameOutcome, NameAnswer as ShownAnswer } from '@portal/contracts/transfers/name-outcomes'
import { type RawBuilder, sql } from 'kysely'
import { type Db, type Reader, rows, type Tx } from '../../kit/database/db.ts'
import { deriveKey, type KeyRing } from '../../kit/secrets/keys.ts'
import { hmac, open, seal } from '../../kit/secrets/seal.ts'
import type { NameAnswer, Outcome } from '../connectors/connector.ts'
import { failureClassOf } from '../connectors/index.ts'
import type { Recipient } from '../recipient.ts'

/** A recipient to ask about. */
export type Asked = { phone: string; name: string; amount: number }
/** The hashes by which an answer is found again without its number and name. */
export type Subject = { subject: string; number: string }
/** An answer to store. */
export type NewAnswer = Subject & {
  name: string
  holder: string | null
  outcome: NameOutcome
  within_limits: boolean | null
}

/** Hashes as hexadecimal digits. After the secret was renewed they are others, so that the agency is asked again. */
export function subjectOf(keys: KeyRing, { phone, name }: Pick<Asked, 'phone' | 'name'>): Subject {
  const key = deriveKey(keys, 'names at agencies')
  const hash = (text: string) => hmac(key, text).toString('hex')
  return { subject: hash(`${phone}\n${name}`), number: hash(phone) }
}

/**
 * Reads what a response says of the holder. A definite refusal of the recipient is an answer, too. Null: the agency did not
 * answer.
 */
export function readAnswer(
  answer: NameAnswer | Outcome,
): Pick<NewAnswer, 'holder' | 'outcome' | 'within_limits'> | null {
  if (!('kind' in answer)) {
    const { active, name, holder, within_limits } = answer
    return { outcome: active === false ? 'not_found' : name, holder, within_limits }
  }
  const refused = answer.kind === 'failed' && failureClassOf(answer.reason) === 'recipient'
  return refused ? { outcome: 'not_found', holder: null, within_limits: null } : null
}

/** The answers of the agency that still count, by subject. */
export async function freshAnswers(
  db: Reader,
  agencyId: number,
  freshDays: number,
  subjects: readonly string[],
): Promise<Map<string, number>> {
  const { rows: found } = await sql<{ id: number; subject: string }>`
    select id, encode(subject, 'hex') as subject from name_answers
    where agency_id = ${agencyId} and answered_at > now() - make_interval(days => ${freshDays})
      and subject = any(select decode(s, 'hex') from unnest(${subjects}::text[]) s)`.execute(db)
  return new Map(found.map(({ id, subject }) => [subject, id]))
}

/** How often each number was asked about in the last five minutes, under whatever name. */
export async function recentlyAsked(
  db: Db,
  agencyId: number,
  numbers: readonly string[],
): Promise<Map<string, number>> {
  const found = await rows(
    db,
    sql<{ number: string; count: number }>`
    select encode(number, 'hex') as number, count(*)::int as count from name_answers
    where agency_id = ${agencyId} and answered_at > now() - interval '5 minutes'
      and number = any(select decode(n, 'hex') from unnest(${numbers}::text[]) n)
    group by number`,
  )
  return new Map(found.map(({ number, count }) => [number, count]))
}

/** Stores answers in place of older ones about the same number and name. Returns their ids by subject. */
export async function storeAnswers(
  tx: Tx,
  keys: KeyRing,
  agencyId: number,
  answers: readonly NewAnswer[],
): Promise<Map<string, number>> {
  const given = answers.map(({ name, holder, ...each }) => ({
    ...each,
    names: seal(keys, JSON.stringify({ name, holder })).toString('hex'),
  }))
  const { rows: stored } = await sql<{ id: number; subject: string }>`
    insert into name_answers (agency_id, subject, number, names, outcome, within_limits)
    select ${agencyId}, decode(t.subject, 'hex'), decode(t.number, 'hex'), decode(t.names, 'hex'), t.outcome, t.within_limits
    from json_to_recordset(${JSON.stringify(given)}::json)
      as t (subject text, number text, names text, outcome text, within_limits boolean)
    order by t.subject
    on conflict (agency_id, subject) do update set names = excluded.names, outcome = excluded.outcome,
      within_limits = excluded.within_limits, answered_at = excluded.answered_at
    returning id, encode(subject, 'hex') as subject`.execute(tx)
  return new Map(stored.map(({ id, subject }) => [subject, id]))
}

/** Makes these answers the current ones of rows of a list. */
export async function linkAnswers(
  tx: Tx,
  links: readonly { master_list_id: number; answer_id: number }[],
): Promise<void> {
  const given = JSON.stringify(links)
  await sql`
    update name_answer_rows l set current = false
    from json_to_recordset(${given}::json) as g (master_list_id bigint, answer_id bigint)
    where l.master_list_id = g.master_list_id and l.current and l.answer_id <> g.answer_id`.execute(tx)
  await sql`
    insert into name_answer_rows (master_list_id, answer_id, current)
    select g.master_list_id, g.answer_id, true
    from json_to_recordset(${given}::json) as g (master_list_id bigint, answer_id bigint)
    on conflict (master_list_id, answer_id) do update set current = true, linked_at = now()`.execute(tx)
}

/** SQL: whether a correction of the row was approved after the answer was linked to it by `link`. */
export const isOutdated = (link: RawBuilder<unknown>): RawBuilder<unknown> => sql`exists (
  select from recipient_corrections k
  where k.master_list_id = ${link}.master_list_id and k.state = 'approved' and k.decided_at > ${link}.linked_at)`

/**
 * SQL: the answer that counts for a row of a list. One from before a correction was approved is about another number or
 * name, and one of another agency about another account.
 */
export const answerOf = (row: RawBuilder<unknown>, agency: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select a.* from name_answer_rows l join name_answers a on a.id = l.answer_id
  where l.master_list_id = ${row} and l.current and a.agency_id = ${agency} and not ${isOutdated(sql`l`)})`

/** An answer that was kept. */
export type Kept = { id: number; outcome: NameOutcome; answered_at: string; names: Buffer }

/** The answers about new recipients at their agencies, in their order, however old. */
export async function answersAbout(
  db: Reader,
  keys: KeyRing,
  of: readonly { agency_id: number; new_values: Recipient }[],
): Promise<(Kept | undefined)[]> {
  const subjects = of.map(({ new_values: r }) =>
    r.receiver_phone_number
      ? subjectOf(keys, {
          phone: r.receiver_phone_number,
          name: `${r.receiver_first_name} ${r.receiver_last_name}`,
        }).subject
      : '',
  )
  const { rows: found } = await sql<Kept & { agency_id: number; subject: string }>`
    select id, outcome, answered_at, names, agency_id, encode(subject, 'hex') as subject from name_answers
    where subject = any(select decode(s, 'hex') from unnest(${subjects}::text[]) s)`.execute(db)
  return of.map(({ agency_id }, n) =>
    found.find((each) => each.agency_id === agency_id && each.subject === subjects[n]),
  )
}

/** A kept answer as a person reads it. */
export const shownAnswer = (keys: KeyRing, { outcome, answered_at, names }: Kept): ShownAnswer => ({
  outcome,
  answered_at,
  holder: openNames(keys, names).holder,
  problem: null,
})

/** Opens the two names of an answer. */
export const openNames = (keys: KeyRing, names: Buffer): { name: string; holder: string | null } =>
  JSON.parse(open(keys, names)) as { name: string; holder: string | null }
