import { sql } from 'kysely'
import { audit, difference } from '../kit/audit/audit.ts'
import { type Db, type Reader, type Tx, transaction } from '../kit/database/db.ts'
import { constraintFault, invalid } from '../kit/http/refusals.ts'
import { say } from './messages.ts'
import { seesList, type Viewer } from './saved-views.service.ts'

constraintFault('start_pages_view_fkey', 'start', say.startGone)

/** Returns what a person chose: an address, `view:12`, or an empty text for home. */
export async function readStart(db: Reader, userId: number): Promise<string> {
  const { rows } = await sql<{ start: string }>`
    select coalesce(path, 'view:' || view_id) as start from start_pages where user_id = ${userId}`.execute(db)
  return rows[0]?.start ?? ''
}

/**
 * Chooses the page that opens after the sign-in. It is audited like other changes of the profile. For a module, a view of another
 * list is gone.
 */
export async function chooseStart(db: Db, viewer: Viewer, start: string): Promise<string> {
  const { actor } = viewer
  return transaction(db, async (tx) => {
    await sql`select from users where id = ${actor.id} for no key update`.execute(tx)
    const changes = difference({ start_page: await readStart(tx, actor.id) }, { start_page: start })
    if (Object.keys(changes.new).length === 0) return start
    const view = start.startsWith('view:') ? Number(start.slice('view:'.length)) : null
    if (view) await expectView(tx, viewer, view)
    await sql`delete from start_pages where user_id = ${actor.id}`.execute(tx)
    if (start)
      await sql`
        insert into start_pages (user_id, path, view_id) values (${actor.id}, ${view ? null : start}, ${view})
      `.execute(tx)
    await audit(tx, actor, 'updated', 'user', actor.id, changes)
    return start
  })
}

async function expectView(tx: Tx, viewer: Viewer, id: number) {
  const { rows } = await sql<{ list: string }>`
    select list from saved_views where id = ${id} and user_id = ${viewer.actor.id}`.execute(tx)
  if (!rows[0] || !seesList(viewer, rows[0].list)) throw invalid({ start: say.startGone })
}

/** Returns the address that the portal opens after a sign-in; null for home. A view has the page of its list. */
export async function startAddress(db: Reader, userId: number): Promise<string | null> {
  const { rows } = await sql<{ address: string }>`
    select coalesce(s.path, v.list || case v.query when '' then '' else '?' || v.query end) as address
    from start_pages s left join saved_views v on v.id = s.view_id
    where s.user_id = ${userId} and (v.list is null or v.list !~ ':')`.execute(db)
  return rows[0]?.address ?? null
}
