import { isAtRoutes } from '@portal/contracts/module-routes'
import {
  mostViews,
  type SavedView,
  type SavedViewCreate,
  type SavedViewEdit,
} from '@portal/contracts/saved-views'
import { sql } from 'kysely'
import { audit, difference } from '../kit/audit/audit.ts'
import { type Db, type Reader, type Tx, transaction } from '../kit/database/db.ts'
import { expectVersion, versionMark } from '../kit/database/versions.ts'
import { conflict, constraintFault, notFound, Refusal } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import { say } from './messages.ts'

constraintFault('saved_views_name_key', 'name', say.viewTaken)

/** Whose views they are, and the addresses of the isolated module that calls for her: of other lists it has none. */
export type Viewer = { actor: Actor; routes: readonly string[] | null }

export const seesList = ({ routes }: Viewer, list: string) => !routes || isAtRoutes(routes, list)

function expectSeen(viewer: Viewer, list: string) {
  if (!seesList(viewer, list))
    throw new Refusal(403, say.viewElsewhere, { parts: [viewer.routes?.join(', ') ?? ''] })
}

/** Lists a person's own views by name, of one list or of all. */
export async function listViews(db: Reader, viewer: Viewer, list?: string): Promise<SavedView[]> {
  if (list !== undefined) expectSeen(viewer, list)
  const { rows } = await sql<SavedView>`
    select id, list, name, query, version from saved_views
    where user_id = ${viewer.actor.id} and (${list ?? null}::text is null or list = ${list ?? null})
    order by name collate "fr-x-icu", id`.execute(db)
  return rows.filter((view) => seesList(viewer, view.list))
}

/** Saves a view. The person's row is locked, so that two calls cannot both take the last place. */
export async function createView(db: Db, viewer: Viewer, given: SavedViewCreate): Promise<SavedView> {
  const { actor } = viewer
  expectSeen(viewer, given.list)
  return transaction(db, async (tx) => {
    await sql`select from users where id = ${actor.id} for no key update`.execute(tx)
    const { rows } = await sql<{ kept: number }>`
      select count(*) as kept from saved_views where user_id = ${actor.id} and list = ${given.list}`.execute(
      tx,
    )
    if ((rows[0]?.kept ?? 0) >= mostViews) throw conflict(say.viewsFull, mostViews)
    const { id } = await tx
      .insertInto('saved_views')
      .values({ ...given, user_id: actor.id })
      .returning('id')
      .executeTakeFirstOrThrow()
    await audit(tx, actor, 'created', 'saved view', id, { new: forLog(given) })
    return ownView(tx, viewer, id)
  })
}

/** Renames a view of the person's own, or saves other filters under its name. */
export async function updateView(
  db: Db,
  viewer: Viewer,
  id: number,
  { version, ...given }: SavedViewEdit,
): Promise<SavedView> {
  return transaction(db, async (tx) => {
    const before = await ownView(tx, viewer, id)
    expectVersion(before.version, version)
    const changes = difference(before, given)
    if (Object.keys(changes.new).length === 0) return before
    await tx.updateTable('saved_views').set(given).where('id', '=', id).execute()
    await audit(tx, viewer.actor, 'updated', 'saved view', id, {
      old: forLog(changes.old),
      new: { ...forLog(changes.new), ...versionMark(version) },
    })
    return ownView(tx, viewer, id)
  })
}

/** Deletes a view of the person's own. A start page that was this view goes with it. */
export async function removeView(db: Db, viewer: Viewer, id: number) {
  await transaction(db, async (tx) => {
    const { list, name, query } = await ownView(tx, viewer, id)
    await tx.deleteFrom('saved_views').where('id', '=', id).execute()
    await audit(tx, viewer.actor, 'deleted', 'saved view', id, { old: forLog({ list, name, query }) })
  })
}

/** A view for the audit log: that its query has a search, and not what was typed, which would stay after a person was forgotten. */
function forLog(view: Record<string, unknown>) {
  if (typeof view.query !== 'string') return view
  const filters = [...new URLSearchParams(view.query)].map(([field, value]) => [
    field,
    field === 'search' && value ? 'true' : value,
  ])
  return { ...view, query: `${new URLSearchParams(filters)}` }
}

/** Locks and returns a view; that of somebody else does not exist, and neither does one of another list for a module. */
async function ownView(tx: Tx, viewer: Viewer, id: number): Promise<SavedView> {
  const { rows } = await sql<SavedView>`
    select id, list, name, query, version from saved_views where id = ${id} and user_id = ${viewer.actor.id} for update
  `.execute(tx)
  const [view] = rows
  if (!view || !seesList(viewer, view.list)) throw notFound()
  return view
}
