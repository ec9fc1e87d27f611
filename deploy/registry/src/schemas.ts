import { Check, ShellOffer } from '@portal/sdk/gates/candidate'
import { RegistryModule } from '@portal/sdk/manifest'
import * as v from 'valibot'

const text = v.pipe(v.string(), v.nonEmpty())
const BuildId = v.pipe(v.string(), v.regex(/^[a-f0-9]{12}$/))

/** A module of a generation: the fields for pages, and fields of the registry. */
export const Entry = v.object({
  ...RegistryModule.entries,
  /** A pinned module does not change by promotions or releases until it is unpinned. */
  pinned: v.optional(v.boolean()),
  /** A newer build for a share of the people or for some roles. */
  canary: v.optional(
    v.object({ percent: v.nullable(v.number()), roles: v.array(v.string()), module: RegistryModule }),
  ),
})
export type Entry = v.InferOutput<typeof Entry>

/** The kinds of changes. */
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
  'remove',
  'trust',
  'isolate',
] as const

/** Everything that is live at one time. It is immutable: a change makes a new generation. */
export const Generation = v.object({
  generation: v.number(),
  /** The time, for people to read, and for how long the files of the generation before are still sent. */
  at: v.string(),
  by: v.string(),
  what: v.picklist(changes),
  module: v.optional(v.string()),
  /** The portal's id of the step that made it. After a crash the portal looks for it (steps.ts). */
  step: v.optional(v.string()),
  shell: v.nullable(BuildId),
  /** The previous shell, which open tabs still run. Published modules must be compatible with both. */
  previous_shell: v.nullable(BuildId),
  /** The builds of the last release, by module. The next release only changes modules that differ from them. */
  release: v.record(v.string(), BuildId),
  modules: v.array(Entry),
})
export type Generation = v.InferOutput<typeof Generation>

export const rights = ['publish', 'promote', 'rollback', 'disable', 'pin', 'revoke'] as const
export type Right = (typeof rights)[number]

/** A publisher's key. The registry has only the public half. */
export const PublisherKey = v.object({
  id: v.pipe(v.string(), v.regex(/^[\w-]{1,60}$/)),
  /** The person who has the key. Four eyes compare persons, not keys. */
  person: text,
  name: v.string(),
  public: v.object({ kty: v.literal('OKP'), crv: v.literal('Ed25519'), x: text }),
  modules: v.array(v.string()),
  /** Modules that were withdrawn from the key. It signs nothing new of them; what it signed stays valid. */
  former: v.optional(v.array(v.string()), []),
  may: v.array(v.picklist(rights)),
  /** A retired key signs nothing new, and its signatures stay valid. A stolen key must be revoked instead. */
  retired: v.optional(v.boolean(), false),
})
export type PublisherKey = v.InferOutput<typeof PublisherKey>

/** Who published a build, and the findings of the gates. */
export const BuildRecord = v.object({
  name: text,
  version: text,
  build: BuildId,
  integrity: text,
  signature: text,
  key: text,
  person: text,
  at: v.string(),
  /** Whether it is a module of the product. Those are rebuilt under one version, so their version is not unique. */
  release: v.boolean(),
  checks: v.array(Check),
})
export type BuildRecord = v.InferOutput<typeof BuildRecord>

/** The revocation of a build, or of a key with all that it signed. */
export const Revocation = v.object({ by: v.string(), at: v.string(), reason: v.string() })
export type Revocation = v.InferOutput<typeof Revocation>

/** The facts about a shell that modules depend on. */
export const ShellFacts = v.object({ build: BuildId, ...ShellOffer.entries })
export type ShellFacts = v.InferOutput<typeof ShellFacts>

/** A line of the log: who did what, and whether it was allowed. */
export const LogLine = v.object({
  at: v.string(),
  by: v.string(),
  what: v.string(),
  ok: v.boolean(),
  message: v.string(),
  generation: v.optional(v.number()),
})
export type LogLine = v.InferOutput<typeof LogLine>
