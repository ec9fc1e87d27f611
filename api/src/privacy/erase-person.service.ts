import { sql } from 'kysely'
import { audit } from '../kit/audit/audit.ts'
import { databaseFault, type Tx, transaction } from '../kit/database/db.ts'
import { portal } from '../kit/http/session.ts'
import type { Outbox } from '../kit/jobs/outbox.ts'
import type { Context } from '../kit/process/context.ts'
import { isImporting } from './erasable.service.ts'
import { isRequestOn, type Person, stagedRows } from './person.service.ts'
import { traces } from './traces.ts'

/**
 * Erases a person in one transaction, audited, as the owner of the database: all rows of `traces`, each as that table
 * says. The content of files is deleted after the commit, and again by the nightly job, because a crash may come between.
 * An approved request is carried out once: if it is not open any more, nothing happens and the answer is false.
 */
export async function erasePerson(
  { db, storage }: Context,
  person: Person,
  request?: number,
): Promise<boolean> {
  const keys = await transaction(db, async (tx) => {
    await holdImports(tx, person)
    if (!(await carryOut(tx, person, request))) return null
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
  await dropLetters(storage.outbox, person.addresses)
  return true
}

/** An import began since the bars to an erasure were read. */
class ImportBegan extends Error {}

/**
 * No import is uploaded, read or written until the erasure has ended: it would keep what the registers had before. Throws if one
 * is under way, or has staged rows of hers since she was looked for.
 */
async function holdImports(tx: Tx, person: Person) {
  await sql`lock table imports in share row exclusive mode`.execute(tx)
  const { imports, rows } = await stagedRows(tx, person)
  const known = new Set(person.staged.imports.map((id, at) => `${id}/${person.staged.rows[at]}`))
  const isNew = imports.some((id, at) => !known.has(`${id}/${rows[at]}`))
  if (isNew || (await isImporting(tx))) throw new ImportBegan('An import began meanwhile')
}

/** Whether an erasure was refused, because an import, a list or a payment of the person began since the bars to it were read. */
export const beganMeanwhile = (error: unknown): boolean =>
  error instanceof ImportBegan ||
  ['erase_undecided', 'transfer_payrolls_erased'].includes(databaseFault(error)?.constraint ?? '')

/**
 * Ends the approved requests on the person. False if `request` is none of them: another worker carried it out, for whose end this
 * one waits.
 */
async function carryOut(tx: Tx, person: Person, request?: number): Promise<boolean> {
  const { rows: open } = await sql<{ id: number }>`
    select id from erasure_requests where state = 'approved' and (id = ${request ?? null}::bigint or ${isRequestOn(person)})
    order by id for update`.execute(tx)
  const ids = open.map(({ id }) => id)
  if (request !== undefined && !ids.includes(request)) return false
  await sql`
    update erasure_requests set state = 'erased', erased_at = now() where id = any(${ids}::bigint[])`.execute(
    tx,
  )
  return true
}

/** Deletes the letters to these addresses from the outbox, where they are written without a mail server. */
async function dropLetters(outbox: Outbox, addresses: string[]) {
  if (addresses.length === 0) return
  for await (const { name } of outbox.list()) {
    const letter = await outbox.read(name)
    if (addresses.some((email) => isTo(letter, email))) await outbox.remove(name)
  }
}

/** Whether a letter goes to this address, and not to a longer one that ends or begins like it. */
const isTo = (letter: string, email: string) =>
  letter
    .split(/\r?\n\r?\n/)[0]
    ?.split(/\r?\n/)
    .some((line) => line.toLowerCase() === `to: ${email.toLowerCase()}`)
