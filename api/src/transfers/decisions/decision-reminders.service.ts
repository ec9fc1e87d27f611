import { fillText, type Text } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { giveNotice, withdrawNotices } from '../../home/notices.service.ts'
import { rows, type Tx, transaction } from '../../kit/database/db.ts'
import type { Context } from '../../kit/process/context.ts'
import { aboutKind } from '../../modules/module-links.service.ts'
import { cohortPage } from '../pages.ts'
import { reminder, waitsSentences } from './decision-reminder.messages.ts'
import { mayNotDecide, type What } from './may-not-decide.service.ts'

type Waiting = {
  what: What
  id: number
  name: string
  /** Whoever prepared it. */
  by: number | null
  cohort_id?: number | null
  /** The id of the page on which it is decided. */
  page?: number | null
}

const kind = 'decision-waits'
const settle = 'payment-to-settle'
const occasionOf = (what: What, id: number) => `${what} ${id}`
/** The notice at once; the reminder has the occasion alone. */
const first = ' proposed'

/** SQL: everything that waits for the decision of a second person, with the time since which it waits. */
const waiting = sql`(
  select 'cohort' as what, c.id, c.imported_at as since, c.name, c.user_id as "by", c.id as cohort_id, c.id as page
  from transfer_cohorts c join imports i on i.id = c.import_id where c.status = 'pending' and i.state = 'imported'
  union all
  select 'correction', k.id, k.created_at, c.name, k.user_id, c.id,
    (select max(g.id) from transfer_payroll_groups g where g.cohort_id = c.id)
  from recipient_corrections k join transfer_master_list m on m.id = k.master_list_id join transfer_cohorts c on c.id = m.cohort_id
  where k.state = 'proposed'
  union all
  select 'settlement', s.id, s.created_at, c.name, s.user_id, c.id, g.id
  from payment_settlements s join payment_attempts a on a.id = s.attempt_id join transfer_payrolls p on p.id = a.payroll_id
    join transfer_payroll_groups g on g.id = p.payroll_group_id join transfer_cohorts c on c.id = g.cohort_id
  where s.state = 'proposed'
  union all
  select 'move', v.id, v.created_at, c.name, v.user_id, c.id, null
  from cohort_moves v join transfer_cohorts c on c.id = v.cohort_id where v.state = 'proposed'
  union all
  select 'agency', x.id, x.created_at, a.name, x.user_id, null, null
  from transfer_agency_changes x join transfer_agencies a on a.id = x.agency_id where x.state = 'proposed'
  union all
  select 'budget', b.id, b.created_at, p.name, b.user_id, null, null
  from parameter_budgets b join transfer_parameters p on p.id = b.parameter_id where b.state = 'proposed'
  union all
  select 'statement', s.id, greatest(s.created_at, (select max(r.created_at) from statement_resolutions r where r.statement_id = s.id)),
    a.name, s.user_id, null, s.id
  from agency_statements s join transfer_agencies a on a.id = s.agency_id
  where s.state = 'open' and not exists (select from statement_totals t
    where t.statement_id = s.id and t.category <> 'matched' and t.count > t.resolved)
) w`

/**
 * Reminds whoever may decide, once, of what has waited for two days, and takes reminders off the bells whose reason is gone
 * (Messages 4.7). Several workers may do it at once: a notice is written once for a person and occasion, with its mail.
 */
export async function remindOfDecisions({ db, settings }: Pick<Context, 'db' | 'settings'>): Promise<void> {
  await transaction(db, async (tx) => {
    const { rows: gone } = await sql<{ occasion: string }>`
      select distinct n.occasion from notifications n where n.kind = ${kind} and n.bell
        and not exists (select from ${waiting} where n.occasion in (w.what || ' ' || w.id, w.what || ' ' || w.id || ${first}::text))
    `.execute(tx)
    for (const { occasion } of gone) await withdrawNotices(tx, kind, occasion)
    // The agency may answer about a payment while its settlement waits. A trigger ends the settlement then, and tells nobody.
    const { rows: answered } = await sql<{ occasion: string }>`
      select distinct n.occasion from notifications n join payment_settlements s on s.id::text = n.occasion
      where n.kind = ${settle} and n.bell and s.state <> 'proposed'`.execute(tx)
    for (const { occasion } of answered) await withdrawNotices(tx, settle, occasion)
  })
  const due = await rows(
    db,
    sql<Waiting>`
    select w.what, w.id, w.name, w."by", w.cohort_id, w.page from ${waiting}
    where w.since < now() - interval '2 days' and not exists (
      select from notifications n where n.kind = ${kind} and n.subject_id = w.id and n.occasion = w.what || ' ' || w.id)
    order by w.since limit 100`,
  )
  for (const one of due)
    await transaction(db, async (tx) => {
      // It may have been decided since it was read.
      const { rows: still } =
        await sql`select from ${waiting} where w.what = ${one.what} and w.id = ${one.id}`.execute(tx)
      if (still.length > 0) await tell(tx, one, settings.fourEyes, reminder, '')
    })
}

/** Tells whoever may decide that something waits, in the transaction that proposes it. */
export const tellOfDecision = (tx: Tx, one: Waiting, fourEyes: boolean): Promise<void> =>
  tell(tx, one, fourEyes, { en: '{0}', fr: '{0}' }, first)

/** Takes the notices off the bells, in the transaction that decides. */
export async function withdrawDecision(tx: Tx, what: What, id: number): Promise<void> {
  for (const when of ['', first]) await withdrawNotices(tx, kind, occasionOf(what, id) + when)
}

async function tell(tx: Tx, one: Waiting, fourEyes: boolean, around: Text, when: string): Promise<void> {
  const { what, id, name, by } = one
  const sentence = fillText(waitsSentences[what], name)
  await giveNotice(tx, kind, {
    subject: id,
    link: pageOf(one),
    occasion: occasionOf(what, id) + when,
    parts: [{ en: fillText(around, sentence.en).en, fr: fillText(around, sentence.fr).fr }],
    by,
    except: await mayNotDecide(tx, one, fourEyes),
  })
}

function pageOf({ what, page, cohort_id }: Waiting): string {
  if (what === 'agency') return '/admin/transfers/settings'
  if (what === 'budget') return '/admin/transfers/parameters/list'
  if (what === 'statement') return aboutKind('record.statement', page ?? 0)
  if (what === 'cohort') return cohortPage(cohort_id ?? 0)
  if (!page) return aboutKind('record.cohort', cohort_id ?? 0)
  return aboutKind('record.payroll', page)
}
