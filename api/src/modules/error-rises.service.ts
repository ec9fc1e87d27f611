import { sql } from 'kysely'
import { giveNotice } from '../home/notices.service.ts'
import { rows, transaction } from '../kit/database/db.ts'
import type { Context } from '../kit/process/context.ts'
import { watchPermission } from './console.service.ts'
import { liveModules } from './live-modules.ts'

/** Errors of a module in browsers: in the last hour, for how many people, and in the 24 hours before. */
export type ErrorCounts = { errors: number; people: number; before: number }

/**
 * Whether errors have risen: at least five in the last hour, for at least two people, and four times as many as in an
 * hour of the day before. One person with a broken browser is no rise.
 */
export const hasRisen = ({ errors, people, before }: ErrorCounts): boolean =>
  errors >= 5 && people >= 2 && errors > (4 * before) / 24

type Watched = ErrorCounts & { module: string; permission: number; day: string }

/**
 * Tells those who watch a partner's module when its errors rise, once for a module and day. A worker runs it periodically,
 * in any number of processes.
 */
export async function tellOfRises({ db, registry }: Pick<Context, 'db' | 'registry'>): Promise<void> {
  const { modules, release } = await liveModules(registry)
  const watched = modules.filter(({ name }) => !release[name]).map(({ name }) => name)
  if (watched.length === 0) return
  const found = await rows(
    db,
    sql<Watched>`
      select r.module, p.id as permission, to_char(now(), 'YYYY-MM-DD') as day,
        count(*) filter (where r.created_at > now() - interval '1 hour') as errors,
        count(distinct r.user_id) filter (where r.created_at > now() - interval '1 hour') as people,
        count(*) filter (where r.created_at <= now() - interval '1 hour') as before
      from module_reports r join permissions p on p.name = r.module || ${watchPermission('')}
      where r.module = any(${watched}) and r.kind = 'error' and r.reason <> 'slow' and p.dropped_at is null
        and r.created_at > now() - interval '25 hours'
      group by r.module, p.id`,
  )
  for (const { module, permission, day, errors, people, before } of found) {
    if (!hasRisen({ errors, people, before })) continue
    const title = modules.find(({ name }) => name === module)?.title ?? module
    await transaction(db, (tx) =>
      giveNotice(tx, 'module-errors', {
        subject: permission,
        link: `/admin/modules?module=${module}`,
        occasion: day,
        parts: [title, errors, people, before, module],
        by: null,
      }),
    )
  }
}
