import { sql } from 'kysely'
import { rows, type Tx } from '../database/db.ts'
import { say } from './messages.ts'
import { Refusal } from './refusals.ts'

/** Who sent a form, if it was one. An `Actor` is such a sender; a command is one without a form. */
export type FormSender = { form?: string | undefined; session_id?: number }

/**
 * Notes in the transaction of what a form makes that it was sent, or throws 409 if it was before (Calls 1.9). It comes first in the
 * transaction: a second press of the button then waits for the first one, and makes the thing only if that failed.
 */
export async function sendOnce(tx: Tx, { form, session_id }: FormSender) {
  if (!form || !session_id) return
  const made = await rows(
    tx,
    sql`insert into sent_forms (form, session_id) values (${form}, ${session_id}) on conflict do nothing returning form`,
  )
  if (made.length === 0) throw new Refusal(409, say.formSent)
}
