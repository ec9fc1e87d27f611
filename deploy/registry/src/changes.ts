import { contractFor, majorOf, type Offer, offered } from '@portal/sdk/majors'
import type { Admissions } from './admissions.ts'
import { buildFor, placedByMajor, withoutMajor } from './arrange.ts'
import { asModule, asPrevious, type Builds, buildsOf } from './builds.ts'
import { fitOrRefuse } from './fit.ts'
import type { Generations, Next } from './generations.ts'
import type { Revocations } from './keys.ts'
import { ownModule, RegistryRefusal, unknownModule } from './refusals.ts'
import type { BuildRecord, Entry, Generation } from './schemas.ts'
import type { Store } from './store.ts'
import { readShell } from './surroundings.ts'
import { isOlder } from './versions.ts'

type Ground = {
  store: Store
  generations: Generations
  builds: Builds
  revocations: Revocations
  admissions: Admissions
}

/** Who changes something (the name for the log), which module, and the generation on their screen. */
export type Asked = { by: string; name: string; generation: number }

/** Who decides about a published build. */
export type AskedBuild = { by: string; name: string; build: string }

/** Who gets a newer build first: a share of the people, or roles by name. */
export type CanaryShare = { percent: number } | { roles: string[] }

/** Changes what is live. Each change makes one generation, or is refused with a sentence that says what to do. */
export function openChanges(ground: Ground) {
  const { generations, builds, revocations, admissions } = ground

  /** Replaces the entry of a module; null changes nothing. */
  function changeEntry(
    { by, name, generation }: Asked,
    what: Generation['what'],
    make: (entry: Entry, live: Generation) => Entry | null | Promise<Entry | null>,
  ) {
    return generations.change(generation, async (live) => {
      const entry = live.modules.find((each) => each.name === name)
      if (!entry) throw unknownModule(name)
      const made = await make(entry, live)
      return made && { what, by, module: name, modules: placed(live.modules, made) }
    })
  }

  async function publishedOrRefuse(name: string, version: string): Promise<BuildRecord> {
    const record = await builds.ofVersion(name, version)
    if (!record) {
      const known = (await builds.list(name)).map((each) => each.version).join(', ')
      throw new RegistryRefusal(
        404,
        `${name} ${version} was never published${known ? `; there are ${known}` : ''}: portal-module publish first.`,
      )
    }
    const revoked = await revocations.build(name, record.build)
    if (!revoked) return record
    throw new RegistryRefusal(
      409,
      `${name} ${record.version} was revoked by ${revoked.by} (${revoked.reason}): publish a new version.`,
    )
  }

  /** The entry of a build that may go live beside everything in `live`. */
  async function moduleOf(live: Generation, record: BuildRecord, previous: Entry['previous']) {
    const { name, version, at } = record
    if (!(await admissions.has(record))) {
      const removed = await admissions.removedAt(name)
      if (removed && at <= removed)
        throw new RegistryRefusal(
          409,
          `${name} ${version} was published before ${name} was removed from the portal, and waits for nobody: raise the version in package.json, build and publish again.`,
        )
      throw new RegistryRefusal(
        409,
        `${name} ${version} waits for admission: an administrator of the portal reads under Modules what it adds, and admits it there. Then repeat this command.`,
        { waits: version },
      )
    }
    const details = await fittingOrRefuse(live, record)
    return asModule(details, record, previous)
  }

  async function fittingOrRefuse(live: Generation, record: BuildRecord) {
    const details = await builds.details(record.name, record.build)
    if (details) {
      await fitOrRefuse(ground, live, record, details)
      return details
    }
    throw new RegistryRefusal(
      410,
      `The files of ${record.name} ${record.version} are no longer kept: publish it again as a new version.`,
    )
  }

  /**
   * Admits a partner's build for an administrator of the portal. Nothing goes live by it: from now on the build can be
   * promoted. It passes the gates again, so that nobody admits what cannot go live. It runs in a frame, unless it is trusted.
   */
  async function admit({ by, name, build, trusted = false }: AskedBuild & { trusted?: boolean | undefined }) {
    const known = await builds.ofBuild(name, build)
    if (!known) throw new RegistryRefusal(404, `No build ${build} of ${name} was published.`)
    if (known.release) throw ownModule(name, ': the release key admits it')
    const record = await publishedOrRefuse(name, `${known.version}+${build}`)
    await fittingOrRefuse(await generations.now(), record)
    const at = new Date().toISOString()
    const admitted = await admissions.admit(name, build, { by, at, trust: { trusted, by, at } })
    return { record, admitted }
  }

  /** Makes a published build live, for everybody or as a canary. An older one than the live one needs `downgrade`. */
  async function promote(
    asked: Asked & { version: string; canary?: CanaryShare; downgrade?: boolean },
  ): Promise<Generation> {
    const { by, name, canary } = asked
    const record = await publishedOrRefuse(name, asked.version)
    return generations.change(asked.generation, async (live): Promise<Next | null> => {
      const entry = live.modules.find((each) => each.name === name)
      if (entry?.pinned) {
        throw new RegistryRefusal(
          409,
          `${name} is pinned at ${entry.version}: portal-module unpin ${name} first, and ask whoever pinned it (portal-module status).`,
        )
      }
      const isLive = entry && buildsOf(entry).some(({ build }) => build === record.build)
      if (isLive && !canary && !(entry.canary && entry.build === record.build)) return null
      if (entry && !asked.downgrade) await refuseOlder(entry, record)
      const what = canary ? 'canary' : 'promote'
      const made = canary ? await tried(live, entry, record, canary) : await settled(live, entry, record)
      return { what, by, module: name, modules: placed(live.modules, made) }
    })
  }

  /** Each major of the contract has a live build of its own, so 1.4.1 may follow 2.0.0. */
  async function refuseOlder(entry: Entry, { name, version, build }: BuildRecord) {
    const details = await builds.details(name, build)
    const live = details && buildFor(entry, details.contract)?.version
    if (!live || !isOlder(version, live)) return
    throw new RegistryRefusal(
      409,
      `${name} ${version} is older than ${live}, which is live: promote it with --downgrade if that is meant; portal-module rollback brings the build before back.`,
      { live },
    )
  }

  /** What the live shell offers to modules. */
  const offerOf = async ({ shell }: Generation): Promise<Offer> =>
    (await readShell(ground.store, shell)) ?? offered

  /** The build takes the place of the live one for its major of the contract; builds for other majors stay beside it. */
  async function settled(live: Generation, entry: Entry | undefined, record: BuildRecord): Promise<Entry> {
    const made = await moduleOf(live, record, null)
    const before = buildFor(entry, made.contract) ?? entry
    const same = before?.build === made.build
    const previous = !before ? null : same ? before.previous : asPrevious(before)
    return placedByMajor(entry, { ...made, previous }, await offerOf(live))
  }

  async function tried(
    live: Generation,
    entry: Entry | undefined,
    record: BuildRecord,
    share: CanaryShare,
  ): Promise<Entry> {
    if (!entry) {
      throw new RegistryRefusal(
        409,
        `${record.name} is not live yet, so there is nothing for everybody else: promote it without --canary or --role.`,
      )
    }
    if (entry.build === record.build) {
      throw new RegistryRefusal(409, `${record.name} ${record.version} is live for everybody already.`)
    }
    const module = await moduleOf(live, record, asPrevious(entry))
    const { contract } = module
    if (!contractFor(contract, await offerOf(live)) || majorOf(contract) < majorOf(entry.contract)) {
      throw new RegistryRefusal(
        409,
        `${record.name} ${record.version} is for contract ${contract}, and people here have ${entry.version} for ${entry.contract}: promote it without --canary or --role, and it stands beside ${entry.version}.`,
      )
    }
    const percent = 'percent' in share ? share.percent : null
    return { ...entry, canary: { percent, roles: 'roles' in share ? share.roles : [], module } }
  }

  /**
   * Ends the canary if there is one. Otherwise makes the previous build live again, or the one beside it. `contract` is the
   * major of the contract whose build goes back; without it, it is the build that people have.
   */
  function rollback(asked: Asked & { contract?: number | undefined }): Promise<Generation> {
    return changeEntry(asked, 'rollback', async (entry, live) => {
      const leaving = asked.contract === undefined ? entry : buildFor(entry, `${asked.contract}`)
      if (!leaving)
        throw new RegistryRefusal(409, `${entry.name} has no build for contract ${asked.contract}.`)
      const { canary, ...rest } = entry
      if (canary && leaving === entry) return rest
      const offer = await offerOf(live)
      const left = withoutMajor(entry, leaving.contract, offer)
      const before = leaving.previous && (await recordBefore(entry.name, leaving.previous))
      const contract = before && (await builds.details(entry.name, before.build))?.contract
      const without = (modules: Entry[]) => modules.filter(({ name }) => name !== entry.name)
      const remaining = { ...live, modules: left ? placed(live.modules, left) : without(live.modules) }
      // The build for the major before has stayed live, perhaps in a newer version than the one that was replaced.
      if (
        left &&
        (!contract || (majorOf(contract) !== majorOf(leaving.contract) && buildFor(left, contract)))
      ) {
        await fittingOrRefuse(remaining, await publishedOrRefuse(left.name, `${left.version}+${left.build}`))
        return left
      }
      if (!before) {
        throw new RegistryRefusal(
          409,
          `${entry.name} has no build before ${leaving.version}: portal-module disable ${entry.name} takes it out of use.`,
        )
      }
      const made = await moduleOf(remaining, before, await previousOf(before))
      const { pinned, disabled } = entry
      return {
        ...placedByMajor(left ?? undefined, made, offer),
        disabled,
        ...(pinned && { pinned }),
      }
    })
  }

  async function recordBefore(name: string, { version, build }: NonNullable<Entry['previous']>) {
    const record = await builds.ofBuild(name, build)
    return publishedOrRefuse(name, record ? `${record.version}+${record.build}` : version)
  }

  /** The build that was live before this one became live first. */
  async function previousOf({ name, build }: BuildRecord): Promise<Entry['previous']> {
    for await (const { modules } of generations.down()) {
      const entry = modules.find((each) => each.name === name)
      const found = entry && buildsOf(entry).find((each) => each.build === build)
      if (found) return found.previous
    }
    return null
  }

  const disable = (asked: Asked) =>
    changeEntry(asked, 'disable', (entry) => (entry.disabled ? null : { ...entry, disabled: true }))
  const enable = (asked: Asked) =>
    changeEntry(asked, 'enable', (entry) => (entry.disabled ? { ...entry, disabled: false } : null))
  const pin = (asked: Asked) =>
    changeEntry(asked, 'pin', (entry) => (entry.pinned ? null : { ...entry, pinned: true }))
  const unpin = (asked: Asked) =>
    changeEntry(asked, 'unpin', ({ pinned, ...entry }) => (pinned ? entry : null))

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
    if (!(await revocations.revokeBuild(name, record.build, { by, at, reason }))) return generations.now()
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

  return { admit, promote, rollback, disable, enable, pin, unpin, revoke, remove }
}

const placed = (modules: Entry[], made: Entry): Entry[] =>
  [...modules.filter((each) => each.name !== made.name), made].sort((a, b) => (a.name < b.name ? -1 : 1))
