import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../kit/database/db.ts'
import type { StoredUpload } from '../../kit/files/files.ts'
import type { Context } from '../../kit/process/context.ts'
import { type FileOrder, fileBegin, fileEnd, type Payer, writeOrder } from '../iso20022/pain001.ts'

/** A file of orders on the disk, with what it has. */
export type WrittenFile = StoredUpload & {
  message_id: string
  payments: number
  amount: number
  /** The hash of all its orders, to compare them with the payments that are claimed. */
  fingerprint: string
}

/** Orders read and written at once. */
const batch = 2_000

/**
 * SQL: the payments of a round that wait to be sent, with the attempt that each will have. Those that an agency of before
 * has reported are none of them.
 */
export const pendingOrders = (groupId: number): RawBuilder<unknown> => sql`
  select t.*, coalesce(t.open_key, payment_key(t.reference, t.n)) as key from (
    select p.id, p.reference, p.amount, p.receiver_first_name || ' ' || p.receiver_last_name as name, p.receiver_account as account,
      p.receiver_bank as bank, a.idempotency_key as open_key,
      coalesce(a.n, 1 + (select count(*) from payment_attempts f where f.payroll_id = p.id))::int as n
    from transfer_payrolls p left join payment_attempts a on a.payroll_id = p.id and a.state <> 'failed'
    where p.payroll_group_id = ${groupId} and p.status = 'pending'
      and p.id not in (select e.payroll_id from orders_elsewhere(${groupId}) e)
  ) t`

/** SQL: a hash of the orders `o`. It changes with every value that stands in the file. */
export const fingerprint = sql`encode(sha256(convert_to(
  string_agg(concat_ws('|', o.key, o.n, o.amount, o.name, o.account, o.bank), E'\n' order by o.id), 'utf8')), 'hex')`

/**
 * Writes the file of a round as it is at this moment, in batches, to a temporary file. The file's name at the bank is a
 * hash of the keys of its orders: a copy of the database that writes the same orders gives it the same name, and the bank
 * refuses it.
 */
export function writeBankFile(
  { db, storage }: Pick<Context, 'db' | 'storage'>,
  { group_id, payer, purpose }: { group_id: number; payer: Payer; purpose: string },
): Promise<WrittenFile> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const { rows } = await sql<Omit<WrittenFile, keyof StoredUpload> & { created_at: string }>`
        select coalesce(substr(encode(sha256(convert_to(string_agg(o.key::text, ',' order by o.key), 'utf8')), 'hex'), 1, 32), '')
            as message_id,
          count(*) as payments, coalesce(sum(o.amount), 0)::bigint as amount, coalesce(${fingerprint}, '') as fingerprint,
          to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as created_at
        from (${pendingOrders(group_id)}) o`.execute(tx)
      const head = rows[0]
      if (!head) throw new Error(`round ${group_id} has no sums`)
      const path = await storage.temp()
      const written = await writeTo(path, [
        fileBegin({ ...head, payer, purpose }),
        ordersOf(tx, group_id, purpose),
        fileEnd,
      ])
      const { created_at: _, ...sums } = head
      const name = `pain.001-${head.message_id.slice(0, 12)}.xml`
      return { ...sums, ...written, path, name, type: 'application/xml' }
    })
}

async function* ordersOf(tx: Tx, groupId: number, purpose: string): AsyncGenerator<string> {
  for (let after = 0; ; ) {
    const { rows } = await sql<FileOrder & { id: number }>`
      select o.id, o.key, end_to_end_id(o.reference, o.n) as end_to_end_id, o.amount, o.name, o.account, o.bank
      from (${pendingOrders(groupId)}) o where o.id > ${after} order by o.id limit ${batch}`.execute(tx)
    const last = rows.at(-1)
    if (!last) return
    yield rows.map((order) => writeOrder(order, purpose)).join('')
    after = last.id
  }
}

async function writeTo(path: string, parts: readonly (string | AsyncGenerator<string>)[]) {
  const hash = createHash('sha256')
  let size = 0
  const file = await open(path, 'wx', 0o600)
  try {
    for (const part of parts)
      for await (const text of typeof part === 'string' ? [part] : part) {
        const bytes = Buffer.from(text, 'utf8')
        hash.update(bytes)
        size += bytes.length
        await file.writeFile(bytes)
      }
  } finally {
    await file.close()
  }
  return { size, sha256: hash.digest() }
}
