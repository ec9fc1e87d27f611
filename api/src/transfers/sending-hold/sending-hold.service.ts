import { fill, type Locale } from '@portal/contracts/sentences'
import { type HoldReason, holdReasonWords } from '@portal/contracts/transfers/hold-words'
import { sql } from 'kysely'
import { sendMail } from '../../home/mail.service.ts'
import { notify } from '../../home/notifications.service.ts'
import { audit } from '../../kit/audit/audit.ts'
import { type Db, type Tx, transaction } from '../../kit/database/db.ts'
import { conflict, forbidden, notFound } from '../../kit/http/refusals.ts'
import { type Actor, portal } from '../../kit/http/session.ts'
import type { Settings } from '../../kit/process/settings.ts'
import { missRoundsOfHold } from '../rounds/rounds.service.ts'
import { releaseBar } from './held.service.ts'
import { say } from './sending-hold.messages.ts'

const page = '/admin/transfers/sending-hold'

/**
 * Stops sending for the whole installation and lists what must be queried. If a hold is open already, it gets the new
 * reasons and queries everything again, because the database may have been replaced once more. It is as late as its last
 * reason then: what the lost database did until now is asked about.
 */
export async function raiseHold(
  tx: Tx,
  settings: Settings,
  reasons: readonly HoldReason[],
  knownUntil: Date,
  movedAgencies: readonly number[] = [],
): Promise<void> {
  // A round that is being made is listed below, or it is made after the hold is known (`round_is_not_paid_before`).
  await sql`select pg_advisory_xact_lock(hashtext('rounds of a hold'))`.execute(tx)
  const { rows } = await sql<{ id: number; added: boolean }>`
    insert into sending_holds as h (reasons, known_until) values (${reasons}::text[], ${knownUntil.toISOString()})
    on conflict ((true)) where released_at is null do update set
      reasons = (select array_agg(distinct r) from unnest(h.reasons || excluded.reasons) r),
      known_until = least(h.known_until, excluded.known_until), asks_from = excluded.asks_from, raised_at = excluded.raised_at
    returning id, xmax = 0 as added`.execute(tx)
  const hold = rows[0]
  if (!hold) throw new Error('The hold was not written.')
  await askEverything(tx, hold.id, movedAgencies)
  if (!hold.added) return
  await audit(tx, portal, 'sending held', 'sending hold', hold.id, {
    new: { reasons, known_until: knownUntil.toISOString() },
  })
  await tell(tx, settings, reasons)
}

/**
 * Lists the payments to query and the agencies' lists to read. Failed payments are among them, because people may have retried them: a
 * lost database may have newer attempts. A closed cohort has none (Money 5.14). Both start after a delay (`line_is_clear` in the
 * database), when no order can be in flight any more. New fencing tokens make every worker lose its lease.
 */
async function askEverything(tx: Tx, holdId: number, movedAgencies: readonly number[]): Promise<void> {
  await sql`
    update agency_leases set fence = fence + 1, owner = null, lease_until = now(), rest_until = null
  `.execute(tx)
  await sql`
    with rounds as (
      insert into sending_hold_rounds (hold_id, payroll_group_id)
      select ${holdId}, g.id from transfer_payroll_groups g where g.pending + g.sending + g.unknown + g.failed - g.written_off > 0
      on conflict (hold_id, payroll_group_id) do update set failure = null, confirmed_by = null, confirmed_at = null
      returning payroll_group_id
    )
    insert into sending_hold_questions (hold_id, payroll_group_id, agency_id, payroll_id)
    select ${holdId}, p.payroll_group_id, coalesce((select a.agency_id from payment_attempts a
        where a.payroll_id = p.id and a.state in ('sending', 'unknown')), c.transfer_agency_id), p.id
    from rounds r join transfer_payrolls p using (payroll_group_id)
      join transfer_payroll_groups g on g.id = p.payroll_group_id join transfer_cohorts c on c.id = g.cohort_id
    where p.status in ('pending', 'sending', 'unknown') or p.status = 'failed' and p.written_off_at is null
    on conflict (hold_id, payroll_id) do update set answer = null, tries = 0, ask_at = excluded.ask_at
  `.execute(tx)
  await sql`
    insert into sending_hold_lists as l (hold_id, agency_id, moved)
    select ${holdId}, id, id = any(${movedAgencies}::bigint[]) from transfer_agencies
    on conflict (hold_id, agency_id) do update set after = 0, payments = 0, state = 'reading',
      ask_at = excluded.ask_at, moved = l.moved or excluded.moved, can_ask = false`.execute(tx)
}

/** Notifies approvers and administrators in the portal and by e-mail. */
async function tell(tx: Tx, settings: Settings, reasons: readonly HoldReason[]): Promise<void> {
  const { rows } = await sql<{ id: number; email: string | null; locale: Locale | null }>`
    select distinct u.id, u.email, u.locale from users u join user_roles ur on ur.user_id = u.id
      join role_permissions rp on rp.role_id = ur.role_id join permissions p on p.id = rp.permission_id
    where u.account and u.deactivated_at is null and p.name in ('cohorts.approve', 'agencies.create') order by u.id
  `.execute(tx)
  const why = {
    en: reasons.map((reason) => holdReasonWords[reason].en).join(' '),
    fr: reasons.map((reason) => holdReasonWords[reason].fr).join(' '),
  }
  const ids = rows.map((row) => row.id)
  await notify(tx, ids, say.holdRaised, [why], page)
  for (const { email, locale } of rows) {
    if (!email) continue
    const languages = locale ? [locale] : (['fr', 'en'] as const)
    await sendMail(tx, settings, {
      recipient: email,
      subject: languages.map((one) => say.holdSubject[one]).join(' / '),
      body: languages
        .map((one) => fill(say.holdLetter, one, why[one], `${settings.publicUrl}${page}`))
        .join('\n\n---\n\n'),
    })
  }
}

type Held = { id: number; reasons: HoldReason[]; known_until: string }

async function lockHold(tx: Tx): Promise<Held> {
  const { rows } = await sql<Held>`
    select id, reasons, known_until from sending_holds where released_at is null for update`.execute(tx)
  if (!rows[0]) throw conflict(say.noHold)
  return rows[0]
}

/** Records that a person confirms a round whose agency cannot be queried (Money 8.2). */
export function confirmHeldRound(db: Db, actor: Actor, groupId: number): Promise<void> {
  return transaction(db, async (tx) => {
    const hold = await lockHold(tx)
    const { rows } = await sql<{ failure: string | null; confirmed_at: string | null }>`
      select failure, confirmed_at from sending_hold_rounds where hold_id = ${hold.id} and payroll_group_id = ${groupId}
    `.execute(tx)
    const round = rows[0]
    if (!round) throw notFound()
    if (!round.failure || round.confirmed_at) throw conflict(say.roundIsAsked)
    await sql`
      update sending_hold_rounds set confirmed_by = ${actor.id}, confirmed_at = now()
      where hold_id = ${hold.id} and payroll_group_id = ${groupId}`.execute(tx)
    await audit(tx, actor, 'held round confirmed', 'sending hold', hold.id, {
      new: { payroll_group_id: groupId, failure: round.failure },
    })
  })
}

/**
 * Releases the hold once all payments are queried or confirmed and all lists are read. Rounds that became due meanwhile
 * are missed (Money 8.3).
 */
export function releaseHold(db: Db, actor: Actor, fourEyes: boolean): Promise<{ missed: number }> {
  return transaction(db, async (tx) => {
    const hold = await lockHold(tx)
    const bar = await releaseBar(tx, actor, fourEyes, hold.id)
    if (bar) throw bar.kind === 'person' ? forbidden(bar.text) : conflict(bar.text, ...bar.parts)
    const missed = await missRoundsOfHold(tx, hold.known_until)
    await sql`
      update sending_holds set released_at = now(), released_by = ${actor.id} where id = ${hold.id}
    `.execute(tx)
    await audit(tx, actor, 'sending released', 'sending hold', hold.id, {
      old: { reasons: hold.reasons },
      new: { rounds_missed: missed },
    })
    return { missed }
  })
}
