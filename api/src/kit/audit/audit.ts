import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { rows, type Tx } from '../database/db.ts'
import type { Author } from '../http/session.ts'
import type { KeyRing } from '../secrets/keys.ts'
import { sha256, sign, signatureFits } from '../secrets/seal.ts'

type Values = Record<string, unknown>

let keys: KeyRing | undefined

/** Sets the keys of the seals. It is called once at start, before the first audit row. */
export function setAuditKey(secret: KeyRing) {
  keys = secret
}

/** The purpose of the key of the seals and of the hash chain. */
export const auditPurpose = 'audit'

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
  if (!keys) throw new Error('setAuditKey() was not called')
  const salt = randomBytes(16)
  const old = plain(changes.old)
  const next = plain(changes.new)
  const row: SealedFields = {
    created_at: new Date().toISOString(),
    user_id: author.id,
    ip_address: author.ip,
    user_agent: author.user_agent,
    request_id: author.request_id,
    module: author.module ?? null,
    event,
    auditable_type: auditableType,
    auditable_id: auditableId,
    values_hash: valuesHash(salt, old, next),
  }
  const written = sql<{ id: number }>`
    with kept as (
      insert into audits (created_at, user_id, ip_address, user_agent, request_id, module, event, auditable_type,
        auditable_id, values_hash, seal, transaction)
      values (${row.created_at}, ${row.user_id}, ${row.ip_address}, ${row.user_agent}, ${row.request_id}, ${row.module}, ${event},
        ${auditableType}, ${auditableId}, ${row.values_hash}, ${sealOf(keys, row)}, pg_current_xact_id())
      returning id)
    insert into audit_values (audit_id, salt, old_values, new_values)
    select id, ${salt}, ${old && JSON.stringify(old)}::jsonb, ${next && JSON.stringify(next)}::jsonb from kept
    returning audit_id as id`
  const [made] = await rows(tx, written)
  return Number(made?.id)
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
  module: string | null
  event: string
  auditable_type: string
  auditable_id: number | null
  values_hash: Buffer
}

/** Signature over the fields of a row. */
const sealOf = (keys: KeyRing, row: SealedFields) => sign(keys, auditPurpose, sealedText(row))

/** Whether the portal wrote this row. */
export const sealFits = (keys: KeyRing, row: SealedFields & { seal: Buffer }) =>
  signatureFits(keys, auditPurpose, sealedText(row), row.seal)

/** The fields that a seal covers, in this order. Rows without a module have the text of the time before there was one. */
function sealedText(row: SealedFields): string {
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
  const through = row.module === null ? [] : [row.module]
  return JSON.stringify([...fields, row.values_hash.toString('hex'), ...through])
}

/** Salted hash of the old and new values of a change. The salt prevents guessing erased values from the hash. */
export const valuesHash = (salt: Buffer, old: unknown, next: unknown) =>
  sha256(Buffer.concat([salt, Buffer.from(canonical([old ?? null, next ?? null]))]))

/** What the hash of a link covers: its position, the hash of the link before, and the audit row. */
type Link = { position: number; previous: Buffer; audit_id: number; seal: Buffer }
const linkText = ({ position, previous, audit_id, seal }: Link) =>
  JSON.stringify([position, previous.toString('hex'), audit_id, seal.toString('hex')])

/** Signed hash of a link. */
export const linkHash = (keys: KeyRing, link: Link) => sign(keys, auditPurpose, linkText(link))

/** Whether the portal made this link. */
export const linkFits = (keys: KeyRing, link: Link & { hash: Buffer }) =>
  signatureFits(keys, auditPurpose, linkText(link), link.hash)

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
