import type { ListQuery } from '@portal/contracts/fields'
import { cardPlace } from '@portal/contracts/module-places'
import type { ModuleError, ModuleReport } from '@portal/contracts/modules'
import type { PortalRegistry } from '@portal/registry'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { sql } from 'kysely'
import { type Db, rows } from '../kit/database/db.ts'
import { matches, paged } from '../kit/database/paging.ts'
import type { Actor } from '../kit/http/session.ts'
import type { ErrorWords } from './error-words.service.ts'
import { liveModules } from './live-modules.ts'
import { cleanStack, type Stacks } from './stacks.service.ts'

/** The limit of reports per person and hour. A higher number means a loop in the browser. */
const perHour = 600

/**
 * Stores the reports of a browser. Reports of unknown modules, beyond the limit, or sent twice are dropped without an
 * error.
 */
export async function keepReports(
  db: Db,
  registry: PortalRegistry,
  words: ErrorWords,
  actor: Actor,
  reports: readonly ModuleReport[],
) {
  const known = new Set((await liveModules(registry)).modules.map(({ name }) => name))
  // An isolated module reports of itself only.
  const own = actor.module?.split('/')[0]
  const kept = reports.filter(({ module }) => known.has(module) && (own === undefined || module === own))
  if (kept.length === 0) return
  const { rows } = await sql<{ count: number }>`
    select count(*) from module_reports where user_id = ${actor.id} and created_at > now() - interval '1 hour'
  `.execute(db)
  if ((rows[0]?.count ?? 0) + kept.length > perHour) return
  await db
    .insertInto('module_reports')
    .values(
      await Promise.all(
        kept.map(async (report) => ({ ...(await asKept(registry, words, report)), user_id: actor.id })),
      ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** A row of a report. Of an error only what names nobody is kept, whatever the browser sends. The place of a load is kept only if its build declares it, so that no address with ids is. */
async function asKept(registry: PortalRegistry, words: ErrorWords, report: ModuleReport) {
  if (report.kind === 'error') {
    const { module, build, message, stack } = report
    return { ...report, message: await words(module, build, message), stack: cleanStack(stack) }
  }
  const { page, ...load } = report
  const declared = page ? await registry.builds.details(report.module, report.build) : null
  return { ...load, path: declared && isPlaceOf(declared, page) ? page : null }
}

const isPlaceOf = ({ preloads, cards }: Pick<ModuleBuild, 'preloads' | 'cards'>, place: string) =>
  Object.hasOwn(preloads, place) || cards.some(({ id }) => cardPlace(id) === place)

/**
 * Whether a load is of a page or a tab. Cards are drawn whenever somebody opens the home page, so they are counted by place
 * alone: what a week has is what people opened.
 */
export const wasOpened = sql`(path is null or not starts_with(path, ${cardPlace('')}))`

/** The failures of a module, newest first, with places in the sources of its team. The search finds the reference that a person quotes. */
export async function listErrors(
  db: Db,
  stacks: Stacks,
  module: string,
  query: ListQuery,
  { named }: { named: boolean },
) {
  const errors = await paged<ModuleError>(db, query, {
    columns: sql`r.id, r.reason, r.version, r.build, r.reference, coalesce(r.message, '') as message, r.stack,
      coalesce(r.path, '') as path, case when ${named} then u.first_name || ' ' || u.last_name end as user, r.created_at`,
    from: sql`module_reports r join users u on u.id = r.user_id`,
    where: [sql`r.module = ${module} and r.kind = 'error'`, matches(sql`r.search`, query.search)],
    sort: {},
    order: null,
    key: sql`-r.id`,
  })
  const data = errors.data.map(async (error) => ({
    ...error,
    stack: await stacks(module, error.build, error.stack),
  }))
  return { errors: { ...errors, data: await Promise.all(data) } }
}

/** Deletes reports that are older than 30 days. */
export async function forgetReports(db: Db) {
  await sql`delete from module_reports where created_at < now() - interval '30 days'`.execute(db)
}

type LastError = {
  at: Date
  version: string
  build: string
  reason: string
  reference: string
  message: string
  stack: string
  path: string
}

/** The last failures of a module without the people who met them, for `portal-module errors`. */
export async function lastErrors(db: Db, stacks: Stacks, module: string): Promise<LastError[]> {
  const found = await rows(
    db,
    sql<LastError>`
      select created_at as at, version, build, reason, reference, coalesce(message, '') as message, stack,
        coalesce(path, '') as path
      from module_reports where module = ${module} and kind = 'error' order by id desc limit 50`,
  )
  return Promise.all(
    found.map(async (error) => ({ ...error, stack: await stacks(module, error.build, error.stack) })),
  )
}
