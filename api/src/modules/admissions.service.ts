import type { BodyOf } from '@portal/contracts/endpoint'
import type { modules } from '@portal/contracts/modules'
import type { PortalRegistry } from '@portal/registry'
import { RegistryRefusal } from '@portal/registry/refusals'
import { sql } from 'kysely'
import type { Tx } from '../kit/database/db.ts'
import { conflict, notFound } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'
import { say } from './messages.ts'
import { administrator, changingRegistry, recordLeftSteps } from './registry-changes.service.ts'
import { settleBuild } from './waiting-builds.service.ts'

type BuildRecord = NonNullable<Awaited<ReturnType<PortalRegistry['builds']['ofBuild']>>>

/**
 * Admits a partner's build, so that its team can promote it. The audit row is written first, in a transaction that is
 * rolled back if the registry refuses. A build that is admitted already stays as it is. Whoever would have it run elsewhere
 * is told so.
 */
export async function admitBuild(
  { db, registry }: Pick<Context, 'db' | 'registry'>,
  actor: Actor,
  module: string,
  { build, trusted }: BodyOf<typeof modules.admit>,
) {
  const record = await registry.builds.ofBuild(module, build)
  if (!record) throw notFound()
  const { admissions } = registry
  const { version, person, key } = record
  const added = { module, version, build, published_by: person, key, runs: trusted ? 'trusted' : 'isolated' }
  const step = { event: 'admitted', module, build, changes: { new: added } }
  await changingRegistry({ db, registry }, actor, step, async (tx, audited) => {
    await lockBuild(tx, record)
    if (await admissions.has(record)) {
      const same = (await admissions.runs(module, record)) === (trusted ? 'trusted' : 'isolated')
      if (record.release || same) return
      throw conflict(await admittedBefore(registry, record))
    }
    const step = await audited()
    await settleBuild(tx, record)
    const asked = { by: administrator(actor), name: module, build, trusted, step }
    const { admitted } = await registry.admit(asked).catch(refuse)
    // The operator's command, which does not take the lock, may have admitted the build meanwhile.
    if (!admitted) throw conflict(await admittedBefore(registry, record))
  })
}

/** Trusts an admitted build, or has it run in a frame again. The audit row is written first, as for an admission. */
export async function decideTrust(
  { db, registry }: Pick<Context, 'db' | 'registry'>,
  actor: Actor,
  module: string,
  { build, trusted }: BodyOf<typeof modules.trust>,
) {
  const record = await registry.builds.ofBuild(module, build)
  if (!record || record.release) throw notFound()
  const { version, person } = record
  const changes = { new: { module, version, build, published_by: person } }
  const step = { event: trusted ? 'trusted' : 'isolated', module, build, changes }
  await changingRegistry({ db, registry }, actor, step, async (tx, audited) => {
    await lockBuild(tx, record)
    // Steps that a killed process left are recorded first. This decision replaces theirs in the registry, and they could not be found after it.
    await recordLeftSteps(tx, registry, module)
    if (await registry.admissions.holds(record, trusted)) return
    const asked = { by: administrator(actor), name: module, build, trusted, step: await audited() }
    await registry.decideTrust(asked).catch(refuseTrust)
  })
}

/** If two administrators decide about a build at once, the second one waits and reads what the first one decided. */
const lockBuild = (tx: Tx, { name, build }: BuildRecord) =>
  sql`select pg_advisory_xact_lock(hashtext(${`admission ${name}/${build}`}))`.execute(tx)

const admittedBefore = async ({ admissions }: PortalRegistry, record: BuildRecord) =>
  (await admissions.runs(record.name, record)) === 'trusted' ? say.admittedTrusted : say.admittedIsolated

function refuseTrust(fault: unknown): never {
  if (fault instanceof RegistryRefusal && fault.status === 409) throw conflict(say.trustedAtAdmission)
  return refuse(fault)
}

/** Replaces a refusal of the registry, which is in English for developers, by a sentence in both languages. */
function refuse(fault: unknown): never {
  if (!(fault instanceof RegistryRefusal)) throw fault
  if (fault.status === 404) throw notFound()
  throw conflict(say.notAdmitted('reason' in fault.more ? String(fault.more.reason) : fault.message))
}
