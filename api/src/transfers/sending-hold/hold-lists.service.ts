import { sql } from 'kysely'
import { type Db, transaction } from '../../kit/database/db.ts'
import { reportedJson, storableRows } from '../connectors/agency-payments.ts'
import type { PaymentPage } from '../connectors/connector.ts'

/** An agency's own list of payments. `after` is the cursor from which reading goes on. */
export type HeldList = { hold_id: number; agency_id: number; after: number; since: string }

/**
 * Claims a list of the open hold that is due for reading. Its next time is set first, so that no two workers read it at
 * once.
 */
export async function claimList(db: Db): Promise<HeldList | null> {
  const { rows } = await sql<HeldList>`
    update sending_hold_lists l set ask_at = now() + interval '30 seconds'
    from sending_holds h
    where h.id = l.hold_id and (l.hold_id, l.agency_id) = (
      select l.hold_id, l.agency_id from sending_hold_lists l join sending_holds h on h.id = l.hold_id
      where h.released_at is null and l.state in ('reading', 'unreachable') and l.ask_at <= now()
      order by l.agency_id limit 1 for update of l skip locked)
    returning l.hold_id, l.agency_id, l.after, to_char((h.known_until - interval '1 day') at time zone 'utc',
      'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since`.execute(db)
  return rows[0] ?? null
}

/** Records that the agency can be asked about payments by reference. */
export async function noteCanAsk(db: Db, list: HeldList): Promise<void> {
  await sql`
    update sending_hold_lists set can_ask = true where hold_id = ${list.hold_id} and agency_id = ${list.agency_id}
  `.execute(db)
}

/** Records that the agency has no list or did not answer. */
export async function noteList(db: Db, list: HeldList, state: 'no_list' | 'unreachable'): Promise<void> {
  await sql`
    update sending_hold_lists set state = ${state} where hold_id = ${list.hold_id} and agency_id = ${list.agency_id}
  `.execute(db)
}

/**
 * Records the payments of one page, and for a person those that differ from the database: payments with an unknown
 * reference, payments of ours with a key that no attempt here has or would get next, and payments that were made
 * although the attempt here has failed.
 */
export async function notePage(db: Db, list: HeldList, { payments, next }: PaymentPage): Promise<void> {
  const found = JSON.stringify(storableRows(payments))
  await transaction(db, async (tx) => {
    await sql`select note_reported(${list.agency_id}, ${reportedJson(payments)}::jsonb)`.execute(tx)
    await sql`
      insert into sending_hold_differences
        (hold_id, agency_id, kind, payroll_id, key, reference, external_trx_id, phone, amount, state, at)
      select ${list.hold_id}, ${list.agency_id}, case when p.id is null then 'unknown_here' else 'differs' end, p.id, l.key,
        l.reference, l.external_trx_id, l.phone, l.amount, l.state, l.at
      from jsonb_to_recordset(${found}::jsonb) l (key text, reference text, external_trx_id text, phone text, amount bigint,
        state text, at timestamptz, paid boolean)
      left join transfer_payrolls p on p.reference = l.reference
      where p.id is null or (l.key <> payment_key(p.reference, 1)::text and not exists (
        select from payment_attempts a where a.payroll_id = p.id
          and l.key in (a.idempotency_key::text, payment_key(p.reference, a.n + 1)::text)))
        or (l.paid and exists (select from payment_attempts a where a.payroll_id = p.id) and not exists (
          select from payment_attempts a where a.payroll_id = p.id and a.idempotency_key::text = l.key and a.state <> 'failed'))
      on conflict do nothing`.execute(tx)
    await sql`
      update sending_hold_lists set payments = payments + ${payments.length}, after = coalesce(${next}, after),
        state = ${next === null ? 'read' : 'reading'}, ask_at = now() + interval '30 seconds'
      where hold_id = ${list.hold_id} and agency_id = ${list.agency_id}`.execute(tx)
  })
}
