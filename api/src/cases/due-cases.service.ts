import { sql } from 'kysely'
import { giveNotice, isUntold } from '../home/notices.service.ts'
import { type Db, rows, type Tx, transaction } from '../kit/database/db.ts'
import { dues } from './messages.ts'
import { casePage } from './pages.ts'

const today = sql`(now() at time zone 'utc')::date`
/** SQL: the day by which case `c` should be decided: a day, a week or a month after it was filed (Cases 1.3). */
export const dueOn = sql`((c.created_at at time zone 'utc')::date + case c.priority
  when 'high_1_day' then interval '1 day' when 'medium_1_week' then interval '1 week' else interval '1 month' end)::date`
/** SQL: whether the day of case `c` has passed without a decision. */
export const overdue = sql`(c.decided_at is null and ${dueOn} < ${today})`

/**
 * SQL: which notice case `c` is due for: within a day, or overdue. A case that has just been filed is none, because its
 * reviewer has been told of it.
 */
const stage = sql`case when ${overdue} then 'overdue'
  when c.decided_at is null and ${dueOn} <= ${today} + 1 and c.created_at < now() - interval '12 hours' then 'soon' end`
const occasion = sql<string>`(${stage} || ' ' || ${dueOn})`

/**
 * Tells reviewers of cases that are due within a day or overdue, once each (Cases 1.5). Of the cases of a closed account it tells
 * whoever may assign them, also if an earlier reviewer was told. A worker runs it periodically; the unique index on notices keeps
 * several workers from telling twice.
 */
export async function tellOfDueCases(db: Db): Promise<void> {
  const due = await rows(
    db,
    sql<{ id: number }>`
      select c.id from cases c
      where c.decided_at is null and ${stage} is not null and ${isUntold('case-due', sql`c.id`, occasion)}
      order by c.id limit 200`,
  )
  for (const { id } of due) await transaction(db, (tx) => tellOfDueCase(tx, id))
}

async function tellOfDueCase(tx: Tx, id: number): Promise<void> {
  const { rows: found } = await sql<{
    number: string
    title: string
    stage: keyof typeof dues
    occasion: string
    due_on: string
  }>`
    select c.number, c.title, ${stage} as stage, ${occasion} as occasion, to_char(${dueOn}, 'DD/MM/YYYY') as due_on
    from cases c where c.id = ${id} and ${stage} is not null for update`.execute(tx)
  const due = found[0]
  if (!due) return
  await giveNotice(tx, 'case-due', {
    subject: id,
    link: casePage(id),
    occasion: due.occasion,
    parts: [due.number, dues[due.stage], due.due_on, due.title],
    by: null,
  })
}
