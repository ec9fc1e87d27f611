import type { Portal } from './portal.ts'
import { Refusal } from './refusal.ts'

/** The state of the registry: the live modules and their builds. */
export type Status = {
  generation: number
  at: string
  modules: {
    name: string
    version: string
    build: string
    state: 'live' | 'disabled' | 'withheld'
    withheld: string | null
    pinned: boolean
    /** Absent from a portal of before there was a choice. */
    runs?: 'product' | 'trusted' | 'isolated'
    published_by: string | null
    canary: { version: string; percent: number | null; roles: string[] } | null
    previous: { version: string; build: string } | null
    contract?: string
    /** The last day on which the portal runs it by an adapter. */
    carried_until?: string | null
    beside?: { version: string; contract: string }[]
  }[]
}

/** Reads the state of the portal's registry. */
export const readStatus = (portal: Portal): Promise<Status> => portal.get<Status>('/registry/status')

/** Who gets a canary build: a share of the people, or roles by name. */
export type CanaryShare = { percent: number } | { roles: string[] }

/** Reads `--canary 10%` or `--role "School Officer"`. Undefined means everybody. */
export function canaryOf(percent: string | undefined, roles: string[] | undefined): CanaryShare | undefined {
  if (percent && roles) throw new Refusal('Say --canary or --role, not both.')
  if (roles) return { roles }
  if (!percent) return undefined
  const share = Number(percent.replace(/%$/, ''))
  if (Number.isInteger(share) && share >= 1 && share <= 99) return { percent: share }
  throw new Refusal(`--canary ${percent}: say a share from 1% to 99%; without it everybody gets the build.`)
}

/** Reads `--contract 2` or `--contract ^2.0.0`: the major of the contract whose build is meant. */
export function majorAsked(given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  const major = /^\^?(\d+)(\.|$)/.exec(given)?.[1]
  if (major) return Number(major)
  throw new Refusal(`--contract ${given}: say the major version of the contract, for example --contract 2.`)
}

type Changed = { message: string; generation: number }

/**
 * Changes the live build of a module. `generation` is an optimistic lock: the generation that the caller saw, or the one
 * that is live now. If somebody changes the registry meanwhile, the call is refused with 409.
 */
export async function changeModule(
  portal: Portal,
  name: string,
  action: 'promote' | 'rollback' | 'pin' | 'unpin' | 'disable' | 'enable',
  fields: {
    version?: string
    canary?: CanaryShare
    downgrade?: boolean
    generation?: number
    contract?: number
  } = {},
): Promise<Changed> {
  const generation = fields.generation ?? (await readStatus(portal)).generation
  return portal.post<Changed>(`/registry/modules/${name}/${action}`, { ...fields, generation })
}

/** Revokes a build for good. */
export const revokeBuild = (
  portal: Portal,
  name: string,
  version: string,
  reason: string,
): Promise<Changed> => portal.post<Changed>(`/registry/modules/${name}/revoke`, { version, reason })
