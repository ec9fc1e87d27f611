import { fill, type Locale } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { sendMail } from '../../home/mail.service.ts'
import { notify } from '../../home/notifications.service.ts'
import { audit } from '../../kit/audit/audit.ts'
import { type Tx, transaction } from '../../kit/database/db.ts'
import { portal } from '../../kit/http/session.ts'
import type { Context } from '../../kit/process/context.ts'
import { say } from '../messages.ts'
import { mayBegin } from './agency-lease.service.ts'

/** SQL: the minutes without a settled payment after which an agency is not progressing; 10 if `details` sets none. */
const limitMinutes = 'agency_answer_minutes(a.details)'

/**
 * SQL: the open payments per agency. Pending ones count only if they may be sent now. Unknown ones of a cohort that was
 * moved count at the agency that has them. Those that are left to evidence do not count, because nobody is asked about them.
 */
const openPayments = `
  select agency_id, sum(open) as open from (
    select c.transfer_agency_id as agency_id,
      g.sending + g.unknown + case when c.status = 'approved' and c.stopped_at is null and ${mayBegin} then g.pending else 0 end as open
    from transfer_payroll_groups g join transfer_cohorts c on c.id = g.cohort_id
    where g.pending + g.sending + g.unknown > 0
    union all select agency_id, sending + unknown from outcomes_elsewhere()
    union all select cohort_agency_id, -sending - unknown from outcomes_elsewhere()
    union all select agency_id, -unknown from outcomes_left_to_evidence()) each group by 1`

/**
 * Finds agencies that have open payments and settle none for too long (Money 7.6). Approvers and administrators get one
 * notification and one e-mail, and the log gets an error. The next settled payment allows another alert.
 */
export async function watchProgress(context: Context): Promise<void> {
  const { db, log } = context
  await sql`
    update agency_leases l set open_since = case when o.open > 0 then now() end,
      stalled_at = case when o.open > 0 then l.stalled_at end
    from agency_leases m left join (${sql.raw(openPayments)}) o on o.agency_id = m.agency_id
    where l.agency_id = m.agency_id and (l.open_since is not null) is distinct from (coalesce(o.open, 0) > 0)
  `.execute(db)
  const stalled = await transaction(db, async (tx) => {
    const { rows } = await sql<{ id: number; name: string; minutes: number }>`
      update agency_leases l set stalled_at = now()
      from transfer_agencies a
      where a.id = l.agency_id and l.open_since is not null and l.stalled_at is null
        and greatest(l.open_since, coalesce(l.settled_at, l.open_since)) < now() - make_interval(secs => (60 * ${sql.raw(limitMinutes)})::float)
      returning a.id, a.name, ceil(${sql.raw(limitMinutes)})::int as minutes`.execute(tx)
    for (const agency of rows) await tell(context, tx, agency)
    return rows
  })
  for (const { id, name: agency, minutes } of stalled)
    log.error({ id, agency, minutes }, 'an agency settles nothing although payments are open')
}

async function tell(
  { settings }: Context,
  tx: Tx,
  { id, name, minutes }: { id: number; name: string; minutes: number },
): Promise<void> {
  const { rows: people } = await sql<{ id: number; email: string | null; locale: Locale }>`
    select distinct u.id, u.email, coalesce(u.locale, 'fr') as locale from users u
      join user_roles ur on ur.user_id = u.id
      join role_permissions rp on rp.role_id = ur.role_id join permissions p on p.id = rp.permission_id
    where u.account and u.deactivated_at is null and p.name in ('cohorts.approve', 'agencies.create') order by u.id
  `.execute(tx)
  const link = '/admin/transfers/reconciliations'
  await notify(
    tx,
    people.map((person) => person.id),
    say.notProgressing,
    [name, minutes],
    link,
  )
  for (const { email, locale } of people) {
    if (!email) continue
    const subject = fill(say.notProgressingSubject, locale, name)
    const body = `${fill(say.notProgressing, locale, name, minutes)}\n\n${settings.publicUrl}${link}\n`
    await sendMail(tx, settings, { recipient: email, subject, body })
  }
  await audit(tx, portal, 'not progressing', 'agency', id, { old: null, new: { minutes } })
}
