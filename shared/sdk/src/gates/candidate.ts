import * as v from 'valibot'
import { ModuleBuild } from '../manifest.ts'

/** What a shell offers to modules. */
export const ShellOffer = v.object({
  /** Versions of the contract and of the shared packages. */
  contract: v.string(),
  /** Contracts of majors before that it carries by an adapter. */
  carries: v.optional(v.array(v.string())),
  /** The last day of each of them. */
  until: v.optional(v.record(v.string(), v.string())),
  shared: v.record(v.string(), v.string()),
  /** Addresses that no module may have. */
  routes: v.array(v.string()),
  permissions: v.array(v.string()),
})
export type ShellOffer = v.InferOutput<typeof ShellOffer>

/** A live build of the module itself. `newer`: its version is higher than that of the build at hand. */
const OwnBuild = v.object({
  ...v.pick(ModuleBuild, ['name', 'contract', 'version', 'collections', 'events']).entries,
  newer: v.boolean(),
})

/** Another live module. Who owns it is known to whoever signs the question. */
const OtherModule = v.object({
  ...v.pick(ModuleBuild, ['name', 'routes', 'permissions', 'words', 'remote', 'listens', 'links']).entries,
  owner: v.optional(ModuleBuild.entries.owner),
})

/** What the gates hold a build against. */
export const Surroundings = v.object({
  /** The live shell and the previous one, which open tabs still run. */
  shells: v.array(ShellOffer),
  /** The module's own live builds, one for each major of the contract. */
  own: v.array(OwnBuild),
  others: v.array(OtherModule),
})
export type Surroundings = v.InferOutput<typeof Surroundings>

/** One gate's finding. */
export const Check = v.object({ gate: v.pipe(v.string(), v.nonEmpty()), ok: v.boolean(), text: v.string() })
export type Check = v.InferOutput<typeof Check>

/** A file of a build. `br` is its compressed copy, if it is sent compressed. */
export type BuiltFile = { content: Uint8Array; packed: { br: Uint8Array } | null }

/** The input of a gate: the build, its files, and what it is held against. */
export type Candidate = Surroundings & {
  details: ModuleBuild
  /** The signed build.json. */
  text: string
  files: ReadonlyMap<string, BuiltFile>
  /** The conformance tests of the publisher, which signs them. */
  checks: readonly Check[]
}

/** What a gate has found. What only warns closes no gate. */
export type Finding = { ok: boolean; text: string; warns?: boolean }
/** A finding that is right. */
export const fine = (text: string): Finding => ({ ok: true, text })
/** A finding that warns, and closes no gate. */
export const warning = (text: string): Finding => ({ ok: true, warns: true, text })
/** A finding that closes the gate. */
export const fault = (text: string): Finding => ({ ok: false, text })

/** All faults as one finding, or that there is none. */
export const foundIn = (faults: readonly string[], otherwise: string): Finding =>
  faults.length ? fault(faults.join(' ')) : fine(otherwise)

/** The first of a list, and how many more there are. */
export const some = (list: readonly string[], count = 5): string =>
  list.length > count ? `${list.slice(0, count).join(', ')} and ${list.length - count} more` : list.join(', ')

/** The text of a file in UTF-8. */
export const textOf = (content: Uint8Array): string => new TextDecoder().decode(content)
