import { sql } from 'kysely'
import { audit } from '../kit/audit.ts'
import type { Context } from '../kit/context.ts'
import { type Tx, transaction } from '../kit/db.ts'
import type { Outbox } from '../kit/outbox.ts'
import { portal } from '../kit/session.ts'
import type { Person } from './person.service.ts'
import { traces } from './traces.ts'

/**
 * Erases a person in one transaction, audited, as the owner of the database: all rows of `traces`, each as that table
 * says. The content of files is deleted after the commit, and again by the nightly job, because a crash may come between.
 * An approved request is carried out once: if another worker was faster, nothing happens and the answer is false.
 */
export async function erasePerson(
  { db, storage }: Context,
  person: Person,
  request?: number,
): Promise<boolean> {
  const keys = await transaction(db, async (tx) => {
    if ((await carryOut(tx, person)) === 0 && request) return null
    const { rows: stored } = await sql<{ file_key: string | null }>`select file_key from exports`.execute(tx)
    for (const { erase } of traces) await erase?.(tx, person)
    const { rows: dropped } = await sql<{ key: string }>`
      select key from files where dropped_at = now()`.execute(tx)
    await audit(tx, portal, 'person erased', person.subject.type, person.subject.id, {
      new: {
        list_rows: person.list_ids.length,
        case_count: person.case_ids.length,
        file_count: dropped.length,
        ...(request && { request }),
      },
    })
    return [...stored.flatMap(({ file_key }) => file_key ?? []), ...dropped.map(({ key }) => key)]
  })
  if (keys === null) return false
  for (const key of keys) await storage.remove(key)
  if (person.email) await dropLetters(storage.outbox, person.email)
  return true
}

/** Ends the approved request, if there is one. Its row is locked, so that another worker waits and then finds none. */
async function carryOut(tx: Tx, { subject }: Person): Promise<number> {
  const { numAffectedRows } = await sql`
    update erasure_requests set state = 'erased', erased_at = now()
    where subject_type = ${subject.type} and subject_id = ${subject.id} and state = 'approved'`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Deletes the letters to this address from the outbox, where they are written without a mail server. */
async function dropLetters(outbox: Outbox, email: string) {
  for await (const { name } of outbox.list()) {
    if (isTo(await outbox.read(name), email)) await outbox.remove(name)
  }
}

/** Whether a letter goes to this address, and not to a longer one that ends or begins like it. */
const isTo = (letter: string, email: string) =>
  letter
    .split(/\r?\n\r?\n/)[0]
    ?.split(/\r?\n/)
    .some((line) => line.toLowerCase() === `to: ${email.toLowerCase()}`)
