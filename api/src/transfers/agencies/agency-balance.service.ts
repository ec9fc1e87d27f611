import { fill, type Locale, type Text } from '@portal/contracts/sentences'
import type { AgencyBalance } from '@portal/contracts/transfers/agency-balance'
import { planRounds, roundAtApproval } from '@portal/contracts/transfers/rounds'
import { sql } from 'kysely'
import { notFound } from '../../kit/http/refusals.ts'
import type { Context } from '../../kit/process/context.ts'
import { type AgencyLine, openLine } from '../connectors/agency-line.ts'
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
  from: string
  to: string
  frequency: number
  today: string
}

/** Asks the agency of a cohort for its balance, outside of any transaction (Money 5.15). It refuses nothing. */
export async function askBalance(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  locale: Locale,
  cohortId: number,
): Promise<AgencyBalance> {
  const { rows } = await sql<Row>`
    select a.id, a.name, a.endpoint, a.protocol, a.details, a.secrets, l.amount + l.fees as needed,
      c."from", c."to", p.frequency, (now() at time zone 'utc')::date as today
    from transfer_cohorts c join transfer_agencies a on a.id = c.transfer_agency_id
      join transfer_parameters p on p.id = c.transfer_parameter_id cross join lateral payable_of_list(c.id) l
    where c.id = ${cohortId} and c.imported_at is not null`.execute(db)
  const found = rows[0]
  if (!found) throw notFound()
  const { name, needed, from, to, frequency, today, ...agency } = found
  const plan = planRounds(from, to, frequency)
  const dueOn = plan[roundAtApproval(plan, today) - 1]?.due_on ?? from
  const timeout_ms = Math.min(Number(agency.details.timeout_ms) || timeoutMs, timeoutMs)
  const line = await openLine(settings, { ...agency, details: { ...agency.details, timeout_ms } })
  const answer = line ? await askLine(line) : say.notTold
  // Read after the answer: what is paid while the agency answers is counted as needed rather than forgotten.
  const { others, other_lists } = await owedByOthers(db, agency.id, cohortId, dueOn)
  const known = typeof answer === 'number'
  const rest = known ? answer - others - needed : 0
  return {
    agency: name,
    balance: known ? answer : null,
    unknown: known ? null : fill(answer, locale),
    needed,
    others,
    other_lists,
    left: known && rest >= 0 ? rest : null,
    missing: Math.max(0, -rest),
  }
}

/**
 * What other approved lists still draw from the agency's account until `dueOn`: payments that were made and are not
 * paid yet, and rounds that will be made by then. A payment that is on its way may have left the account already; it is
 * counted, so that a lack is rather named too early. Missed rounds are not paid by themselves and are left out.
 */
async function owedByOthers(
  db: Context['db'],
  agencyId: number,
  cohortId: number,
  dueOn: string,
): Promise<{ others: number; other_lists: number }> {
  const { rows } = await sql<{ others: number; other_lists: number }>`
    with due as (
      select c.id, r.n, r.state
      from transfer_cohorts c join transfer_rounds r on r.cohort_id = c.id
      where c.transfer_agency_id = ${agencyId} and c.id <> ${cohortId} and c.status in ('approved', 'error')
        and r.due_on <= ${dueOn}::date
    ), owed as (
      select d.id, p.amount + p.fees as cost
      from due d join transfer_payroll_groups g on g.cohort_id = d.id and g.n = d.n and g.pending + g.sending > 0
        join transfer_payrolls p on p.payroll_group_id = g.id and p.status in ('pending', 'sending')
      where d.state = 'made'
      union all
      select d.id, l.amount + l.fees from due d cross join lateral payable_of_list(d.id) l
      where d.state = 'scheduled'
    )
    select coalesce(sum(cost), 0)::bigint as others, count(distinct id)::int as other_lists from owed`.execute(
    db,
  )
  return rows[0] ?? { others: 0, other_lists: 0 }
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
