import { permissions as own } from '@portal/contracts/permissions'
import { sql } from 'kysely'
import { audit } from '../kit/audit.ts'
import type { Context } from '../kit/context.ts'
import { type Db, transaction } from '../kit/db.ts'
import { portal } from '../kit/session.ts'
import { liveModules } from './live-modules.ts'

type Label = { en: string; fr: string }
/** What is looked at of a module that is live. */
export type AdoptedModule = { name: string; permissions: readonly { name: string; label: Label }[] }

/**
 * Makes the permissions that live modules declare grantable, and gives them to the Administrator, who grants what they hold.
 * Those of a module that is no longer live stay: roles keep what they allowed when it comes back. Harmless to repeat, and to
 * do in several processes at once.
 */
export async function adoptModules(db: Db, modules: readonly AdoptedModule[]) {
  const portals = new Set<string>(own)
  const declared = modules.flatMap((module) =>
    module.permissions
      .filter(({ name }) => !portals.has(name))
      .map(({ name, label }) => ({ name, label, module: module.name })),
  )
  if (declared.length === 0) return
  await transaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('access'))`.execute(tx)
    for (const { name, label, module } of declared) {
      const words = JSON.stringify(label)
      const made = await sql<{ id: number }>`
        insert into permissions (name, module, label) values (${name}, ${module}, ${words}::jsonb)
        on conflict (name) do nothing returning id`.execute(tx)
      const id = made.rows[0]?.id
      if (id === undefined) {
        await sql`update permissions set label = ${words}::jsonb
          where name = ${name} and module = ${module} and label is distinct from ${words}::jsonb`.execute(tx)
        continue
      }
      await sql`insert into role_permissions (role_id, permission_id)
        select id, ${id} from roles where administrator on conflict do nothing`.execute(tx)
      await audit(tx, portal, 'permission added', 'module', null, { new: { module, permission: name } })
    }
  })
}

/** Adopts what is live now, and again whenever that has changed; what is withheld has nothing to say. */
export function followModules({ db, registry }: Pick<Context, 'db' | 'registry'>) {
  let seen = -1
  return async () => {
    const { generation, modules } = await liveModules(registry)
    if (generation === seen) return
    await adoptModules(
      db,
      modules.filter(({ withheld }) => !withheld),
    )
    seen = generation
  }
}
