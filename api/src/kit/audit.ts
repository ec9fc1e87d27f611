import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from './db.ts'
import { deriveKey, hmac, sha256 } from './seal.ts'
import type { Author } from './session.ts'

type Values = Record<string, unknown>

let key: Buffer | undefined

/** Sets the key of the seals. It is called once at start, before the first audit row. */
export function setAuditKey(secret: string) {
  key = auditKey(secret)
}

/** The key of the seals and of the hash chain. */
export const auditKey = (secret: string) => deriveKey(secret, 'audit')

/**
 * Writes one audit row with its values in the caller's transaction. `changes` contains only changed values, and never
 * secrets or passwords. Returns the row's id.
 */
export async function audit(
  tx: Tx,
  author: Author,
  event: string,
  auditableType: string,
  auditableId: number | null,
  changes: { old?: Values | null; new?: Values | null } = {},
): Promise<number> {
  if (!key) throw new Error('setAuditKey() was not called')
  const salt = randomBytes(16)
  const old = plain(changes.old)
  const next = plain(changes.new)
  const row: SealedFields = {
    created_at: new Date().toISOString(),
    user_id: author.id,
    ip_address: author.ip,
    user_agent: author.user_agent,
    request_id: author.request_id,
    event,
    auditable_type: auditableType,
    auditable_id: auditableId,
    values_hash: valuesHash(salt, old, next),
  }
  const written = await sql<{ id: string }>`
    with kept as (
      insert into audits (created_at, user_id, ip_address, user_agent, request_id, event, auditable_type, auditable_id,
        values_hash, seal, transaction)
      values (${row.created_at}, ${row.user_id}, ${row.ip_address}, ${row.user_agent}, ${row.request_id}, ${event},
        ${auditableType}, ${auditableId}, ${row.values_hash}, ${sealOf(key, row)}, pg_current_xact_id())
      returning id)
    insert into audit_values (audit_id, salt, old_values, new_values)
    select id, ${salt}, ${old && JSON.stringify(old)}::jsonb, ${next && JSON.stringify(next)}::jsonb from kept
    returning audit_id as id`.execute(tx)
  return Number(written.rows[0]?.id)
}

/** The fields of `next` that differ from `old`, with their old and new values, for an audit row. */
export function difference<T extends Values>(old: T, next: Partial<T>): { old: Values; new: Values } {
  const changed = Object.keys(next).filter((name) => canonical(old[name]) !== canonical(next[name]))
  const pick = (from: Values) => Object.fromEntries(changed.map((name) => [name, from[name] ?? null]))
  return { old: pick(old), new: pick(next) }
}

/**
 * Erases the values of an audit row. Its hash stays, so that the chain remains valid. The erasure itself is audited.
 */
export async function eraseAudit(tx: Tx, author: Author, auditId: number) {
  await sql`select erase_audit_values(${auditId})`.execute(tx)
  await audit(tx, author, 'erased', 'audit', auditId)
}

/**
 * Erases the values of every audit row about one thing, mostly about a person who asks to be forgotten. Returns their
 * number.
 */
export async function eraseAuditsOf(tx: Tx, author: Author, auditableType: string, auditableId: number) {
  const found = await sql<{ id: number }>`
    select a.id from audits a join audit_values w on w.audit_id = a.id
    where a.auditable_type = ${auditableType} and a.auditable_id = ${auditableId} and w.erased_at is null order by a.id
  `.execute(tx)
  for (const { id } of found.rows) await eraseAudit(tx, author, id)
  return found.rows.length
}

/** The fields that the seal of an audit row covers. */
export type SealedFields = {
  created_at: string
  user_id: number | null
  ip_address: string | null
  user_agent: string | null
  request_id: string | null
  event: string
  auditable_type: string
  auditable_id: number | null
  values_hash: Buffer
}

/** HMAC over the fields of a row, in this order. */
export function sealOf(sealKey: Buffer, row: SealedFields): Buffer {
  const { created_at, user_id, ip_address, user_agent, request_id, event, auditable_type, auditable_id } = row
  const fields = [
    created_at,
    user_id,
    ip_address,
    user_agent,
    request_id,
    event,
    auditable_type,
    auditable_id,
  ]
  return hmac(sealKey, JSON.stringify([...fields, row.values_hash.toString('hex')]))
}

/** Salted hash of the old and new values of a change. The salt prevents guessing erased values from the hash. */
export const valuesHash = (salt: Buffer, old: unknown, next: unknown) =>
  sha256(Buffer.concat([salt, Buffer.from(canonical([old ?? null, next ?? null]))]))

/** Hash of a link: its position, the hash of the link before, and the audit row. */
export const linkHash = (
  sealKey: Buffer,
  position: number,
  previous: Buffer,
  auditId: number,
  seal: Buffer,
) => hmac(sealKey, JSON.stringify([position, previous.toString('hex'), auditId, seal.toString('hex')]))

/** The values as JSON stores them: dates as text, no undefined. */
function plain(values: Values | null | undefined): Values | null {
  return values ? (JSON.parse(JSON.stringify(values)) as Values) : null
}

/** JSON with sorted keys, because jsonb does not keep their order. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
    return `{${entries
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`)
      .join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}
