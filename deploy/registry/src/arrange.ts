import { fittingBuild, majorOf, type Offer } from '@portal/sdk/majors'
import { buildsOf } from './builds.ts'
import type { Entry } from './schemas.ts'

type Build = ReturnType<typeof buildsOf>[number]

/** The live build of a module for the major of a contract. */
export const buildFor = (entry: Entry | undefined, contract: string): Build | undefined =>
  entry && buildsOf(entry).find((build) => majorOf(build.contract) === majorOf(contract))

/**
 * The entry with the build first that fits a shell. Whatever reads one build of a module reads the first: its addresses,
 * permissions and records are those that count.
 */
export const arranged = (entry: Entry, offer: Offer): Entry =>
  assembled(entry, buildsOf(entry), fittingBuild(buildsOf(entry), offer) ?? entry)

/** The entry in which a build stands for its major: in the place of the one before, beside those of other majors. */
export function placedByMajor(entry: Entry | undefined, build: Build, offer: Offer): Entry {
  if (!entry) return build
  const builds = [build, ...withoutMajorOf(entry, build.contract)]
  const replacesFirst = majorOf(entry.contract) === majorOf(build.contract)
  const first = fittingBuild(builds, offer) ?? (replacesFirst ? build : entry)
  const { canary: _, ...without } = entry
  return assembled(replacesFirst ? without : entry, builds, first)
}

/** The entry without its build for the major of a contract; null where no other one fits the shell. */
export function withoutMajor(entry: Entry, contract: string, offer: Offer): Entry | null {
  const left = withoutMajorOf(entry, contract)
  const first = fittingBuild(left, offer)
  return first ? assembled(entry, left, first) : null
}

const withoutMajorOf = (entry: Entry, contract: string): Build[] =>
  buildsOf(entry).filter((build) => majorOf(build.contract) !== majorOf(contract))

/** A pin and the flag of being out of use stay with the module; a canary ends when another build becomes the first. */
function assembled({ canary, pinned, disabled, build }: Entry, builds: Build[], first: Build): Entry {
  const beside = builds.filter((each) => each.build !== first.build).map(bare)
  return {
    ...bare(first),
    disabled,
    ...(beside.length && { beside }),
    ...(pinned && { pinned }),
    ...(canary && first.build === build && { canary }),
  }
}

/** A build without what belongs to its entry as a whole. */
function bare(build: Build & Pick<Partial<Entry>, 'beside' | 'canary' | 'pinned'>): Build {
  const { beside: _, canary: __, pinned: ___, ...own } = build
  return { ...own, disabled: false }
}
