import type { ListQuery } from '@portal/contracts/fields'
import type { ModuleError, ModuleReport } from '@portal/contracts/modules'
import type { PortalRegistry } from '@portal/registry'
import { sql } from 'kysely'
import type { Db } from '../kit/db.ts'
import { matches, paged } from '../kit/paging.ts'
import { notFound } from '../kit/refusals.ts'
import type { Actor } from '../kit/session.ts'
import { liveModule, liveModules } from './live-modules.ts'

/** The limit of reports per person and hour. A higher number means a loop in the browser. */
const perHour = 600

/**
 * Stores the reports of a browser. Reports of unknown modules, beyond the limit, or sent twice are dropped without an
 * error.
 */
export async function keepReports(
  db: Db,
  registry: PortalRegistry,
  actor: Actor,
  reports: readonly ModuleReport[],
) {
  const known = new Set((await liveModules(registry)).modules.map(({ name }) => name))
  const kept = reports.filter(({ module }) => known.has(module))
  if (kept.length === 0) return
  const { rows } = await sql<{ count: number }>`
    select count(*) from module_reports where user_id = ${actor.id} and created_at > now() - interval '1 hour'
  `.execute(db)
  if ((rows[0]?.count ?? 0) + kept.length > perHour) return
  await db
    .insertInto('module_reports')
    .values(kept.map((report) => ({ ...report, user_id: actor.id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The failures of a module, newest first. The search finds the reference that a person quotes. */
export async function listErrors(db: Db, registry: PortalRegistry, module: string, query: ListQuery) {
  if (!(await liveModule(registry, module))) throw notFound()
  const errors = await paged<ModuleError>(db, query, {
    columns: sql`r.id, r.reason, r.version, r.build, r.reference, coalesce(r.message, '') as message,
      coalesce(r.path, '') as path, u.first_name || ' ' || u.last_name as user, r.created_at`,
    from: sql`module_reports r join users u on u.id = r.user_id`,
    where: [sql`r.module = ${module} and r.kind = 'error'`, matches(sql`r.search`, query.search)],
    sort: {},
    order: null,
    key: sql`-r.id`,
  })
  return { errors }
}

/** Deletes reports that are older than 30 days. */
export async function forgetReports(db: Db) {
  await sql`delete from module_reports where created_at < now() - interval '30 days'`.execute(db)
}
