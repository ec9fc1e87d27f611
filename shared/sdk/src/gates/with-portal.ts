import { portalLinks } from '@portal/contracts/portal-links'
import { carriedUntil, contractFor, contractsOf, fittingBuild, majorOf } from '../majors.ts'
import { permissionsAsked } from '../own-permissions.ts'
import { contractAdmits } from '../registry.ts'
import {
  type Candidate,
  type Finding,
  fault,
  fine,
  foundIn,
  type ShellOffer,
  some,
  warning,
} from './candidate.ts'

/** Whether the shells run the build, or one of its module that stays live beside it. */
export function contractFits({ details, shells, own }: Candidate): Finding {
  const { contract } = details
  // The build replaces the live one of the same major; those of other majors stay live beside it.
  const beside = own.filter((build) => majorOf(build.contract) !== majorOf(contract))
  const has = shells.map(
    (shell, at) => `${contractsOf(shell).join(', ')}${at ? ' (the shell before, still open in tabs)' : ''}`,
  )
  const without = shells.filter((shell) => !fittingBuild([{ contract }, ...beside], shell))
  if (without.length)
    return fault(
      `It asks for contract ${contract}; the portal has ${has.join(' and ')}: build it with a version of @portal/sdk that both admit (npm run sdk:pack in the portal's sources makes it). If it is for the next major, publish a build for it first that fits these, and make that one live: it stays live beside this one.`,
    )
  const [live] = shells
  const until = live && carriedUntil(contract, live)
  if (until)
    return warning(
      `The portal has contract ${live.contract} and runs builds for ${contract} by an adapter until ${until}: take its packages with portal-module upgrade --vendor, and publish a build for ^${majorOf(live.contract)}.0.0 before.`,
    )
  if (shells.some((shell) => contractFor(contract, shell)))
    return fine(`Contract ${contract} fits ${shells.map((shell) => shell.contract).join(' and ')}.`)
  const newer = shells.every((shell) => majorOf(contract) > majorOf(shell.contract))
  return newer
    ? fine(
        `It waits for a portal of contract ${contract}; ${beside.map(({ version }) => version).join(', ')} stays live until then.`,
      )
    : fault(
        `It asks for contract ${contract}, which this portal no longer carries; it has ${has.join(' and ')}.`,
      )
}

/** Whether it was built with the versions of shared packages that the shells give. */
export function sharedFits({ details, shells }: Candidate): Finding {
  const { shared, remote } = details
  // A remote that was built with other tools lists react-dom only if it uses it.
  if (!shared.react || !(shared['react-dom'] || remote))
    return fault(
      'build.json does not say which React it was built with: build it with portal-module of this portal.',
    )
  // A build takes libraries only from shells that can run it.
  const running = shells.filter((shell) => contractFor(details.contract, shell))
  const bad = Object.entries(shared).filter(([name, version]) =>
    running.some((shell) => !givenBy(shell, name).some((given) => contractAdmits(`^${version}`, given))),
  )
  if (!bad.length)
    return fine(
      `${Object.entries(shared)
        .map(([name, version]) => `${name} ${version}`)
        .join(', ')}: what the shell has.`,
    )
  const wrong = bad.map(
    ([name, version]) =>
      `${name} ${version} (the shell: ${running.map((shell) => givenBy(shell, name).join(', ') || 'none').join(', before: ')})`,
  )
  return fault(`Built with ${wrong.join('; ')}: install those versions and build again.`)
}

/** Versions of a shared package that a shell gives: those of the contract for every major that it carries. */
const givenBy = ({ shared, carries = [] }: ShellOffer, name: string): string[] => [
  ...(shared[name] ? [shared[name]] : []),
  ...(name === '@portal/sdk' ? carries : []),
]

const meets = (a: string, b: string) =>
  a === b || (b !== '/' && a.startsWith(`${b}/`)) || (a !== '/' && b.startsWith(`${a}/`))

/** Whether its addresses are neither the portal's nor another module's. */
export function routesAreFree({ details, shells, others }: Candidate): Finding {
  const reserved = shells.flatMap((shell) => shell.routes)
  const faults = details.routes.flatMap((route) => {
    if (reserved.some((path) => meets(route, path)))
      return [`${route} is the portal's own: choose another route.`]
    const other = others.find((module) => module.routes.some((path) => meets(route, path)))
    if (!other) return []
    const { name, owner } = other
    return [
      `${route} belongs to ${name}${owner ? ` (${owner.name})` : ''}: choose another route, or settle it with ${owner?.contact ?? 'its team'}.`,
    ]
  })
  return foundIn(faults, `${some(details.routes)}: free.`)
}

/**
 * Whether what it shows is shown by nobody else. Notifications and the audit log lead to the page of whoever has a kind, so that
 * a second one would take them over.
 */
export function kindsAreItsOwn({ details, others }: Candidate): Finding {
  const faults = (details.links ?? []).flatMap(({ kind }) => {
    if (portalLinks.some((own) => own.kind === kind))
      return [`The kind ${kind} is the portal's own: name yours differently.`]
    const other = others.find(({ links }) => links?.some((each) => each.kind === kind))
    if (!other) return []
    const { name, owner } = other
    return [
      `The kind ${kind} is shown by ${name}${owner ? ` (${owner.name})` : ''}: name yours differently, or settle it with ${owner?.contact ?? 'its team'}.`,
    ]
  })
  return foundIn(faults, 'What it shows is shown by nobody else.')
}

/** Whether its permissions are its own, and whether somebody can have each that it asks for. */
export function permissionsExist({ details, shells, others }: Candidate): Finding {
  const ours = new Set(shells.flatMap((shell) => shell.permissions))
  const own = new Set(details.permissions.map(({ name }) => name))
  const resources = new Set([...own].map((name) => name.split('.')[0]))
  const unknown = permissionsAsked(details).filter((name) => !ours.has(name) && !own.has(name))
  const faults = [
    ...[...own].flatMap((name) => {
      if (name.startsWith('mfe-'))
        return [
          `${name} begins with mfe-, as only the portal's own permissions on modules do: name yours differently.`,
        ]
      if (ours.has(name))
        return [
          `The permission ${name} is the portal's own: use it without declaring it, or name yours differently.`,
        ]
      const other = others.find((module) => module.permissions.some((each) => each.name === name))
      return other
        ? [`The permission ${name} is declared by ${other.name} already: name yours differently.`]
        : []
    }),
    ...(details.resources ?? [])
      .filter(({ name }) => !resources.has(name))
      .map(
        ({ name }) =>
          `resources names ${name}, and no permission of its own begins with ${name}.: drop the entry.`,
      ),
    ...(unknown.length
      ? [
          `Nobody can have ${some([...new Set(unknown)])}: declare it under "permissions", or ask for one that the portal has.`,
        ]
      : []),
  ]
  return foundIn(faults, 'Every permission it asks for exists.')
}
