import { fillText, type Text } from '@portal/contracts/sentences'
import type { WriteOff } from '@portal/contracts/transfers/payrolls'
import { sql } from 'kysely'
import { audit } from '../../kit/audit/audit.ts'
import { type Db, type Reader, transaction } from '../../kit/database/db.ts'
import { conflict, forbidden } from '../../kit/http/refusals.ts'
import type { Actor } from '../../kit/http/session.ts'
import { decisionBar } from '../decisions/cohort-check.service.ts'
import { say } from '../retry.messages.ts'
import { expectAll, lockCohorts, lockPayments, sumOf } from './failed-payments.service.ts'
import { say as writeOffSay } from './write-off.messages.ts'

/**
 * Writes off payments that failed or wait to be sent, all of the selected ones or none (Money 4.12). A trigger sets
 * `written_off_at` of the payments, and the counters of their rounds follow.
 */
export function writeOffPayments(
  db: Db,
  actor: Actor,
  fourEyes: boolean,
  wanted: WriteOff,
): Promise<{ message: Text; written_off: number; amount: number }> {
  return transaction(db, async (tx) => {
    for (const cohortId of await lockCohorts(tx, wanted)) {
      const bar = await writeOffBar(tx, actor, cohortId, fourEyes)
      if (bar) throw bar.kind === 'person' ? forbidden(bar.text) : conflict(bar.text)
    }
    const payments = await lockPayments(tx, wanted)
    expectAll('write_off', payments, wanted.payroll_ids.length, writeOffSay.noneWrittenOff)
    await sql`
      insert into payment_write_offs (payroll_id, amount, reason, user_id, two_people)
      select id, amount, ${wanted.reason}, ${actor.id}, ${fourEyes} from transfer_payrolls
      where id = any(${wanted.payroll_ids}::bigint[]) order by id`.execute(tx)
    for (const { id, status, failure_reason, amount } of payments)
      await audit(tx, actor, 'written off', 'payment', id, {
        old: status === 'pending' ? { status } : { failure_reason },
        new: { reason: wanted.reason, amount },
      })
    const written_off = payments.length
    return { message: fillText(writeOffSay.writtenOff, written_off), written_off, amount: sumOf(payments) }
  })
}

/**
 * Returns why failed payments of a cohort cannot be written off now, by this person (`person`) or by anybody (`state`),
 * or null. A write-off moves no money, so it does not matter whether the cohort is running.
 */
export async function writeOffBar(
  db: Reader,
  actor: { id: number },
  cohortId: number,
  fourEyes: boolean,
): Promise<{ text: Text; kind: 'person' | 'state' } | null> {
  const person = await decisionBar(db, actor, cohortId, fourEyes)
  if (person) return { text: person, kind: 'person' }
  const { rows } = await sql`select from sending_holds where released_at is null`.execute(db)
  return rows.length > 0 ? { text: say.sendingIsHeld, kind: 'state' } : null
}
