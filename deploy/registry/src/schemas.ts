import { RegistryModule } from '@portal/sdk/manifest'
import * as v from 'valibot'

const text = v.pipe(v.string(), v.nonEmpty())
const BuildId = v.pipe(v.string(), v.regex(/^[a-f0-9]{12}$/))

/** A module of a generation: what pages get of it, and what is the registry's own business. */
export const Entry = v.object({
  ...RegistryModule.entries,
  /** Stays as it is, whatever is promoted or released, until somebody unpins it. */
  pinned: v.optional(v.boolean()),
  /** A newer build, for a share of the people or for some roles. */
  canary: v.optional(
    v.object({ percent: v.nullable(v.number()), roles: v.array(v.string()), module: RegistryModule }),
  ),
})
export type Entry = v.InferOutput<typeof Entry>

/** What may become of a module. */
export const changes = [
  'release',
  'promote',
  'canary',
  'rollback',
  'pin',
  'unpin',
  'disable',
  'enable',
  'revoke',
] as const

/** Everything that is live at one time. Never changed: what comes after it is another file. */
export const Generation = v.object({
  generation: v.number(),
  /** For people to read; nothing is decided by it. */
  at: v.string(),
  by: v.string(),
  what: v.picklist(changes),
  module: v.optional(v.string()),
  shell: v.nullable(BuildId),
  /** The shell before, which open tabs still run: what is published must fit both. */
  previous_shell: v.nullable(BuildId),
  /** What the last release brought, by module: the next one changes only what differs from it. */
  release: v.record(v.string(), BuildId),
  modules: v.array(Entry),
})
export type Generation = v.InferOutput<typeof Generation>

export const rights = ['publish', 'promote', 'rollback', 'disable', 'pin', 'revoke'] as const
export type Right = (typeof rights)[number]

/** A publisher's key. Its public half is all the registry has. */
export const PublisherKey = v.object({
  id: v.pipe(v.string(), v.regex(/^[\w-]{1,60}$/)),
  /** Two keys of one person are one person. */
  person: text,
  name: v.string(),
  public: v.object({ kty: v.literal('OKP'), crv: v.literal('Ed25519'), x: text }),
  modules: v.array(v.string()),
  may: v.array(v.picklist(rights)),
  /** Signs nothing new; what it signed stays good. A key in wrong hands is revoked instead. */
  retired: v.optional(v.boolean(), false),
})
export type PublisherKey = v.InferOutput<typeof PublisherKey>

/** One gate's finding. */
export const Check = v.object({ gate: text, ok: v.boolean(), text: v.string() })
export type Check = v.InferOutput<typeof Check>

/** Who published a build, and what was found out about it then. */
export const BuildRecord = v.object({
  name: text,
  version: text,
  build: BuildId,
  integrity: text,
  signature: text,
  key: text,
  person: text,
  at: v.string(),
  /** The product's own: its modules are rebuilt under one version, so a version is not unique. */
  release: v.boolean(),
  checks: v.array(Check),
})
export type BuildRecord = v.InferOutput<typeof BuildRecord>

/** Of a build, or of all that a key has signed. */
export const Revocation = v.object({ by: v.string(), at: v.string(), reason: v.string() })
export type Revocation = v.InferOutput<typeof Revocation>

/** What modules meet in a shell. */
export const ShellFacts = v.object({
  build: BuildId,
  /** Version of the contract, and of what shell and modules share, by package. */
  contract: v.string(),
  shared: v.record(v.string(), v.string()),
  /** Addresses that no module may have. */
  routes: v.array(v.string()),
  permissions: v.array(v.string()),
})
export type ShellFacts = v.InferOutput<typeof ShellFacts>

/** A line of the log: who did what, and whether it was let. */
export const LogLine = v.object({
  at: v.string(),
  by: v.string(),
  what: v.string(),
  ok: v.boolean(),
  message: v.string(),
  generation: v.optional(v.number()),
})
export type LogLine = v.InferOutput<typeof LogLine>
