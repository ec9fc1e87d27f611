import type { QueryOf } from '@portal/contracts/endpoint'
import type { Page } from '@portal/contracts/fields'
import { fill, type Locale, type Text } from '@portal/contracts/sentences'
import { type HoldReason, holdReasonWords } from '@portal/contracts/transfers/hold-words'
import type { HeldDifference, SendingHold, sendingHold } from '@portal/contracts/transfers/sending-hold'
import { sql } from 'kysely'
import { type Db, type Reader, rows } from '../../kit/database/db.ts'
import { matches, paged } from '../../kit/database/paging.ts'
import type { Actor } from '../../kit/http/session.ts'
import { auditPayeeSearch } from '../payee-searches.ts'
import { roundsToMiss } from '../rounds/rounds.service.ts'
import { say } from './sending-hold.messages.ts'

type Head = Pick<
  SendingHold,
  'id' | 'raised_at' | 'known_until' | 'asks_from' | 'unknown_here' | 'differs' | 'learned'
> & {
  reasons: HoldReason[]
}

/** Returns the open hold with the progress of its queries, or null if there is none. */
export async function readHold(
  db: Db,
  actor: Actor,
  locale: Locale,
  fourEyes: boolean,
): Promise<SendingHold | null> {
  const [head] = await rows(
    db,
    sql<Head>`
    select h.id, h.reasons, h.raised_at, h.known_until, h.asks_from, d.*
    from sending_holds h, lateral (
      select count(*) filter (where kind = 'unknown_here') as unknown_here,
        count(*) filter (where kind = 'differs') as differs, count(*) filter (where kind = 'learned') as learned
      from sending_hold_differences where hold_id = h.id
    ) d
    where h.released_at is null`,
  )
  if (!head) return null
  const [rounds, lists, to_miss, bar] = await Promise.all([
    readHeldRounds(db, head.id),
    readHeldLists(db, head.id),
    roundsToMiss(db, head.known_until),
    releaseBar(db, actor, fourEyes, head.id),
  ])
  return {
    ...head,
    reasons: head.reasons.map((reason) => holdReasonWords[reason][locale]),
    entries: rounds.reduce((sum, round) => sum + round.entries, 0),
    asked: rounds.reduce((sum, round) => sum + round.asked, 0),
    to_miss,
    barred: bar && fill(bar.text, locale, ...bar.parts),
    rounds,
    lists,
  }
}

const readHeldRounds = (db: Db, holdId: number): Promise<SendingHold['rounds']> =>
  rows(
    db,
    sql`
    select g.id, c.id as cohort_id, c.name as cohort_name, a.name as agency_name, g.n, g.due_on, q.entries, q.asked, r.failure,
      r.confirmed_at is not null as confirmed
    from sending_hold_rounds r join transfer_payroll_groups g on g.id = r.payroll_group_id
    join transfer_cohorts c on c.id = g.cohort_id join transfer_agencies a on a.id = c.transfer_agency_id,
    lateral (
      select count(*) as entries, count(answer) as asked from sending_hold_questions
      where hold_id = r.hold_id and payroll_group_id = r.payroll_group_id
    ) q
    where r.hold_id = ${holdId} order by g.due_on, g.id`,
  )

const readHeldLists = (db: Db, holdId: number): Promise<SendingHold['lists']> =>
  rows(
    db,
    sql`
    select l.agency_id, a.name as agency_name, l.payments, l.state from sending_hold_lists l
    join transfer_agencies a on a.id = l.agency_id where l.hold_id = ${holdId} order by a.name`,
  )

/** Returns why this person cannot release the hold now, or null. */
export async function releaseBar(
  db: Reader,
  actor: { id: number },
  fourEyes: boolean,
  holdId: number,
): Promise<{ text: Text; parts: number[]; kind: 'person' | 'state' } | null> {
  const found = await sql<{ unasked: number; reading: number; own: number }>`
    select
      (select count(*) from sending_hold_questions q join sending_hold_rounds r using (hold_id, payroll_group_id)
        where q.hold_id = ${holdId} and q.answer is null and r.confirmed_at is null) as unasked,
      (select count(*) from sending_hold_lists where hold_id = ${holdId} and state = 'reading') as reading,
      (select count(*) from sending_hold_rounds r join transfer_payroll_groups g on g.id = r.payroll_group_id
        where r.hold_id = ${holdId} and exists (
          select from cohort_touched_by(g.cohort_id) t where t.user_id = ${actor.id})) as own`.execute(db)
  const { unasked = 0, reading = 0, own = 0 } = found.rows[0] ?? {}
  if (fourEyes && own > 0) return { text: say.holdFourEyes, parts: [], kind: 'person' }
  if (unasked > 0) return { text: say.holdNotAsked, parts: [unasked], kind: 'state' }
  if (reading > 0) return { text: say.holdReading, parts: [], kind: 'state' }
  return null
}

/** SQL: what a difference is found by. */
const named = sql`portal_search(concat_ws(' ', p.receiver_first_name, p.receiver_last_name, d.reference, d.external_trx_id, d.phone))`

/**
 * Lists the payments of the open hold that the database did not know, or that differ from what the agencies reported. Whoever searches
 * them is in the log (Access 6.8).
 */
export async function listDifferences(
  db: Db,
  actor: Actor,
  query: QueryOf<typeof sendingHold.differences>,
): Promise<Page<HeldDifference>> {
  const found = await paged<HeldDifference & { payroll_id: number | null }>(db, query, {
    columns: sql`d.id, d.kind, d.payroll_id, a.name as agency_name, p.payroll_group_id,
      p.receiver_first_name || ' ' || p.receiver_last_name as receiver, d.reference, d.external_trx_id, d.phone, d.amount,
      p.amount as expected, d.state, d.at`,
    from: sql`sending_hold_differences d join sending_holds h on h.id = d.hold_id and h.released_at is null
      join transfer_agencies a on a.id = d.agency_id left join transfer_payrolls p on p.id = d.payroll_id`,
    where: [query.kind && sql`d.kind = ${query.kind}`, matches(named, query.search)],
    sort: { at: sql`d.at`, amount: sql`d.amount` },
    order: null,
    key: sql`d.id`,
  })
  const ids = found.data.flatMap(({ payroll_id: id }) => (id ? [{ id }] : []))
  await auditPayeeSearch(db, actor, query.search, 'payment', { ...found, data: ids })
  return { ...found, data: found.data.map(({ payroll_id: _, ...difference }) => difference) }
}
