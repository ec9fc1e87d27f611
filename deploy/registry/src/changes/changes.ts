import type { RegistryParts } from '../parts.ts'
import { ownModule, RegistryRefusal } from '../refusals.ts'
import type { Generation } from '../schemas.ts'
import { type Asked, changeEntry } from './entry-change.ts'
import { fittingOrRefuse, publishedOrRefuse } from './gates.ts'
import { promote } from './promote.ts'
import { rollback } from './rollback.ts'

/** Who decides about a published build, and the portal's id of the step. */
export type AskedBuild = { by: string; name: string; build: string; step?: string | undefined }

/** Changes what is live. Each change makes one generation, or is refused with a sentence that says what to do. */
export function openChanges(registry: RegistryParts) {
  const { generations, builds, revocations, admissions } = registry

  /**
   * Admits a partner's build for an administrator of the portal. Nothing goes live by it: from now on the build can be
   * promoted. It passes the gates again, so that nobody admits what cannot go live. It runs in a frame, unless it is trusted.
   */
  async function admit({
    by,
    name,
    build,
    step,
    trusted = false,
  }: AskedBuild & { trusted?: boolean | undefined }) {
    const known = await builds.ofBuild(name, build)
    if (!known) throw new RegistryRefusal(404, `No build ${build} of ${name} was published.`)
    if (known.release) throw ownModule(name, ': the release key admits it')
    const record = await publishedOrRefuse(registry, name, `${known.version}+${build}`)
    await fittingOrRefuse(registry, await generations.now(), record)
    const at = new Date().toISOString()
    const trust = { trusted, by, at }
    const admitted = await admissions.admit(name, build, { by, at, trust, ...(step && { step }) })
    return { record, admitted }
  }

  const disable = (asked: Asked) =>
    changeEntry(registry, asked, 'disable', (entry) => (entry.disabled ? null : { ...entry, disabled: true }))
  const enable = (asked: Asked) =>
    changeEntry(registry, asked, 'enable', (entry) => (entry.disabled ? { ...entry, disabled: false } : null))
  const pin = (asked: Asked) =>
    changeEntry(registry, asked, 'pin', (entry) => (entry.pinned ? null : { ...entry, pinned: true }))
  const unpin = (asked: Asked) =>
    changeEntry(registry, asked, 'unpin', ({ pinned, ...entry }) => (pinned ? entry : null))

  /**
   * Revokes a build for good. From the next generation on nobody runs it, whatever else has changed. If it is live, it is
   * shown as withheld until another build is promoted or the module is rolled back.
   */
  async function revoke(asked: Omit<Asked, 'generation'> & { version: string; reason: string }) {
    const { by, name, reason } = asked
    const record = await builds.ofVersion(name, asked.version)
    if (!record)
      throw new RegistryRefusal(404, `${name} ${asked.version} was never published: nothing to revoke.`)
    const at = new Date().toISOString()
    // It is repeated if the process died before the generation was made, so an earlier revocation makes one, too.
    await revocations.revokeBuild(name, record.build, { by, at, reason })
    return generations.change(undefined, () => ({ what: 'revoke', by, module: name }))
  }

  /**
   * Takes a partner's module out of the portal, so that its addresses are free, and ends the waiting of its builds. They
   * stay published, and an admitted one can be promoted again.
   */
  async function remove({ by, name }: Omit<Asked, 'generation'>): Promise<Generation> {
    const published = await builds.list(name)
    return generations.change(undefined, async (live) => {
      const entry = live.modules.some((each) => each.name === name)
      if (!entry && published.length === 0) throw new RegistryRefusal(404, `There is no module ${name}.`)
      if (live.release[name])
        throw ownModule(name, ', and the next release would bring it back: disable it instead')
      await admissions.endWaiting(name, { by, at: new Date().toISOString() })
      if (!entry) return null
      return { what: 'remove', by, module: name, modules: live.modules.filter((each) => each.name !== name) }
    })
  }

  return {
    admit,
    promote: (asked: Parameters<typeof promote>[1]) => promote(registry, asked),
    rollback: (asked: Parameters<typeof rollback>[1]) => rollback(registry, asked),
    ...{ disable, enable, pin, unpin, revoke, remove },
  }
}
