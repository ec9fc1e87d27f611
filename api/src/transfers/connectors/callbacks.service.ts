import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { type Db, rows } from '../../kit/database/db.ts'
import { signedOut } from '../../kit/http/refusals.ts'
import type { Context } from '../../kit/process/context.ts'
import { open } from '../../kit/secrets/seal.ts'
import { refusedOnce } from './connector.ts'
import { connectorFacts } from './index.ts'

/**
 * Returns the agency of a report before its body is read. It throws for an agency that does not exist, is inactive or
 * reports nothing: a stranger learns no difference.
 */
export async function expectReporter(db: Db, request: FastifyRequest): Promise<number> {
  const { agency } = request.params as { agency: string }
  if (!/^[1-9]\d{0,15}$/.test(agency)) throw signedOut()
  const [found] = await rows(
    db,
    sql<{ id: number; protocol: string }>`
      select id, protocol from transfer_agencies
      where id = ${agency}::bigint and status = 'active' and 'callback_secret' = any(secret_names)`,
  )
  if (!found || !connectorFacts(found.protocol)?.readReport) throw signedOut()
  return found.id
}

/**
 * Checks the signature of a report over the body as it arrived, or the seal of its address. The payments that it names are queried at once, instead
 * of when their back-off ends. So a report that is repeated, late or false changes nothing. It shortens no waiting time
 * that the agency asked for, and not the one before a refusal is believed. Returns how many payments are queried earlier.
 */
export async function receiveReport(
  { db, settings }: Context,
  agencyId: number,
  { headers, rawJson, query }: FastifyRequest,
): Promise<number> {
  const agency = await db
    .selectFrom('transfer_agencies')
    .select(['protocol', 'secrets'])
    .where('id', '=', agencyId)
    .executeTakeFirst()
  const secrets = agency?.secrets
    ? (JSON.parse(open(settings.secret, agency.secrets)) as Record<string, unknown>)
    : {}
  const report = { headers, text: rawJson, query: query as Record<string, unknown>, now: Date.now() }
  const references = agency && connectorFacts(agency.protocol)?.readReport?.(secrets, report)
  if (!references) throw signedOut()
  if (references.length === 0) return 0
  const woken = await rows(
    db,
    sql<{ id: number }>`
      update payment_attempts a set ask_at = now() from transfer_payrolls p
      where p.id = a.payroll_id and p.reference = any(${references}::text[]) and a.agency_id = ${agencyId}
        and a.ask_at > now() and coalesce(a.reason, '') not in ('too_many_requests', ${refusedOnce})
      returning a.id`,
  )
  return woken.length
}
