import type { BodyOf } from '@portal/contracts/endpoint'
import type { modules as calls, ModuleStatus } from '@portal/contracts/modules'
import type { Text } from '@portal/contracts/sentences'
import type { PortalRegistry } from '@portal/registry'
import { RegistryRefusal } from '@portal/registry/refusals'
import { sql } from 'kysely'
import { type Db, rows } from '../kit/database/db.ts'
import { conflict, notFound } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'
import type { Settings } from '../kit/process/settings.ts'
import { say } from './messages.ts'
import { administrator, changingRegistry } from './registry-changes.service.ts'
import { wasOpened } from './reports.service.ts'

type Figures = Pick<ModuleStatus, 'loads' | 'errors' | 'load_ms_median' | 'load_ms_p95' | 'bytes_median'> & {
  module: string
}

const none = { loads: 0, errors: 0, load_ms_median: null, load_ms_p95: null, bytes_median: null }

/**
 * The number of loads from which percentiles are computed. Reading a whole week would be slower and hardly more exact.
 */
const sample = 5000

const figuresOf = (names: string[]) => sql`
  select m.name as module, c.loads, e.errors, f.load_ms_median, f.load_ms_p95, f.bytes_median
  from unnest(${names}::text[]) as m (name)
  cross join lateral (select count(*) as loads from module_reports
    where module = m.name and kind = 'load' and ${wasOpened} and created_at > now() - interval '7 days') c
  cross join lateral (select count(*) as errors from module_reports
    where module = m.name and kind = 'error' and reason <> 'slow' and created_at > now() - interval '7 days') e
  cross join lateral (
    select percentile_disc(0.5) within group (order by ms) as load_ms_median,
      percentile_disc(0.95) within group (order by ms) as load_ms_p95,
      percentile_disc(0.5) within group (order by bytes) filter (where bytes > 0) as bytes_median
    from (select ms, bytes from module_reports
      where module = m.name and kind = 'load' and ${wasOpened} and created_at > now() - interval '7 days'
      order by created_at desc limit ${sample}) s) f`

/**
 * Every module in the registry: its live state, and its figures of the last seven days. Without an origin for frames what is
 * not trusted does not run.
 */
export async function listModules(
  db: Db,
  registry: PortalRegistry,
  { modulesAt }: Pick<Settings, 'modulesAt'>,
) {
  const { generation, modules } = await registry.status()
  const figures = await rows(db, figuresOf(modules.map(({ name }) => name)).$castTo<Figures>())
  const byName = new Map(figures.map(({ module, ...rest }) => [module, rest]))
  const listed = modules.map(({ canary, ...state }): ModuleStatus => {
    const tried = canary && { version: canary.version, percent: canary.percent, roles: canary.roles }
    const figures = byName.get(state.name) ?? none
    const runsNowhere = state.runs === 'isolated' && !modulesAt && state.state === 'live'
    if (runsNowhere) return { ...state, state: 'withheld', withheld: 'isolated', canary: tried, ...figures }
    return { ...state, withheld: state.withheld ?? null, canary: tried, ...figures }
  })
  return { generation, modules: listed }
}

/** The changes of a module's live entry, newest first. */
export async function listChanges(registry: PortalRegistry, module: string) {
  return { changes: await registry.history(module) }
}

const events = { enable: 'enabled', disable: 'disabled', rollback: 'rolled back' } as const
const messages: Record<keyof typeof events, Text> = {
  enable: say.enabled,
  disable: say.disabled,
  rollback: say.rolledBack,
}

/**
 * Enables or disables a module, or rolls it back to the build before. The audit row is written first, in a transaction
 * that is rolled back if the registry refuses. So every change of the registry has its audit row.
 */
export async function changeModule(
  { db, registry }: Pick<Context, 'db' | 'registry'>,
  actor: Actor,
  module: string,
  { action, generation }: BodyOf<typeof calls.change>,
) {
  const live = await registry.now()
  const entry = live.modules.find(({ name }) => name === module)
  if (!entry) throw notFound()
  if (live.generation !== generation) throw conflict(say.moved)
  const done = action !== 'rollback' && entry.disabled === (action === 'disable')
  if (done) return { message: messages[action], generation }
  const by = administrator(actor)
  const { version, build } = entry
  const changes = { old: { module, version, build, generation } }
  const asked = { event: events[action], module, generation, changes }
  const next = await changingRegistry({ db, registry }, actor, asked, async (_tx, audited) => {
    const step = await audited()
    return registry.change({ name: module, action, generation, by, step }).catch(refuse)
  })
  return { message: messages[action], generation: next.generation }
}

/** Replaces a refusal of the registry, which is in English for developers, by a sentence in both languages. */
function refuse(fault: unknown): never {
  if (!(fault instanceof RegistryRefusal)) throw fault
  if (fault.status === 404) throw notFound()
  if ('generation' in fault.more) throw conflict(say.moved)
  if ('waits' in fault.more) throw conflict(say.waitsForAdmission(String(fault.more.waits)))
  if ('reason' in fault.more) throw conflict(say.doesNotFit(String(fault.more.reason)))
  throw conflict(fault.status === 410 ? say.filesGone : say.nothingBefore)
}
