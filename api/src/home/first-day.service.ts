import { type FirstDay, mostSteps } from '@portal/contracts/access/first-day'
import { sql } from 'kysely'
import { audit } from '../kit/audit/audit.ts'
import { type Db, type Reader, rows, type Tx, transaction } from '../kit/database/db.ts'
import { conflict, invalid } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'
import { moduleSteps, type Step } from '../modules/module-steps.service.ts'
import { ownSteps } from './first-day-steps.ts'
import { say } from './messages.ts'

type Place = Pick<Context, 'db' | 'registry' | 'log'>

/** Begins the first day of a person who has just set her first password. One that has begun stays as it is. */
export async function beginFirstDay(tx: Tx, userId: number) {
  await sql`insert into first_days (user_id) values (${userId}) on conflict do nothing`.execute(tx)
}

/** Whether home shows a person her first day. */
export async function showsFirstDay(db: Reader, userId: number): Promise<boolean> {
  const { rows: shown } = await sql`
    select from first_days where user_id = ${userId} and left_at is null`.execute(db)
  return shown.length > 0
}

/** The steps of a person with what she has done of them. */
export async function readFirstDay(place: Place, actor: Actor): Promise<FirstDay> {
  const steps = await stepsOf(place, actor)
  const [shown, done] = await Promise.all([
    showsFirstDay(place.db, actor.id),
    doneSteps(place.db, actor.id, steps),
  ])
  return {
    shown,
    steps: steps.map(({ title, text, link, ...step }) => ({
      ...{ id: keyOf(step), title, text, link },
      done: done.has(keyOf(step)),
      by_act: step.done !== undefined,
    })),
  }
}

/** Leaves the first day, or brings it back. It is audited like other changes of the profile. */
export async function showFirstDay(db: Db, actor: Actor, shown: boolean): Promise<void> {
  await transaction(db, async (tx) => {
    await sql`select from users where id = ${actor.id} for no key update`.execute(tx)
    if ((await showsFirstDay(tx, actor.id)) === shown) return
    if (shown)
      await sql`
        insert into first_days (user_id) values (${actor.id})
        on conflict (user_id) do update set left_at = null`.execute(tx)
    else await sql`update first_days set left_at = now() where user_id = ${actor.id}`.execute(tx)
    await audit(tx, actor, 'updated', 'user', actor.id, {
      old: { first_day: !shown },
      new: { first_day: shown },
    })
  })
}

/** Notes that a person has opened the screen of a step. A repeated call changes nothing. */
export async function openStep(place: Place, actor: Actor, key: string): Promise<void> {
  const step = (await stepsOf(place, actor)).find((each) => keyOf(each) === key)
  if (!step) throw invalid({ step: say.stepUnknown })
  if (step.done) throw invalid({ step: say.stepByAct })
  const { rows: begun } = await sql`
    with day as (select user_id from first_days where user_id = ${actor.id}),
      opened as (insert into first_day_steps (user_id, step) select user_id, ${key} from day on conflict do nothing)
    select from day`.execute(place.db)
  if (begun.length === 0) throw conflict(say.noFirstDay)
}

/** The first steps that the person has the permissions for, in their order. */
async function stepsOf(place: Place, actor: Actor): Promise<Step[]> {
  return [...ownSteps, ...(await moduleSteps(place))]
    .filter(({ permission }) => mayDo(actor, permission))
    .sort((a, b) => a.order - b.order)
    .slice(0, mostSteps)
}

function mayDo({ permissions }: Actor, needed: Step['permission']): boolean {
  const granted: readonly string[] = permissions
  return needed === undefined || [needed].flat().some((name) => granted.includes(name))
}

const keyOf = ({ module, id }: Pick<Step, 'module' | 'id'>) => `${module}/${id}`

/**
 * Which of these steps a person has done: by an event of hers in the audit log, or by opening the screen. Events on the
 * records of modules count for the module that keeps the record.
 */
async function doneSteps(db: Db, userId: number, steps: readonly Step[]): Promise<Set<string>> {
  const asked = steps.map((step) => ({ key: keyOf(step), module: step.module, ...step.done }))
  const done = await rows(
    db,
    sql<{ key: string }>`
      select s.key from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
        as s (key text, module text, type text, events text[])
      where exists (select from first_day_steps o where o.user_id = ${userId} and o.step = s.key and s.type is null)
        or exists (select from audits a where a.user_id = ${userId} and a.auditable_type = s.type and a.event = any(s.events)
          and (s.type <> 'module record' or exists (select from module_records r
            where r.id = a.auditable_id and r.module = s.module)))`,
  )
  return new Set(done.map(({ key }) => key))
}
