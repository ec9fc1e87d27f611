import { type Selectable, sql } from 'kysely'
import type { TransferAgencies } from '../../kit/database/database.types.ts'
import type { Reader } from '../../kit/database/db.ts'
import type { Settings } from '../../kit/process/settings.ts'
import { type AgencyLine, openLine } from '../connectors/agency-line.ts'
import type { AgencyPayment } from '../connectors/connector.ts'

/** What an agency's own list says: how many payments it has, or that it gives none; and a sentence for each fault. */
export type AgencyFindings = { agency: string; listed: number | null; faults: string[] }

/**
 * Compares the list of each agency that gives one with the payments here, page by page. What the agency paid after
 * the comparison began is not compared, and neither is what is on its way.
 */
export async function verifyAgencies(db: Reader, settings: Settings): Promise<AgencyFindings[]> {
  const { rows: agencies } = await sql<Selectable<TransferAgencies>>`
    select a.* from transfer_agencies a where exists (select from payment_attempts t where t.agency_id = a.id) order by a.id
  `.execute(db)
  const found: AgencyFindings[] = []
  for (const agency of agencies) {
    const line = await openLine(settings, agency)
    try {
      const read = line && (await compareList(db, line))
      found.push({ agency: agency.name, listed: null, faults: [], ...read })
    } finally {
      await line?.close()
    }
  }
  return found
}

async function compareList(
  db: Reader,
  { connector, agency }: AgencyLine,
): Promise<Omit<AgencyFindings, 'agency'> | null> {
  if (!connector.list) return null
  const { rows: begins } = await sql<{ since: string; now: string; ours: number }>`
    select to_char(coalesce(min(sent_at), now()) at time zone 'utc' - interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since,
      now()::text as now, count(*) filter (where state = 'success' and sent_at is not null) as ours
    from payment_attempts where agency_id = ${agency.id}`.execute(db)
  const { since = '', now = '', ours = 0 } = begins[0] ?? {}
  const faults: string[] = []
  let listed = 0
  let matched = 0
  for (let after = 0; ; ) {
    const page = await connector.list(agency, since, after)
    if (!('payments' in page)) return null
    const paid = page.payments.filter(({ outcome }) => outcome.kind === 'success')
    const { known, wrong } = await comparePage(db, agency.id, now, paid)
    matched += known
    faults.push(...wrong)
    listed += page.payments.length
    if (page.next === null) break
    after = page.next
  }
  if (matched < ours) faults.push(`${ours - matched} payments that count as made are not in its list`)
  return { listed, faults }
}

/** A payment is found by the key of its order; an agency that does not repeat keys has its own id there. */
async function comparePage(db: Reader, agencyId: number, now: string, paid: readonly AgencyPayment[]) {
  const wanted = JSON.stringify(
    paid.map(({ key, reference, external_trx_id, amount }) => ({ key, reference, external_trx_id, amount })),
  )
  const { rows } = await sql<{ reference: string | null; key: string; counted: boolean; here: string }>`
    select l.reference, l.key, a.sent_at is not null and a.settled_at <= ${now}::timestamptz as counted, case when p.id is null then 'unknown' when a.id is null then 'another' when l.amount <> p.amount then 'amount'
      when a.state = 'success' then 'made' when a.state = 'failed' then 'failed' else 'open' end as here
    from jsonb_to_recordset(${wanted}::jsonb) l (key text, reference text, external_trx_id text, amount bigint)
    left join transfer_payrolls p on p.reference = l.reference
    left join payment_attempts a on a.payroll_id = p.id and a.agency_id = ${agencyId}
      and (l.key = a.idempotency_key::text or l.key = a.external_trx_id or l.external_trx_id = a.external_trx_id)
    where a.id is null or a.sent_at is null or a.sent_at <= ${now}::timestamptz`.execute(db)
  const wording: Record<string, string> = {
    unknown: 'paid an order that is not known here',
    another: 'paid an order that no attempt here has',
    amount: 'paid another amount than the order has',
    failed: 'paid an order that failed here',
  }
  return {
    known: rows.filter(({ here, counted }) => here === 'made' && counted).length,
    wrong: rows.flatMap(({ here, reference, key }) =>
      wording[here] ? [`it ${wording[here]}: reference ${reference ?? 'none'}, key ${key}`] : [],
    ),
  }
}
