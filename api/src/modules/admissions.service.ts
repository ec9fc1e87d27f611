import type { BodyOf } from '@portal/contracts/endpoint'
import type { modules } from '@portal/contracts/modules'
import type { PortalRegistry } from '@portal/registry'
import { RegistryRefusal } from '@portal/registry/refusals'
import { audit } from '../kit/audit.ts'
import { type Db, transaction } from '../kit/db.ts'
import { conflict, notFound } from '../kit/refusals.ts'
import type { Actor } from '../kit/session.ts'
import { say } from './messages.ts'
import { settleBuild } from './waiting-builds.service.ts'

/**
 * Admits a partner's build, so that its team can promote it. The audit row is written first, in a transaction that is
 * rolled back if the registry refuses. A build that is admitted already stays as it is, also in where it runs.
 */
export async function admitBuild(
  db: Db,
  registry: PortalRegistry,
  actor: Actor,
  module: string,
  { build, trusted }: BodyOf<typeof modules.admit>,
) {
  const record = await registry.builds.ofBuild(module, build)
  if (!record) throw notFound()
  if (await registry.admissions.has(record)) return
  const by = nameOf(actor)
  await transaction(db, async (tx) => {
    const { version, person, key } = record
    await audit(tx, actor, 'admitted', 'module', null, {
      new: { module, version, build, published_by: person, key, runs: trusted ? 'trusted' : 'isolated' },
    })
    await settleBuild(tx, record)
    await registry.admit({ by, name: module, build, trusted }).catch(refuse)
  })
}

/** Trusts an admitted build, or has it run in a frame again. The audit row is written first, as for an admission. */
export async function decideTrust(
  db: Db,
  registry: PortalRegistry,
  actor: Actor,
  module: string,
  { build, trusted }: BodyOf<typeof modules.trust>,
) {
  const record = await registry.builds.ofBuild(module, build)
  if (!record || record.release) throw notFound()
  const runs = trusted ? 'trusted' : 'isolated'
  if ((await registry.admissions.runs(module, record)) === runs) return
  await transaction(db, async (tx) => {
    const { version, person } = record
    await audit(tx, actor, runs, 'module', null, { new: { module, version, build, published_by: person } })
    await registry.decideTrust({ by: nameOf(actor), name: module, build, trusted }).catch(refuseTrust)
  })
}

const nameOf = (actor: Actor) => `administrator ${actor.first_name} ${actor.last_name}`

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
