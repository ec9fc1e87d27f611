import type { ModuleSetting, SettingValue } from '@portal/contracts/module-settings'
import { checkRecord, fitsField } from '@portal/contracts/record-fields'
import type { PortalRegistry } from '@portal/registry'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { sql } from 'kysely'
import { audit } from '../kit/audit/audit.ts'
import { type Db, type Reader, transaction } from '../kit/database/db.ts'
import { expectVersion } from '../kit/database/versions.ts'
import { invalid, notFound } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import { liveModule, runningBuilds } from './live-modules.ts'
import { say } from './messages.ts'

type Declared = NonNullable<ModuleBuild['settings']>[number]
type Values = Record<string, SettingValue>
type Stored = { settings: Values; version: number; changed: Settings['changed'] }
type Settings = {
  settings: ModuleSetting[]
  version: number
  changed: { at: string; by: { first_name: string; last_name: string } } | null
}

/** The settings of a live module, those of a canary and of builds for other majors too. Throws 404 for another module. */
async function declaredSettings(registry: PortalRegistry, module: string): Promise<Declared[]> {
  const entry = await liveModule(registry, module)
  if (!entry) throw notFound()
  const all = runningBuilds(entry).flatMap(({ settings = [] }) => settings)
  return all.filter(({ name }, at) => all.findIndex((each) => each.name === name) === at)
}

async function storedSettings(db: Reader, module: string): Promise<Stored> {
  const found = await sql<Stored>`
    select s.settings, s.version, jsonb_build_object('at', s.updated_at,
      'by', jsonb_build_object('first_name', u.first_name, 'last_name', u.last_name)) as changed
    from module_settings s join users u on u.id = s.user_id where s.module = ${module}`.execute(db)
  return found.rows[0] ?? { settings: {}, version: 0, changed: null }
}

/** The value of a setting. A stored value that another version has saved counts as missing if this version does not allow it. */
function currentOf(declared: Declared, stored: Values): SettingValue {
  const value = stored[declared.name]
  return value !== undefined && fitsField(declared, value) ? value : declared.default
}

const described = (declared: readonly Declared[], { settings, version, changed }: Stored): Settings => ({
  settings: declared.map((each) => ({ ...each, value: currentOf(each, settings) })),
  version,
  changed,
})

/** The settings of a module with their values. */
export async function readSettings(db: Db, registry: PortalRegistry, module: string): Promise<Settings> {
  return described(await declaredSettings(registry, module), await storedSettings(db, module))
}

/** The values of its settings, for the module itself. */
export async function ownSettings(db: Db, registry: PortalRegistry, module: string): Promise<Values> {
  const declared = await declaredSettings(registry, module)
  if (declared.length === 0) return {}
  const { settings } = await storedSettings(db, module)
  return Object.fromEntries(declared.map((each) => [each.name, currentOf(each, settings)]))
}

/** Throws 422 with a sentence for each value that is not as its setting is declared. */
function checked(declared: readonly Declared[], given: Record<string, unknown>): Values {
  const { data, faults } = checkRecord(declared, given)
  const names = Object.keys(faults)
  if (names.length === 0) return data as Values
  const sentenceOf = (name: string) => {
    const label = declared.find((each) => each.name === name)?.label
    return label ? say.recordField(label, faults[name] ?? '') : say.settingUnknown(name)
  }
  throw invalid(Object.fromEntries(names.map((name) => [`values.${name}`, sentenceOf(name)])))
}

/** Changes the settings of a module, all of them at once. It counts when the module is loaded the next time. */
export async function changeSettings(
  db: Db,
  registry: PortalRegistry,
  actor: Actor,
  module: string,
  sent: { values: Record<string, unknown>; version: number },
): Promise<Settings> {
  const declared = await declaredSettings(registry, module)
  if (declared.length === 0) throw notFound()
  const values = checked(declared, sent.values)
  return transaction(db, async (tx) => {
    // The second of two people who save at once waits here, and is then refused, because the version is another one.
    await sql`select pg_advisory_xact_lock(hashtext(${`settings ${module}`}))`.execute(tx)
    const before = await storedSettings(tx, module)
    expectVersion(before.version, sent.version)
    const others = Object.entries(before.settings).filter(
      ([name]) => !declared.some((each) => each.name === name),
    )
    const wanted = Object.entries(values).filter(([, value]) => value !== null && value !== '')
    const settings = Object.fromEntries([...others, ...wanted]) as Values
    await sql`
      insert into module_settings as s (module, settings, user_id) values (${module}, ${JSON.stringify(settings)}, ${actor.id})
      on conflict (module) do update set settings = excluded.settings, user_id = excluded.user_id,
        updated_at = now(), version = s.version + 1`.execute(tx)
    for (const each of declared) {
      const [old, value] = [currentOf(each, before.settings), currentOf(each, settings)]
      if (old === value) continue
      await audit(tx, actor, 'setting changed', 'module', null, {
        old: { value: old },
        new: { module, setting: each.name, value },
      })
    }
    return described(declared, await storedSettings(tx, module))
  })
}
