import type { QueryOf } from '@portal/contracts/endpoint'
import type { Page } from '@portal/contracts/fields'
import { fill, type Locale, type Text } from '@portal/contracts/sentences'
import type {
  ExceptionClosing,
  ListedException,
  paymentExceptions,
} from '@portal/contracts/transfers/payment-exceptions'
import { sql } from 'kysely'
import { audit } from '../../kit/audit/audit.ts'
import { type Db, transaction } from '../../kit/database/db.ts'
import { type List, matches, paged } from '../../kit/database/paging.ts'
import { conflict, forbidden, invalid, notFound } from '../../kit/http/refusals.ts'
import type { Actor } from '../../kit/http/session.ts'
import { say } from './exception.messages.ts'
import { lockCohorts } from './failed-payments.service.ts'
import { shownStatus } from './shown-status.ts'
import { writeOffBar } from './write-off.service.ts'

/**
 * Closes an answer of an agency that does not agree, with what a person found out (Money 4.17). It moves no money. After
 * `status_stands` a failed payment may be made again.
 */
export function closeException(
  db: Db,
  actor: Actor,
  fourEyes: boolean,
  id: number,
  { decision, reason }: ExceptionClosing,
): Promise<void> {
  return transaction(db, async (tx) => {
    const { rows: found } = await sql<{ payroll_id: number }>`
      select payroll_id from payment_exceptions where id = ${id}`.execute(tx)
    if (!found[0]) throw notFound()
    const { payroll_id } = found[0]
    for (const cohortId of await lockCohorts(tx, { payroll_ids: [payroll_id] })) {
      const bar = await writeOffBar(tx, actor, cohortId, fourEyes)
      if (bar) throw bar.kind === 'person' ? forbidden(bar.text) : conflict(bar.text)
    }
    const { rows } = await sql<{ resolved: boolean; status: string }>`
      select e.resolved, p.status from payment_exceptions e join transfer_payrolls p on p.id = e.payroll_id
      where e.id = ${id} for update`.execute(tx)
    const { resolved, status } = rows[0] ?? { resolved: true, status: '' }
    if (resolved) throw conflict(say.closedAlready)
    if (!isFinal(status)) throw conflict(say.notFinal)
    if (decision === 'money_moved' && status !== 'failed') throw invalid({ decision: say.onlyFailed })
    if (decision === 'money_missing' && status !== 'success') throw invalid({ decision: say.onlyPaid })
    await sql`
      update payment_exceptions set resolved = true, decision = ${decision}, decision_reason = ${reason},
        decided_by = ${actor.id}, decided_at = now(), two_people = ${fourEyes} where id = ${id}`.execute(tx)
    // The reason is in the row of the exception only, where it is erased with the person (Access 7).
    await audit(tx, actor, 'exception closed', 'payment', payroll_id, { new: { exception: id, decision } })
  })
}

/** A payment that was withheld or written off has failed, too. */
const isFinal = (status: string) => ['success', 'failed', 'withheld', 'written_off'].includes(status)

type Row = Omit<ListedException, 'barred'> & { cohort_id: number }

/** The answers that do not agree, for the list and its export. */
export function exceptionsOf(query: QueryOf<typeof paymentExceptions.list>): List {
  return {
    columns: sql`e.id, e.payroll_id, p.reference, p.receiver_first_name, p.receiver_last_name, ${shownStatus(sql`p`)} as status,
      p.amount, e.kind, e.expected, e.answered, e.created_at, g.cohort_id, c.name as cohort_name, p.payroll_group_id, e.decision,
      e.decision_reason, e.decided_at,
      case when u.id is not null then jsonb_build_object('first_name', u.first_name, 'last_name', u.last_name) end as decided_by`,
    from: sql`payment_exceptions e join transfer_payrolls p on p.id = e.payroll_id
      join transfer_payroll_groups g on g.id = p.payroll_group_id join transfer_cohorts c on c.id = g.cohort_id
      left join users u on u.id = e.decided_by`,
    where: [
      matches(
        sql`portal_search(p.receiver_first_name || ' ' || p.receiver_last_name || ' ' || p.reference || ' ' || c.name)`,
        query.search,
      ),
      query.state && (query.state === 'open' ? sql`not e.resolved` : sql`e.resolved`),
      query.kind && sql`e.kind = ${query.kind}`,
      query.payroll_group_id && sql`p.payroll_group_id = ${query.payroll_group_id}`,
    ],
    sort: { created_at: sql`e.created_at`, amount: sql`p.amount` },
    order: '-created_at',
    key: sql`e.id`,
  }
}

/** Lists the answers that do not agree, the newest first, with what keeps the reader from closing each. */
export async function listExceptions(
  call: { db: Db; actor: Actor; locale: Locale; fourEyes: boolean },
  query: QueryOf<typeof paymentExceptions.list>,
): Promise<Page<ListedException>> {
  const { db, actor, locale, fourEyes } = call
  const found = await paged<Row>(db, query, exceptionsOf(query))
  const bars = new Map<number, Text | null>()
  for (const { cohort_id } of found.data)
    if (!bars.has(cohort_id))
      bars.set(cohort_id, (await writeOffBar(db, actor, cohort_id, fourEyes))?.text ?? null)
  const data = found.data.map(({ cohort_id, ...row }): ListedException => {
    const bar = isFinal(row.status) ? bars.get(cohort_id) : say.notFinal
    return { ...row, barred: bar ? fill(bar, locale) : null }
  })
  return { ...found, data }
}
