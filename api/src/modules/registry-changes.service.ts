import { sql } from 'kysely'
import { audit } from '../kit/audit/audit.ts'
import { type Db, type Reader, rows, type Tx, transaction } from '../kit/database/db.ts'
import { Refusal } from '../kit/http/refusals.ts'
import type { Actor, Author } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'

type Changes = { old?: Record<string, unknown>; new?: Record<string, unknown> }

/** A step that changes the registry: its audit row, and the build that it is about or the generation that it follows. */
type Step = { event: string; module: string; changes: Changes } & (
  | { build: string; generation?: undefined }
  | { build?: undefined; generation: number }
)

/** Who changes the registry, as its log says it. */
export const administrator = ({ first_name, last_name }: Actor) => `administrator ${first_name} ${last_name}`

/**
 * A step that changes the registry, with its audit row. The registry is no part of the transaction, so a process may die when
 * the change is made and the row is not committed. Therefore the step is committed before, and `recordLeftSteps` writes the
 * row of one that was left. `act` calls `audited` before it changes the registry, and gives the id to the registry.
 */
export async function changingRegistry<T>(
  { db, registry }: Pick<Context, 'db' | 'registry'>,
  actor: Actor,
  step: Step,
  act: (tx: Tx, audited: () => Promise<string>) => Promise<T>,
): Promise<T> {
  const { event, module, build = null, generation = null, changes } = step
  const id = await keepStep(db, actor, step)
  const done = transaction(db, async (tx) => {
    await allowSlowStore(tx)
    await forget(tx, id)
    return act(tx, async () => {
      await audit(tx, actor, event, 'module', null, changes)
      return id
    })
  })
  return done.catch(async (fault) => {
    // Whatever is not a refusal may have reached the store all the same, and is looked up by a worker.
    const taken = async () => registry.wasTaken({ id, module, build, generation }).catch(() => true)
    if (fault instanceof Refusal && !(await taken())) await forget(db, id)
    throw fault
  })
}

async function keepStep(db: Db, actor: Actor, { event, module, build, generation, changes }: Step) {
  const { id, ip, user_agent, request_id } = actor
  const author: Author = { id, ip, user_agent, request_id, module: actor.module }
  const kept = sql<{ id: string }>`
    insert into registry_steps (event, module, build, generation, author, changes)
    values (${event}, ${module}, ${build ?? null}, ${generation ?? null}, ${JSON.stringify(author)}, ${JSON.stringify(changes)})
    returning id`
  const [row] = await rows(db, kept)
  if (!row) throw new Error('the step was not kept')
  return row.id
}

const forget = (db: Reader, id: string) => sql`delete from registry_steps where id = ${id}`.execute(db)

/**
 * The transaction may be idle for as long as a slow store needs: if the database ended it meanwhile, as it ends a call's, the
 * audit row would come late.
 */
const allowSlowStore = (tx: Tx) => sql`set local idle_in_transaction_session_timeout = '10min'`.execute(tx)

type LeftStep = {
  id: string
  event: string
  module: string
  build: string | null
  generation: number | null
  author: Author
  changes: Changes
  over: boolean
}

/** Deletes a step, unless a call or another worker is doing that. */
async function take(tx: Tx, id: string): Promise<boolean> {
  const deleted = sql`delete from registry_steps
    where id = (select id from registry_steps where id = ${id} for update skip locked) returning id`
  return (await rows(tx, deleted)).length > 0
}

/**
 * Writes the audit rows of steps whose process died after the registry had changed, each once: whoever writes a row deletes the
 * step. The call of a step that is under way has locked it, and it is left alone. A change may still be on its way to the
 * store, so a step that has changed nothing is looked up for a day.
 */
export async function recordLeftSteps(tx: Tx, registry: Context['registry'], module: string | null = null) {
  const left = sql<LeftStep>`
    select id, event, module, build, generation, author, changes, created_at < now() - interval '1 day' as over
    from registry_steps where ${module}::text is null or module = ${module} order by created_at, id`
  for (const step of await rows(tx, left)) {
    const taken = await registry.wasTaken(step)
    const ended = (taken || step.over) && (await take(tx, step.id))
    if (!taken || !ended) continue
    const { old, new: next } = step.changes
    await audit(tx, step.author, step.event, 'module', null, {
      ...(old && { old }),
      new: { ...next, recorded: 'afterwards' },
    })
  }
}

/** `recordLeftSteps` of all modules. A worker repeats it. */
export const recordAllLeftSteps = ({ db, registry }: Pick<Context, 'db' | 'registry'>): Promise<void> =>
  transaction(db, async (tx) => {
    await allowSlowStore(tx)
    await recordLeftSteps(tx, registry)
  })
