import type { ModuleVersion } from '@portal/contracts/modules'
import type { PortalRegistry } from '@portal/registry'
import { sql } from 'kysely'
import { type Db, rows } from '../kit/database/db.ts'
import { notFound } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import { liveModule } from './live-modules.ts'
import { wasOpened } from './reports.service.ts'

/** The permission to see how one partner's module fares, and nothing else of the portal's modules. */
export const watchPermission = (module: string): string => `${module}.watch`

/** Whether a person sees how a module fares: administrators of modules see all of them. */
export const mayWatch = (actor: Actor, module: string): boolean =>
  actor.can('modules.manage') || actor.permissions.some((name) => name === watchPermission(module))

/** Throws 404 for a module that is not there or that this person may not see: which modules there are is not told. */
export async function watchedOrRefuse(registry: PortalRegistry, actor: Actor, module: string) {
  if (!mayWatch(actor, module) || !(await liveModule(registry, module))) throw notFound()
}

type Week = {
  week: string
  loads: number
  errors: number
  people: number
  load_ms_median: number | null
}

/** Loads, errors and people by week, newest first, and loads by page and week, as far back as reports are kept. */
export async function usageByWeek(db: Db, module: string) {
  const weeks = await rows(
    db,
    sql<Week>`
      select to_char(date_trunc('week', created_at), 'YYYY-MM-DD') as week,
        count(*) filter (where kind = 'load' and ${wasOpened}) as loads,
        count(*) filter (where kind = 'error' and reason <> 'slow') as errors,
        count(distinct user_id) filter (where ${wasOpened}) as people,
        percentile_disc(0.5) within group (order by ms) filter (where kind = 'load' and ${wasOpened}) as load_ms_median
      from module_reports where module = ${module} group by 1 order by 1 desc`,
  )
  return { weeks, pages: await loadsByPage(db, module) }
}

/** How many pages are told apart. */
const pagesListed = 20

/** Loads of each page by week: the pages that are used most first, of each the newest week first. */
const loadsByPage = (db: Db, module: string) =>
  rows(
    db,
    sql<{ page: string; week: string; loads: number }>`
      with counted as (
        select path as page, to_char(date_trunc('week', created_at), 'YYYY-MM-DD') as week, count(*) as loads
        from module_reports where module = ${module} and kind = 'load' and path is not null group by 1, 2
      ), ranked as (
        select page, sum(loads) as total from counted group by page order by total desc, page limit ${pagesListed}
      )
      select c.page, c.week, c.loads from counted c join ranked r on r.page = c.page
      order by r.total desc, c.page, c.week desc`,
  )

/** How many versions are listed. */
const listed = 30

/** The published versions of a module, newest first: who published and who admitted each, and which is live. */
export async function listVersions(registry: PortalRegistry, module: string) {
  const [{ modules }, builds, revoked] = await Promise.all([
    registry.now(),
    registry.builds.list(module),
    registry.revocations.list(),
  ])
  const entry = modules.find(({ name }) => name === module)
  const isRevoked = ({ build, key }: Published) =>
    revoked.keys.includes(key) || revoked.builds.some((each) => each.name === module && each.build === build)
  const newest = builds.toSorted((a, b) => (a.at < b.at ? 1 : -1)).slice(0, listed)
  const versions = newest.map(async (record): Promise<ModuleVersion> => {
    const { version, build, at, person, release } = record
    const admission = release ? null : await registry.admissions.of(module, build)
    const usable = release || admission ? 'ready' : 'waiting'
    return {
      ...{ version, build, published_at: at, person, admitted_by: admission?.by ?? null },
      state: isRevoked(record) ? 'revoked' : (placeOf(build, entry) ?? usable),
      runs: await registry.admissions.runs(module, record),
      decided_by: admission?.trust?.by ?? null,
    }
  })
  return { versions: await Promise.all(versions) }
}

type Published = Awaited<ReturnType<PortalRegistry['builds']['list']>>[number]
type Entry = Awaited<ReturnType<PortalRegistry['now']>>['modules'][number]

/** The place of a build in what is live; undefined for one that nobody gets. */
function placeOf(build: string, entry: Entry | undefined): ModuleVersion['state'] | undefined {
  if (entry?.build === build) return 'live'
  if (entry?.canary?.module.build === build) return 'tried'
  return entry?.beside?.some((other) => other.build === build) ? 'beside' : undefined
}
