import type { Waiting } from '@portal/contracts/home'
import type { WaitingBuild } from '@portal/contracts/modules'
import { sql } from 'kysely'
import { giveNotice, withdrawNotices } from '../home/notices.service.ts'
import { rows, type Tx, transaction } from '../kit/database/db.ts'
import type { Actor } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'

/** Tells builds apart among notices. Modules have no row in the database, so the subject of their notices is 0. */
const occasionOf = ({ name, build }: { name: string; build: string }) => `${name}/${build}`

/** The page on which an administrator reads what a build adds. */
const pageOf = ({ build }: { build: string }) => `/admin/modules?build=${build}`

/**
 * Tells administrators of builds that wait for admission, once each, and withdraws the notices of builds that no longer
 * wait. A worker runs it periodically, because partners publish to the registry, which knows nothing of the database.
 */
export async function tellOfWaitingBuilds({ db, registry }: Pick<Context, 'db' | 'registry'>): Promise<void> {
  const waiting = await registry.waiting()
  const occasions = waiting.map(occasionOf)
  const known = await rows(
    db,
    sql<{ occasion: string; bell: boolean }>`
      select occasion, bool_or(bell) as bell from notifications where kind = 'build-to-admit' group by occasion`,
  )
  const over = known.filter(({ occasion, bell }) => bell && !occasions.includes(occasion))
  const unannounced = waiting.filter((build) => !known.some(({ occasion }) => occasion === occasionOf(build)))
  if (over.length === 0 && unannounced.length === 0) return
  await transaction(db, async (tx) => {
    for (const { occasion } of over) await withdrawNotices(tx, 'build-to-admit', occasion)
    for (const build of unannounced.toReversed()) await tellOf(tx, build)
  })
}

function tellOf(tx: Tx, build: WaitingBuild): Promise<void> {
  const { name, title, version, owner } = build
  return giveNotice(tx, 'build-to-admit', {
    subject: 0,
    link: pageOf(build),
    occasion: occasionOf(build),
    parts: [title, version, owner.name, name],
    by: null,
  })
}

/** Takes the notices of a build off every bell, in the transaction that admits it. */
export const settleBuild = (tx: Tx, build: { name: string; build: string }): Promise<void> =>
  withdrawNotices(tx, 'build-to-admit', occasionOf(build))

/**
 * The builds that wait for this person. If the registry cannot be read, there are none, so that the rest of the home
 * page is still shown.
 */
export async function buildsToAdmit(
  { registry, log }: Pick<Context, 'registry' | 'log'>,
  actor: Actor,
): Promise<Waiting['builds']> {
  if (!actor.can('modules.admit')) return { count: 0, oldest: null }
  try {
    const waiting = await registry.waiting()
    const oldest = waiting.at(-1)
    return {
      count: waiting.length,
      oldest: oldest ? { title: oldest.title, version: oldest.version, link: pageOf(oldest) } : null,
    }
  } catch (fault) {
    log.error({ err: fault }, 'the registry cannot be read: the home page shows no builds that wait')
    return { count: 0, oldest: null }
  }
}
