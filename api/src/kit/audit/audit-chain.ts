import { sql } from 'kysely'
import { type Db, type Tx, transaction } from '../database/db.ts'
import type { KeyRing } from '../secrets/keys.ts'
import { sign, signatureFits, signedBy } from '../secrets/seal.ts'
import { auditPurpose, linkFits, linkHash, type SealedFields, sealFits, valuesHash } from './audit.ts'
import { type AuditKeys, readAuditKeys } from './audit-keys.ts'

const start = Buffer.alloc(32)
type Head = { position: number; hash: Buffer; seal: Buffer }
const headText = ({ position, hash }: Omit<Head, 'seal'>) => `head ${position} ${hash.toString('hex')}`

/** Whether these keys sealed the end of the chain in the database; null if there is none. */
export async function sealedEnd(db: Db, keys: KeyRing): Promise<'ours' | 'foreign' | null> {
  const head = await readHead(db)
  return head ? (headFits(keys, head) ? 'ours' : 'foreign') : null
}

const headFits = (keys: KeyRing, head: Head) => signatureFits(keys, auditPurpose, headText(head), head.seal)

const readHead = async (db: Db) =>
  (await db.pool.query<Head>('select position, hash, seal from audit_head where id = 1')).rows[0]

/**
 * Up to which id all rows are linked, and the id up to which they will be once all transactions before `over` have ended.
 * Ids, because the numbers of transactions of a restored database may be far above those of its new server.
 */
export type LinkedUpTo = { id: number; next: { id: number; over: string } | null }

/**
 * A transaction gets its number shortly after the id of its row. So many rows are looked at again, so that none is left out
 * whose transaction had no number yet.
 */
const margin = 1000

async function linkedBefore(tx: Tx): Promise<number> {
  const { rows } = await sql<{ linked_up_to: string }>`
    select linked_up_to from audit_head where id = 1`.execute(tx)
  return Number(rows[0]?.linked_up_to ?? 0)
}

/** What a turn looks at: whether the transactions of `since.next` have ended, and the newest id with the next transaction. */
async function horizonOf(tx: Tx, { next }: LinkedUpTo) {
  const { rows } = await sql<{ ended: boolean; id: number; over: string }>`
    select coalesce(${next?.over ?? null}::xid8 <= pg_snapshot_xmin(pg_current_snapshot()), false) as ended,
      pg_snapshot_xmax(pg_current_snapshot())::text as over,
      coalesce((select max(id) from audits), 0) as id`.execute(tx)
  return rows[0] ?? { ended: false, id: 0, over: '0' }
}

/**
 * Appends the committed audit rows that are not linked yet to the hash chain. A lock lets one process work; the others
 * return 0 at once. `since` is what the last turn returned, so that rows before it need not be searched. The first turn of a
 * process (null) begins where the process before it had come to.
 */
export async function linkAudits(db: Db, keys: KeyRing, since: LinkedUpTo | null) {
  return transaction(db, async (tx) => {
    const lock = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('audit-chain')) as mine`.execute(tx)
    if (!lock.rows[0]?.mine) return { linked: 0, since }
    const before = since ?? { id: await linkedBefore(tx), next: null }
    const { ended, id, over } = await horizonOf(tx, before)
    // A database whose rows end before that is an older one.
    const floor = before.id > id ? 0 : before.id
    const fresh = await sql<{ id: string; seal: Buffer }>`
      select a.id, a.seal from audits a
      where a.id > ${floor} and not exists (select from audit_links l where l.audit_id = a.id)
      order by a.id limit 5000`.execute(tx)
    const next = before.next && !ended ? before.next : { id, over }
    const reached = ended && before.next ? Math.max(floor, before.next.id - margin) : floor
    const linkedUpTo: LinkedUpTo = { id: reached, next }
    if (!fresh.rows.length) return { linked: 0, since: linkedUpTo }
    const [last] = (await sql<Head>`select position, hash, seal from audit_head where id = 1`.execute(tx))
      .rows
    // Without its end the chain cannot go on. `keepAuditEnd` says so; the rows stay sealed and wait.
    if (!last && (await sql`select from audit_links limit 1`.execute(tx)).rows.length > 0)
      return { linked: 0, since }
    let position = Number(last?.position ?? 0)
    let previous = last?.hash ?? start
    const links = fresh.rows.map((row) => {
      position += 1
      const link = { position, audit_id: Number(row.id), previous }
      const hash = linkHash(keys, { ...link, seal: row.seal })
      previous = hash
      return { ...link, hash }
    })
    const hex = (bytes: Buffer) => bytes.toString('hex')
    await sql`
      insert into audit_links (position, audit_id, previous, hash)
      select position, audit_id, decode(previous, 'hex'), decode(hash, 'hex')
      from jsonb_to_recordset(${JSON.stringify(links.map((l) => ({ ...l, previous: hex(l.previous), hash: hex(l.hash) })))}::jsonb)
        as l(position bigint, audit_id bigint, previous text, hash text)`.execute(tx)
    await sql`
      insert into audit_head (id, position, hash, seal, linked_up_to)
      values (1, ${position}, ${previous}, ${sign(keys, auditPurpose, headText({ position, hash: previous }))}, ${reached})
      on conflict (id) do update set position = excluded.position, hash = excluded.hash, seal = excluded.seal,
        linked_up_to = excluded.linked_up_to
    `.execute(tx)
    // A full batch may have left rows behind, so the next turn searches from the same id.
    return { linked: links.length, since: links.length === 5000 ? since : linkedUpTo }
  })
}

/** A link that was noted outside the database: its position, and its hash in hex; perhaps its audit row and the time. */
export type KnownLink = { position: number; hash: string; audit_id?: number; at?: string }

/**
 * The result of the verification. `fault` describes the first broken row; `tail` is the range of rows that are not
 * linked yet.
 */
export type ChainReport = {
  linked: number
  unlinked: number
  tail: { first: number; last: number } | null
  end: KnownLink | null
  fault: string | null
}

type Row = SealedFields & {
  position: number
  audit_id: number
  previous: Buffer
  hash: Buffer
  id: number | null
  seal: Buffer
  salt: Buffer | null
  old_values: unknown
  new_values: unknown
  erased_at: string | null
  erasure: boolean
}

/**
 * Verifies the whole chain: gapless positions, links, seals, values, the sealed end, and the rows not linked yet. A
 * database that was restored from an old backup is consistent in itself. Only `known`, a link that was noted elsewhere
 * and must still exist, reveals it.
 */
export async function verifyAudits(db: Db, secret: KeyRing, known?: KnownLink): Promise<ChainReport> {
  const keys = await readAuditKeys(db, secret)
  let position = 0
  let previous: Buffer = start
  for (;;) {
    const batch = (
      await db.pool.query<Row>(`${readRows} where l.position > $1 order by l.position limit 2000`, [position])
    ).rows
    if (!batch.length) break
    for (const row of batch) {
      const where = `link ${row.position} (audit row ${row.audit_id})`
      if (row.position !== position + 1) return found(position, `the chain has a gap before ${where}`)
      if (!row.previous.equals(previous))
        return found(position, `${where} does not follow the link before it`)
      const fault = faultOf(keys, row)
      if (fault) return found(position, `${where}: ${fault}`)
      if (!linkFits(keys, row)) return found(position, `${where}: its hash is not the portal's`)
      position = row.position
      previous = row.hash
      if (known?.position === position && known.hash !== row.hash.toString('hex'))
        return found(position, `${where} is not the one that was noted`)
    }
  }
  const head = await readHead(db)
  if (position > 0 || head) {
    if (!head || !headFits(keys, head))
      return found(position, 'the sealed end of the chain is missing or changed')
    if (head.position !== position || !head.hash.equals(previous))
      return found(
        position,
        `the chain ends at link ${position}, but its sealed end is link ${head.position}`,
      )
  }
  if (known && known.position > position) return found(position, missing(position, known))
  const end = position > 0 ? { position, hash: previous.toString('hex') } : null
  return verifyTail(db, keys, position, end)
}

/** Which rows are gone since the end was noted. */
function missing(position: number, known: KnownLink): string {
  const noted = known.at ? ` on ${known.at}` : ''
  const rows = known.audit_id ? `, up to audit row ${known.audit_id}` : ''
  return `the chain ends at link ${position}, but link ${known.position} was noted${noted}: links ${position + 1} to ${known.position} are missing${rows}`
}

/** Searches for duplicates, because the seal of a copied row is valid. */
async function repeated(db: Db): Promise<string | undefined> {
  const { rows } = await db.pool.query<{ first: number; again: number }>(
    'select min(id) as first, max(id) as again from audits group by seal having count(*) > 1 limit 1',
  )
  return rows[0] && `audit row ${rows[0].again} is a copy of audit row ${rows[0].first}`
}

async function verifyTail(
  db: Db,
  keys: AuditKeys,
  linked: number,
  end: KnownLink | null,
): Promise<ChainReport> {
  const tail = (await db.pool.query<Row>(`${readTail} order by a.id`)).rows
  for (const row of tail) {
    const fault = faultOf(keys, row)
    if (fault) return found(linked, `audit row ${row.audit_id} (not linked yet): ${fault}`)
  }
  const twin = await repeated(db)
  if (twin) return found(linked, twin)
  const [first, last] = [tail[0]?.audit_id, tail.at(-1)?.audit_id]
  const ids = first === undefined || last === undefined ? null : { first, last }
  return { linked, unlinked: tail.length, tail: ids, end, fault: null }
}

const found = (linked: number, fault: string): ChainReport => ({
  linked,
  unlinked: 0,
  tail: null,
  end: null,
  fault,
})

function faultOf(keys: AuditKeys, row: Row): string | undefined {
  if (row.id === null) return 'the row is gone'
  if (!sealFits(keys, row)) return 'the row was changed, or not written by the portal'
  if (row.audit_id > (keys.ends.get(signedBy(keys, row.seal)?.id ?? '') ?? Number.POSITIVE_INFINITY))
    return 'it was sealed with a secret that had been replaced before'
  if (row.salt === null) return 'its values are gone'
  if (row.erased_at !== null) {
    if (!row.erasure) return 'its values were emptied without an audited erasure'
    return row.old_values === null && row.new_values === null
      ? undefined
      : 'its values were written again after their erasure'
  }
  return row.values_hash.equals(valuesHash(row.salt, row.old_values, row.new_values))
    ? undefined
    : 'its values were changed'
}

const fields = `a.id, a.created_at, a.user_id, a.ip_address, a.user_agent, a.request_id, a.module, a.event, a.auditable_type,
  a.auditable_id, a.values_hash, a.seal, w.salt, w.old_values, w.new_values, w.erased_at,
  exists (select from audits e where e.event = 'erased' and e.auditable_type = 'audit' and e.auditable_id = a.id) as erasure`
const readRows = `select l.position, l.audit_id, l.previous, l.hash, ${fields}
  from audit_links l left join audits a on a.id = l.audit_id left join audit_values w on w.audit_id = a.id`
const readTail = `select a.id as audit_id, ${fields} from audits a left join audit_values w on w.audit_id = a.id
  where not exists (select from audit_links l where l.audit_id = a.id)`
