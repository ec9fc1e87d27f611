import { fill, type Locale, type Text } from '@portal/contracts/sentences'
import type { CohortClosing, OpenPointKind } from '@portal/contracts/transfers/cohort-closing'
import { sql } from 'kysely'
import { audit } from '../../kit/audit/audit.ts'
import { type Db, type Reader, transaction } from '../../kit/database/db.ts'
import { conflict, forbidden, notFound } from '../../kit/http/refusals.ts'
import type { Actor } from '../../kit/http/session.ts'
import { decisionBar } from '../decisions/cohort-check.service.ts'
import { say } from '../retry.messages.ts'
import {
  type CohortState,
  closingRefusal,
  inOrder,
  type OpenPoint,
  openPointWords,
} from './cohort-closing.ts'

type Closable = { state: CohortState; rounds_left: number; held: boolean }

/** Reads what is open of a cohort and whether this person may close it. */
export async function readClosing(
  db: Db,
  actor: Actor,
  locale: Locale,
  fourEyes: boolean,
  id: number,
): Promise<CohortClosing> {
  const { cohort, points } = await readOpen(db, id)
  const bar = (await decisionBar(db, actor, id, fourEyes)) ?? barOf(cohort, [])
  return {
    open: inOrder(points).map(({ kind, count }) => ({
      kind,
      count,
      what: fill(openPointWords[kind].what, locale, count),
      way: fill(openPointWords[kind].way, locale),
    })),
    rounds_left: cohort.rounds_left,
    barred: bar && fill(bar, locale),
  }
}

/** Closes a cohort for good (Money 5.14). The lock of its row orders this and acts that would open it again. */
export function closeCohort(
  db: Db,
  actor: Actor,
  fourEyes: boolean,
  id: number,
  reason: string,
): Promise<void> {
  return transaction(db, async (tx) => {
    await sql`select from sending_marks for share`.execute(tx)
    await sql`select from transfer_cohorts where id = ${id} for update`.execute(tx)
    const { cohort, points } = await readOpen(tx, id)
    const person = await decisionBar(tx, actor, id, fourEyes)
    if (person) throw forbidden(person)
    const bar = barOf(cohort, points)
    if (bar) throw conflict(bar)
    await sql`insert into cohort_closings (cohort_id, reason, user_id, two_people)
      values (${id}, ${reason}, ${actor.id}, ${fourEyes})`.execute(tx)
    await audit(tx, actor, 'cohort closed', 'cohort', id, {
      old: { closed: false },
      new: { closed: true, reason, rounds_not_made: cohort.rounds_left },
    })
  })
}

function barOf({ state, held }: Closable, points: readonly OpenPoint[]): Text | null {
  return closingRefusal(state, points) ?? (held ? say.sendingIsHeld : null)
}

async function readOpen(db: Reader, id: number): Promise<{ cohort: Closable; points: OpenPoint[] }> {
  const { rows } = await sql<Closable>`
    select case when k.cohort_id is not null then 'closed' else c.status end as state,
      exists (select from sending_holds where released_at is null) as held,
      (select count(*) from transfer_rounds r where r.cohort_id = c.id and r.state = 'scheduled') as rounds_left
    from transfer_cohorts c left join cohort_closings k on k.cohort_id = c.id where c.id = ${id}`.execute(db)
  const cohort = rows[0]
  if (!cohort) throw notFound()
  const points = await sql<{ kind: OpenPointKind; count: number }>`
    select kind, count from cohort_open_points(${id})`.execute(db)
  return { cohort, points: points.rows }
}
