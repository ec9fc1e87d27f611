import type { ModuleBuild } from '@portal/sdk/manifest'
import type { Check, ShellFacts } from './schemas.ts'

/** The input of a gate: the build, its files, the shells and the other modules. */
export type Candidate = {
  details: ModuleBuild
  /** The signed build.json. */
  text: string
  /** Content of every file, plain and compressed. */
  files: Map<string, { content: Buffer; packed: { br: Buffer; gz: Buffer } | null }>
  /** The live shell and the previous one, which open tabs still run. */
  shells: ShellFacts[]
  /** The module's own live builds, one for each major of the contract. */
  own: Pick<ModuleBuild, 'name' | 'contract' | 'version' | 'collections' | 'events'>[]
  /** The other live modules. */
  others: ModuleBuild[]
  /** The findings that the publisher signed. */
  checks: Check[]
}

/** What a gate has found. */
export type Finding = { ok: boolean; text: string }
export const fine = (text: string): Finding => ({ ok: true, text })
export const fault = (text: string): Finding => ({ ok: false, text })
