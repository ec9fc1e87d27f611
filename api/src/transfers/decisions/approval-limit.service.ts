import type { LimitOfApproval } from '@portal/contracts/access/approval-limits'
import { fill, type Locale, type Text } from '@portal/contracts/sentences'
import { planRounds, roundAtApproval } from '@portal/contracts/transfers/rounds'
import { sql } from 'kysely'
import { holdersOf } from '../../home/notifications.service.ts'
import type { Db, Reader, Tx } from '../../kit/database/db.ts'
import { notFound, Refusal } from '../../kit/http/refusals.ts'
import type { Actor } from '../../kit/http/session.ts'
import { say } from './approval-limit.messages.ts'
import { barredFrom } from './cohort-check.service.ts'

type Bar = { text: Text; parts: (string | number)[] }
/** More names than this would hide the sentence. */
const namesShown = 5

/** Throws 403 if the approval is above the limit of the actor (Money 5.18). The limit cannot change until the transaction ends. */
export async function expectWithinLimit(
  tx: Tx,
  actor: Actor,
  fourEyes: boolean,
  cohortId: number,
  francs: number,
): Promise<void> {
  await sql<{ locked: unknown }>`select limit_stays(${actor.id}, false) as locked`.execute(tx)
  const bar = limitBar(await readLimit(tx, actor), francs)
  if (!bar) return
  const { text, parts } = await withNames(tx, actor, fourEyes, cohortId, bar, francs)
  throw new Refusal(403, text, { parts })
}

/** Reads the limit of the actor beside what the approval of a cohort would let be paid if it were approved today. */
export async function limitOfCohort(
  db: Db,
  actor: Actor,
  locale: Locale,
  fourEyes: boolean,
  cohortId: number,
): Promise<LimitOfApproval> {
  const needed = await francsOfApproval(db, cohortId)
  const limit = await readLimit(db, actor)
  const bar = limitBar(limit, needed)
  if (!bar) return { limit, needed, barred: null }
  const { text, parts } = await withNames(db, actor, fourEyes, cohortId, bar, needed)
  return { limit, needed, barred: fill(text, locale, ...parts) }
}

/** Reads what the approval of a cohort would let be paid if it were approved today; 0 once it is decided. */
export async function francsOfApproval(db: Reader, cohortId: number): Promise<number> {
  const { rows: found } = await sql<{
    from: string
    to: string
    frequency: number
    cost: number
    pending: boolean
    today: string
  }>`
    select c."from", c."to", p.frequency, c.list_amount + c.list_fees as cost, c.status = 'pending' as pending,
      (now() at time zone 'utc')::date as today
    from transfer_cohorts c join transfer_parameters p on p.id = c.transfer_parameter_id
    where c.id = ${cohortId} and c.imported_at is not null`.execute(db)
  const cohort = found[0]
  if (!cohort) throw notFound()
  const plan = planRounds(cohort.from, cohort.to, cohort.frequency)
  return cohort.pending ? cohort.cost * (plan.length - roundAtApproval(plan, cohort.today) + 1) : 0
}

async function readLimit(db: Reader, actor: { id: number }): Promise<number | null> {
  const { rows: found } = await sql<{ amount: number }>`
    select amount from approval_limits where user_id = ${actor.id}`.execute(db)
  return found[0]?.amount ?? null
}

const limitBar = (limit: number | null, francs: number): number | null =>
  limit !== null && francs > limit ? limit : null

/** The refusal, with the names of those who may approve as much and did not touch the list. */
async function withNames(
  db: Reader,
  actor: { id: number },
  fourEyes: boolean,
  cohortId: number,
  limit: number,
  francs: number,
): Promise<Bar> {
  const { rows: others } = await sql<{ name: string }>`
    select u.first_name || ' ' || u.last_name as name from users u
    where u.account and u.deactivated_at is null and u.id <> ${actor.id} and u.id in (${holdersOf('cohorts.approve')})
      and has_approval_limit_for(u.id, ${francs}) and u.id not in (${barredFrom(cohortId, fourEyes)})
    order by u.last_name collate "fr-x-icu", u.id limit ${namesShown}`.execute(db)
  if (others.length === 0) return { text: say.aboveEveryLimit, parts: [limit, francs] }
  return { text: say.aboveLimit, parts: [limit, francs, others.map(({ name }) => name).join(', ')] }
}
