import type { QueryOf } from '@portal/contracts/endpoint'
import type { Country, Page } from '@portal/contracts/fields'
import { fill, type Locale, type Text } from '@portal/contracts/sentences'
import type {
  CorrectionDecision,
  RecipientCorrection,
  recipientCorrections,
  WaitingCorrection,
} from '@portal/contracts/transfers/recipient-corrections'
import { sql } from 'kysely'
import { notify } from '../../home/notifications.service.ts'
import { audit } from '../../kit/audit/audit.ts'
import { type Db, type Reader, type Tx, transaction } from '../../kit/database/db.ts'
import { paged } from '../../kit/database/paging.ts'
import { conflict, forbidden, notFound } from '../../kit/http/refusals.ts'
import type { Actor } from '../../kit/http/session.ts'
import type { Context } from '../../kit/process/context.ts'
import type { Settings } from '../../kit/process/settings.ts'
import type { KeyRing } from '../../kit/secrets/keys.ts'
import { aboutKind } from '../../modules/module-links.service.ts'
import { connectorFacts } from '../connectors/index.ts'
import { tellOfDecision, withdrawDecision } from '../decisions/decision-reminders.service.ts'
import { answersAbout, linkAnswers, shownAnswer } from '../names/name-answers.service.ts'
import { paidNumber, type Recipient, readRecipient } from '../recipient.ts'
import { outcomes, say } from './correction.messages.ts'
import { isCorrecting, isDoubted, isHeld, isPaidAfterAll } from './failed-payments.service.ts'
import { type ActedOn, refusalOf } from './payment-acts.ts'
import { writeOffBar } from './write-off.service.ts'

type Entry = Recipient & {
  cohort_id: number
  cohort_name: string
  agency_id: number
  country: Country
}
type Failed = ActedOn & { payroll_group_id: number }

/**
 * Proposes another name, number or account of a recipient of whom a payment has failed (Money 4.14). Nothing changes
 * until a second person approves it.
 */
export function proposeCorrection(
  db: Db,
  actor: Actor,
  fourEyes: boolean,
  entryId: number,
  { reason, ...wanted }: RecipientCorrection,
): Promise<void> {
  return transaction(db, async (tx) => {
    const entry = await lockEntry(tx, entryId)
    const group = await expectCorrectable(tx, entryId)
    const next = readRecipient(entry, wanted)
    const changed = Object.keys(next).filter(
      (key) => next[key as keyof Recipient] !== entry[key as keyof Recipient],
    )
    if (changed.length === 0) throw conflict(say.nothingChanges)
    const { rows } = await sql<{ id: number }>`
      insert into recipient_corrections (master_list_id, old_values, new_values, reason, user_id)
      values (${entryId}, '{}', ${JSON.stringify(next)}::jsonb, ${reason}, ${actor.id}) returning id`.execute(
      tx,
    )
    // The values are in the row of the correction only, where they are erased with the person (Access 7).
    const id = rows[0]?.id ?? 0
    await audit(tx, actor, 'correction proposed', 'cohort', entry.cohort_id, {
      new: { correction: id, columns: changed },
    })
    const { cohort_name: name, cohort_id } = entry
    await tellOfDecision(tx, { what: 'correction', id, name, by: actor.id, cohort_id, page: group }, fourEyes)
  })
}

/** Approves or refuses a correction. Only the approval needs a second person. */
export function decideCorrection(
  { db, actor, settings }: Pick<Context, 'db' | 'settings'> & { actor: Actor },
  id: number,
  { action, comment }: CorrectionDecision,
): Promise<Text> {
  return transaction(db, async (tx) => {
    // Raising a hold locks this row too, so that either of the two sees the other.
    await sql`select from sending_marks for share`.execute(tx)
    const { rows: found } = await sql<{ master_list_id: number }>`
      select master_list_id from recipient_corrections where id = ${id}`.execute(tx)
    if (!found[0]) throw notFound()
    const entryId = found[0].master_list_id
    const entry = await lockEntry(tx, entryId)
    const { rows } = await sql<{ state: string; user_id: number; new_values: Recipient }>`
      select state, user_id, new_values from recipient_corrections where id = ${id} for update`.execute(tx)
    const correction = rows[0]
    if (correction?.state !== 'proposed') throw conflict(say.decided)
    if (action === 'approved') {
      if (correction.user_id === actor.id) throw forbidden(say.own)
      const bar = await writeOffBar(tx, actor, entry.cohort_id, settings.fourEyes)
      if (bar) throw bar.kind === 'person' ? forbidden(bar.text) : conflict(bar.text)
    }
    await sql`
      update recipient_corrections set state = ${action}, comment = ${comment || null}, decided_by = ${actor.id}, decided_at = now()
      where id = ${id}
    `.execute(tx)
    if (action === 'approved')
      await linkKnownAnswer(tx, settings.secret, entry.agency_id, entryId, correction.new_values)
    await audit(tx, actor, `correction ${action}`, 'cohort', entry.cohort_id, { new: { correction: id } })
    await withdrawDecision(tx, 'correction', id)
    if (correction.user_id !== actor.id) {
      const page = aboutKind('record.cohort', entry.cohort_id)
      // The comment may name a family. Row and notice lose it with the person (Access 7), an entry of the log would not.
      const parts = [entry.cohort_name, ...(comment ? [comment] : [])]
      await notify(tx, [correction.user_id], outcomes[action][comment ? 'because' : 'plain'], parts, page)
    }
    return action === 'approved' ? say.approved : say.refused
  })
}

/** Takes a correction back before it is decided. Its row says that its own proposer refused it. */
export function withdrawCorrection(db: Db, actor: Actor, id: number): Promise<void> {
  return transaction(db, async (tx) => {
    const { rows: found } = await sql<{ master_list_id: number; user_id: number }>`
      select master_list_id, user_id from recipient_corrections where id = ${id}`.execute(tx)
    if (!found[0]) throw notFound()
    if (found[0].user_id !== actor.id) throw forbidden(say.notOwn)
    const entry = await lockEntry(tx, found[0].master_list_id)
    const { rows: withdrawn } = await sql`
      update recipient_corrections set state = 'refused', decided_by = ${actor.id}, decided_at = now()
      where id = ${id} and state = 'proposed' returning id`.execute(tx)
    if (withdrawn.length === 0) throw conflict(say.decided)
    await audit(tx, actor, 'correction withdrawn', 'cohort', entry.cohort_id, { new: { correction: id } })
    await withdrawDecision(tx, 'correction', id)
  })
}

/** What the agency has said of the new number and name is from now on its answer about the row. */
async function linkKnownAnswer(tx: Tx, keys: KeyRing, agencyId: number, entryId: number, next: Recipient) {
  const [answer_id] = (await answersAbout(tx, keys, [{ agency_id: agencyId, new_values: next }])).map(
    (answer) => answer?.id,
  )
  if (answer_id) await linkAnswers(tx, [{ master_list_id: entryId, answer_id }])
}

/**
 * Locks the cohort of a recipient and returns the recipient with its corrections so far. It is read by a second statement: one that
 * waits for the lock would not see a correction that was approved meanwhile.
 */
async function lockEntry(tx: Tx, entryId: number): Promise<Entry> {
  await sql`
    select from transfer_cohorts where id = (select cohort_id from transfer_master_list where id = ${entryId}) for update
  `.execute(tx)
  const { rows } = await sql<Entry>`
    select c.id as cohort_id, c.name as cohort_name, a.id as agency_id, a.country, r.first_name as receiver_first_name,
      r.last_name as receiver_last_name, r.phone as receiver_phone_number, r.account as receiver_account
    from transfer_master_list m join transfer_cohorts c on c.id = m.cohort_id
    join transfer_agencies a on a.id = c.transfer_agency_id cross join lateral recipient_of(m.id) r
    where m.id = ${entryId}`.execute(tx)
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** Throws unless a payment of the recipient can be corrected. Returns the latest round of such a payment. */
async function expectCorrectable(tx: Tx, entryId: number): Promise<number> {
  const { rows } = await sql<Failed>`
    select p.payroll_group_id, p.status, p.written_off_at is not null as written_off,
      ${isDoubted(sql`p.id`)} as doubted, ${isPaidAfterAll(sql`p.id`)} as paid_after_all,
      ${isCorrecting(sql`p.master_list_id`)} as correcting,
      ${isHeld(sql`p.master_list_id`)} as held, p.withheld_at is not null as withheld, false as overdue, false as settling
    from (select * from transfer_payrolls where master_list_id = ${entryId} and status = 'failed' order by id for no key update) p
    order by p.id desc
  `.execute(tx)
  const payment = rows.find((each) => refusalOf('correct', each) === null)
  if (payment) return payment.payroll_group_id
  throw conflict((rows[0] && refusalOf('correct', rows[0])) ?? say.nothingFailed)
}

type Row = Omit<WaitingCorrection, 'barred' | 'own' | 'name_answer' | 'tells_names'> & {
  cohort_id: number
  user_id: number
  agency_id: number
  protocol: string
}

/** Lists the corrections that wait for a second person, with what keeps the reader from approving each. */
export async function listCorrections(
  call: { db: Db; actor: Actor; locale: Locale; settings: Settings },
  query: QueryOf<typeof recipientCorrections.list>,
): Promise<Page<WaitingCorrection>> {
  const { db, actor, locale, settings } = call
  const found = await paged<Row>(db, query, {
    columns: sql`k.id, k.master_list_id, m.cohort_id, c.name as cohort_name, a.id as agency_id, a.protocol, f.payroll_group_id, k.old_values, k.new_values, k.reason, k.user_id,
      jsonb_build_object('first_name', u.first_name, 'last_name', u.last_name) as "user", k.created_at, f.failed, f.amount,
      (select count(*) from transfer_master_list o where o.cohort_id = m.cohort_id and o.id <> m.id
        and ${paidNumber(sql`o`)} = coalesce(k.new_values->>'receiver_account', k.new_values->>'receiver_phone_number')) as shared`,
    from: sql`recipient_corrections k join transfer_master_list m on m.id = k.master_list_id
      join transfer_cohorts c on c.id = m.cohort_id
      join transfer_agencies a on a.id = c.transfer_agency_id join users u on u.id = k.user_id
      cross join lateral (
        select max(p.payroll_group_id) as payroll_group_id, count(*) as failed, sum(p.amount)::bigint as amount
        from transfer_payrolls p where p.master_list_id = m.id and p.status = 'failed' and p.written_off_at is null) f`,
    where: [
      sql`k.state = 'proposed' and f.failed > 0`,
      query.payroll_group_id &&
        sql`exists (select from transfer_payrolls p where p.master_list_id = m.id and p.payroll_group_id = ${query.payroll_group_id})`,
    ],
    sort: { id: sql`k.id` },
    order: 'id',
    key: sql`k.id`,
  })
  const bars = new Map<number, Text | null>()
  for (const { cohort_id } of found.data)
    if (!bars.has(cohort_id)) bars.set(cohort_id, await barOf(db, actor, cohort_id, settings.fourEyes))
  const answers = await answersAbout(db, settings.secret, found.data)
  const data = found.data.map(
    ({ cohort_id, user_id, agency_id: _, protocol, ...row }, n): WaitingCorrection => {
      const bar = user_id === actor.id ? say.own : bars.get(cohort_id)
      const answer = answers[n]
      return {
        ...row,
        name_answer: answer ? shownAnswer(settings.secret, answer) : null,
        tells_names: Boolean(connectorFacts(protocol)?.names),
        own: user_id === actor.id,
        barred: bar ? fill(bar, locale) : null,
      }
    },
  )
  return { ...found, data }
}

const barOf = async (db: Reader, actor: Actor, cohortId: number, fourEyes: boolean): Promise<Text | null> =>
  (await writeOffBar(db, actor, cohortId, fourEyes))?.text ?? null
