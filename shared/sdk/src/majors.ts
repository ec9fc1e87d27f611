import { contractAdmits, contractVersion, runtimeSince } from './registry.ts'

/**
 * What a portal offers to modules: its own contract, and contracts of majors before that it still carries by an adapter.
 * `until` has the last day of each; a page does not need it.
 */
export type Offer = {
  contract: string
  carries?: readonly string[] | undefined
  until?: Readonly<Record<string, string>> | undefined
}

/**
 * Contracts of majors before that this portal carries, each until a day: builds for them run until then. There has been
 * no second major yet, so there is none.
 */
export const carriedContracts: readonly { contract: string; until: string }[] = []

/** What this portal offers. */
export const offered: Offer = {
  contract: contractVersion,
  carries: carriedContracts.map(({ contract }) => contract),
}

/** The contracts of a portal, its own first. */
export const contractsOf = ({ contract, carries = [] }: Offer): string[] => [contract, ...carries]

/** Which of a portal's contracts a range admits: its own rather than one that it carries. */
export const contractFor = (range: string, offer: Offer): string | undefined =>
  contractsOf(offer).find((contract) => contractAdmits(range, contract))

/** The last day on which a portal runs a build by an adapter; null for a build that needs none, or that it does not run. */
export function carriedUntil(range: string, offer: Offer): string | null {
  const contract = contractFor(range, offer)
  return (contract && contract !== offer.contract && offer.until?.[contract]) || null
}

/** The major version of a contract or of a range. */
export const majorOf = (contract: string): number => Number(contract.replace('^', '').split('.')[0])

/** Whether portals of a contract give the federation runtime, which new builds need. */
export const hasRuntime = (contract: string): boolean =>
  majorOf(contract) > majorOf(runtimeSince) || contractAdmits(runtimeSince, contract.replace('^', ''))

/** The oldest contract of the same major whose portals give the runtime. */
export const oldestWithRuntime = (contract: string = contractVersion): string =>
  majorOf(contract) > majorOf(runtimeSince) ? `${majorOf(contract)}.0.0` : runtimeSince

/** What belongs to modules of one major: their share scope, and the script with the adapter for them. */
export const nameOfMajor = (contract: string): string => `contract-${majorOf(contract)}`

/** The build that a portal runs of those that a module has for several majors; undefined where none fits. */
export function fittingBuild<B extends { contract: string }>(
  builds: readonly B[],
  offer: Offer,
): B | undefined {
  const fitting = contractsOf(offer).map((contract) =>
    builds.find((build) => contractAdmits(build.contract, contract)),
  )
  return fitting.find((build) => build !== undefined)
}

type Entry<B> = B & { beside?: readonly B[] | undefined; disabled?: boolean | undefined }

/** The entry of a module for the portal at hand: the build that fits it, with those of other majors beside it. */
export function entryFor<B extends { contract: string; build: string }, E extends Entry<B>>(
  entry: E,
  offer: Offer,
): E {
  const { beside = [] } = entry
  if (!beside.length) return entry
  const chosen = fittingBuild<B>([entry, ...beside], offer)
  if (!chosen || chosen.build === entry.build) return entry
  const others = [entry, ...beside].filter(({ build }) => build !== chosen.build)
  // The build may have fewer fields than the entry: what belongs to the module as a whole is set here.
  return { ...(chosen as unknown as E), disabled: entry.disabled, beside: others.map(withoutPlace) }
}

/** A build as it stands beside another one: what belongs to the module as a whole stays with the entry. */
function withoutPlace<B>(build: Entry<B>): B {
  const { beside: _, disabled: __, ...own } = build
  return own as B
}
