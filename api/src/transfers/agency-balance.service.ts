import type { AgencyBalance } from '@portal/contracts/agency-balance'
import { fill, type Locale, type Text } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import type { Context } from '../kit/context.ts'
import { notFound } from '../kit/refusals.ts'
import { type AgencyLine, openLine } from './agency-line.ts'
import { say } from './balance.messages.ts'

/** A person waits for the answer, so that it is waited for less long than for that of an order. */
const timeoutMs = 8_000

type Row = {
  id: number
  name: string
  endpoint: string
  protocol: string
  details: Record<string, unknown>
  secrets: Buffer | null
  needed: number
}

/** Asks the agency of a cohort for its balance, outside of any transaction (Money 5.15). It refuses nothing. */
export async function askBalance(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  locale: Locale,
  cohortId: number,
): Promise<AgencyBalance> {
  const { rows } = await sql<Row>`
    select a.id, a.name, a.endpoint, a.protocol, a.details, a.secrets, c.list_amount + c.list_fees as needed
    from transfer_cohorts c join transfer_agencies a on a.id = c.transfer_agency_id
    where c.id = ${cohortId} and c.imported_at is not null`.execute(db)
  const found = rows[0]
  if (!found) throw notFound()
  const { name, needed, ...agency } = found
  const timeout_ms = Math.min(Number(agency.details.timeout_ms) || timeoutMs, timeoutMs)
  const line = await openLine(settings, { ...agency, details: { ...agency.details, timeout_ms } })
  const answer = line ? await askLine(line) : say.notTold
  const known = typeof answer === 'number'
  return {
    agency: name,
    balance: known ? answer : null,
    unknown: known ? null : fill(answer, locale),
    needed,
    missing: known ? Math.max(0, needed - answer) : 0,
  }
}

async function askLine({ connector, agency, close }: AgencyLine): Promise<number | Text> {
  try {
    if (!connector.balance) return say.notTold
    const answer = await connector.balance(agency)
    if (typeof answer === 'number') return answer
    return answer.kind === 'unusable' && answer.reason === 'credentials' ? say.refused : say.noAnswer
  } finally {
    await close()
  }
}
