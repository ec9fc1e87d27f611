import { permissions as own } from '@portal/contracts/permissions'
import { sql } from 'kysely'
import { audit } from '../kit/audit/audit.ts'
import { type Db, type Tx, transaction } from '../kit/database/db.ts'
import { portal } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'
import { watchPermission } from './console.service.ts'
import { liveModules } from './live-modules.ts'

type Label = { en: string; fr: string }
/** The part of a live module's entry that is needed here. */
export type AdoptedModule = { name: string; permissions: readonly { name: string; label: Label }[] }

/**
 * Adds the permissions that live modules declare, so that roles can get them. The Administrator gets them at once,
 * because people can only grant what they have. A permission that a live module no longer declares is dropped from every
 * role (decision 110). Permissions of modules that are not live stay, so that roles still have them when the module comes
 * back. It is idempotent and may run in several processes at once. False if the modules are no longer those that are live:
 * a slow process would drop what another one has added for the generation after.
 */
async function adoptModules(
  db: Db,
  modules: readonly AdoptedModule[],
  areLive: () => Promise<boolean>,
): Promise<boolean> {
  const portals = new Set<string>(own)
  const declared = modules.flatMap((module) =>
    module.permissions
      .filter(({ name }) => !portals.has(name))
      .map(({ name, label }) => ({ name, label, module: module.name })),
  )
  return transaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('access'))`.execute(tx)
    if (!(await areLive())) return false
    for (const one of declared) await adopt(tx, one)
    const names = modules.map(({ name }) => name)
    await dropOthers(tx, names, new Set(declared.map(({ name, module }) => `${module} ${name}`)))
    return true
  })
}

type Declared = { name: string; label: Label; module: string }

async function adopt(tx: Tx, { name, label, module }: Declared) {
  const words = JSON.stringify(label)
  const found = await sql<{ id: number; declared: boolean; module: string | null }>`
    select id, declared, module from permissions where name = ${name}`.execute(tx)
  const known = found.rows[0]
  if (known && known.module !== module) return
  if (known?.declared) {
    await sql`update permissions set label = ${words}::jsonb
      where id = ${known.id} and label is distinct from ${words}::jsonb`.execute(tx)
    return
  }
  const made = known
    ? await sql<{ id: number }>`update permissions set dropped_at = null, label = ${words}::jsonb
        where id = ${known.id} returning id`.execute(tx)
    : await sql<{ id: number }>`
        insert into permissions (name, module, label) values (${name}, ${module}, ${words}::jsonb) returning id`.execute(
        tx,
      )
  await sql`insert into role_permissions (role_id, permission_id)
    select id, ${made.rows[0]?.id} from roles where administrator on conflict do nothing`.execute(tx)
  await audit(tx, portal, 'permission added', 'module', null, { new: { module, permission: name } })
}

/** Takes permissions that these modules no longer declare from every role, and notes which roles had them. */
async function dropOthers(tx: Tx, modules: string[], declared: Set<string>) {
  const { rows } = await sql<{ id: number; name: string; module: string }>`
    select id, name, module from permissions where declared and module = any(${modules}) order by id`.execute(
    tx,
  )
  for (const { id, name, module } of rows.filter((row) => !declared.has(`${row.module} ${row.name}`))) {
    const gone = await sql<{ role_id: number }>`
      delete from role_permissions where permission_id = ${id} returning role_id`.execute(tx)
    const ids = gone.rows.map((row) => row.role_id)
    const roles = await sql<{ name: string }>`
      update roles set version = version + 1 where id = any(${ids}) and not administrator returning name`.execute(
      tx,
    )
    await sql`insert into dropped_grants (role_id, permission_id)
      select id, ${id} from roles where id = any(${ids}) and not administrator`.execute(tx)
    await sql`update permissions set dropped_at = now() where id = ${id}`.execute(tx)
    await audit(tx, portal, 'permission dropped', 'module', null, {
      old: { module, permission: name, roles: roles.rows.map((role) => role.name).sort() },
    })
  }
}

/** A partner's module, with the permission to see how it fares. Roles for the partner's people can have it. */
const watchable = ({ name, title, permissions }: AdoptedModule & { title: Label }): AdoptedModule => ({
  name,
  permissions: [
    ...permissions,
    {
      name: watchPermission(name),
      label: { en: `See how ${title.en} fares`, fr: `Suivre le fonctionnement de ${title.fr}` },
    },
  ],
})

/**
 * Adopts the live modules, and again after each new generation. Withheld modules are left out, because they are not
 * trusted.
 */
export function followModules({ db, registry }: Pick<Context, 'db' | 'registry'>) {
  let seen = -1
  return async () => {
    const { generation, modules, release } = await liveModules(registry)
    if (generation === seen) return
    const adopted = await adoptModules(
      db,
      modules
        .filter(({ withheld }) => !withheld)
        .map((module) => (release[module.name] ? module : watchable(module))),
      async () => (await registry.now()).generation === generation,
    )
    if (adopted) seen = generation
  }
}
