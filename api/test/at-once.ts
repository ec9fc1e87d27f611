import { untilLocked, waitingForLock } from './locks.ts'
import { type Portal, until } from './portal.ts'

/** SQL: locks what the log is written to, so that an act waits once it has done all the rest. */
export const atItsEnd = 'lock table audits in share mode'

/**
 * Stops an act inside of its transaction by a lock, and starts another one. Once that waits too, or is done, both go on. Returns both
 * answers. `held` is a statement that locks, or the id of a person: her act then waits at the first row that refers to her.
 */
export async function bothAtOnce<One, Other>(
  portal: Portal,
  held: number | string,
  one: () => PromiseLike<One>,
  other: () => PromiseLike<Other>,
): Promise<[One, Other]> {
  const lock = await portal.owner.connect()
  await lock.query('begin')
  await lock.query(typeof held === 'string' ? held : `select from users where id = ${held} for update`)
  try {
    const first = one()
    await untilLocked(portal.db.pool)
    let isDone = false
    const second = Promise.resolve(other()).finally(() => {
      isDone = true
    })
    await until(async () => isDone || (await waitingForLock(portal.db.pool)).length > 1, 20_000)
    await lock.query('commit')
    return [await first, await second]
  } finally {
    await lock.query('rollback')
    lock.release()
  }
}
