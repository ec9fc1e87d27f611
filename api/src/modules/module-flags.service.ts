import type { FlagAudience, FlagDecision, ModuleFlag } from '@portal/contracts/module-flags'
import type { PortalRegistry } from '@portal/registry'
import { shareOf } from '@portal/registry/audience'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { sql } from 'kysely'
import { audit } from '../kit/audit/audit.ts'
import { type Db, type Reader, type Tx, transaction } from '../kit/database/db.ts'
import { expectVersion } from '../kit/database/versions.ts'
import { invalid, notFound } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import { liveModule, runningBuilds } from './live-modules.ts'
import { say } from './messages.ts'

type Declared = NonNullable<ModuleBuild['flags']>[number]
type Decision = { flag: string; who: FlagAudience; roles: number[]; percent: number; version: number }
type Stored = Decision & { changed: ModuleFlag['changed'] }

/** The switches of a live module, those of a canary and of builds for other majors too. Throws 404 for another module. */
async function declaredFlags(registry: PortalRegistry, module: string): Promise<Declared[]> {
  const entry = await liveModule(registry, module)
  if (!entry) throw notFound()
  const all = runningBuilds(entry).flatMap(({ flags = [] }) => flags)
  return all.filter(({ id }, at) => all.findIndex((each) => each.id === id) === at)
}

async function storedDecisions(db: Reader, module: string): Promise<Map<string, Stored>> {
  const found = await sql<Stored>`
    select f.flag, f.who, to_jsonb(f.roles) as roles, f.percent, f.version, jsonb_build_object('at', f.updated_at,
      'by', jsonb_build_object('first_name', u.first_name, 'last_name', u.last_name)) as changed
    from module_flags f join users u on u.id = f.user_id where f.module = ${module}`.execute(db)
  return new Map(found.rows.map((row) => [row.flag, row]))
}

const undecided = { who: 'declared', roles: [], percent: 0, version: 0, changed: null } as const

const asFlag = (declared: Declared, stored: Stored | undefined): ModuleFlag => {
  const { who, roles, percent, version, changed } = stored ?? undecided
  return { ...declared, who, roles: [...roles], percent, version, changed }
}

/** The switches of a module with who has them, and the roles to choose from. */
export async function listFlags(db: Db, registry: PortalRegistry, module: string) {
  const declared = await declaredFlags(registry, module)
  const stored = await storedDecisions(db, module)
  return {
    flags: declared.map((each) => asFlag(each, stored.get(each.id))),
    roles: await db.selectFrom('roles').select(['id', 'name']).orderBy('name').execute(),
  }
}

/** Decides who has a switch. It counts when the module is loaded the next time. */
export async function decideFlag(
  db: Db,
  registry: PortalRegistry,
  actor: Actor,
  { module, flag }: { module: string; flag: string },
  { version, ...wanted }: FlagDecision,
): Promise<ModuleFlag> {
  const declared = (await declaredFlags(registry, module)).find(({ id }) => id === flag)
  if (!declared) throw notFound()
  const { who } = wanted
  const [roles, percent] = who === 'some' ? [wanted.roles, wanted.percent] : [[], 0]
  if (who === 'some' && roles.length === 0 && percent === 0) throw invalid({ roles: say.flagForNobody })
  return transaction(db, async (tx) => {
    // Of two people who decide at once the second one waits, and reads that the first one has.
    await sql`select pg_advisory_xact_lock(hashtext(${`flag ${module} ${flag}`}))`.execute(tx)
    const before = (await storedDecisions(tx, module)).get(flag) ?? undecided
    expectVersion(before.version, version)
    const names = await rolesByName(tx, roles)
    if (names.length !== new Set(roles).size) throw invalid({ roles: 'choose' })
    await sql`
      insert into module_flags as f (module, flag, who, roles, percent, user_id)
      values (${module}, ${flag}, ${who}, ${roles}::bigint[], ${percent}, ${actor.id})
      on conflict (module, flag) do update set who = excluded.who, roles = excluded.roles, percent = excluded.percent,
        user_id = excluded.user_id, updated_at = now(), version = f.version + 1`.execute(tx)
    await audit(tx, actor, 'flag decided', 'module', null, {
      old: { who: before.who, roles: await rolesByName(tx, before.roles), percent: before.percent },
      new: { module, flag, who, roles: names, percent },
    })
    return asFlag(declared, (await storedDecisions(tx, module)).get(flag))
  })
}

async function rolesByName(tx: Tx, ids: readonly number[]): Promise<string[]> {
  const found = await sql<{
    name: string
  }>`select name from roles where id = any(${[...ids]}::bigint[]) order by name`.execute(tx)
  return found.rows.map(({ name }) => name)
}

/** Which switches of a module a person has. */
export async function ownFlags(db: Db, registry: PortalRegistry, actor: Actor, module: string) {
  const declared = await declaredFlags(registry, module)
  if (declared.length === 0) return {}
  const stored = await storedDecisions(db, module)
  return Object.fromEntries(
    declared.map(({ id, default: usual }) => [id, has(actor, `${module} ${id}`, stored.get(id), usual)]),
  )
}

/** People of the chosen roles, and of all others a share that is the same on every page and machine, like a canary. */
function has(actor: Actor, key: string, decision: Decision | undefined, usual: boolean): boolean {
  if (!decision || decision.who === 'declared') return usual
  if (decision.who !== 'some') return decision.who === 'everybody'
  const byRole = actor.roles.some(({ id }) => decision.roles.includes(id))
  return byRole || shareOf(`${key} ${actor.id}`) < decision.percent / 100
}
