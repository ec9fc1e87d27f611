import { permissions as own } from '@portal/contracts/permissions'
import { sql } from 'kysely'
import { audit } from '../kit/audit.ts'
import type { Context } from '../kit/context.ts'
import { type Db, transaction } from '../kit/db.ts'
import { portal } from '../kit/session.ts'
import { liveModules } from './live-modules.ts'

type Label = { en: string; fr: string }
/** The part of a live module's entry that is needed here. */
export type AdoptedModule = { name: string; permissions: readonly { name: string; label: Label }[] }

/**
 * Adds the permissions that live modules declare, so that roles can get them. The Administrator gets them at once,
 * because people can only grant what they have. Permissions of modules that are no longer live stay, so that roles
 * still have them when the module comes back. It is idempotent and may run in several processes at once.
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

/**
 * Adopts the live modules, and again after each new generation. Withheld modules are left out, because they are not
 * trusted.
 */
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
