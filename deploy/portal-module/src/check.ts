import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BuiltModule } from '@portal/build/build-module'
import { permissions as shipped } from '@portal/contracts/permissions'
import type { DeclaredCollection } from '@portal/contracts/record-fields'
import { checkWords } from '@portal/i18n/module-catalogs'
import { contractFor, contractsOf, fittingBuild, majorOf, type Offer, offered } from '@portal/sdk/majors'
import { linksOutside, recordsOutside } from '@portal/sdk/own-addresses'
import { faultOfStyles } from '@portal/sdk/own-styles'
import { faultOfWords } from '@portal/sdk/own-words'
import { faultsOfRecords } from '@portal/sdk/record-changes'
import { contractAdmits } from '@portal/sdk/registry'
import { tryModule } from './conformance.ts'
import type { Check, Portal } from './portal.ts'
import { tryRemote } from './remote/check.ts'
import { checkDeprecated } from './upgrade.ts'
import { checkBudget, checkWeights } from './weights.ts'

/** Addresses of the portal, which no module may have. */
const reserved = [
  ...['/home', '/profile', '/login', '/password', '/external', '/admin/modules', '/admin/sync'],
  ...['/api', '/modules', '/assets', '/registry', '/dev'],
]

/** The findings as text, one line each. */
export const findingsOf = (checks: Check[]): string =>
  checks.map(({ gate, ok, warns, text }) => `${ok ? (warns ? '!' : '✓') : '✗'} ${gate}: ${text}`).join('\n')

type Facts = Offer & { shared: Record<string, string> }
/** A portal of before says nothing of collections. */
type Own = { contract: string; version: string; collections?: readonly DeclaredCollection[] }
type Neighbour = Own & { name: string; routes: string[]; permissions: { name: string }[] }

/**
 * What the gates check against: the shell, the previous shell, which open tabs still run, the module's own live builds, and
 * the other modules.
 */
type Surroundings = { shells: (Facts & { routes: string[] })[]; own: Own[]; others: Neighbour[] }

/**
 * Runs the gates of publishing before anything is sent. With a portal, the module is checked against what is live there,
 * otherwise against the packages it was built with. The portal runs its gates again at the upload. `dir` has the sources; null
 * for a build that was made elsewhere.
 */
export async function checkModule(dir: string | null, built: BuiltModule, portal?: Portal): Promise<Check[]> {
  const { shells, own, others } = portal ? await surroundingsOf(portal, built) : alone(built)
  if (built.record.remote) return checkRemote(built, { shells, own, others })
  const { checks: tried, hasPages } = await tryModule(built)
  return [
    checkContract(built, shells, own),
    checkShared(built, shells),
    checkRoutes(built, shells, others),
    checkPermissions(built, others),
    checkRecords(built, own),
    await checkBothLanguages(dir, built),
    await checkStyles(built),
    await checkBudget(built),
    await checkWeights(built),
    checkSources(built),
    ...(dir === null ? [] : [await checkDeprecated(dir, hasPages)]),
    ...tried,
    summaryOf(tried),
  ]
}

/** The gates for an imported remote, which has no sources and no catalogs. */
const checkRemote = async (built: BuiltModule, { shells, own, others }: Surroundings): Promise<Check[]> => [
  checkContract(built, shells, own),
  checkShared(built, shells),
  checkRoutes(built, shells, others),
  await checkStyles(built),
  await checkBudget(built),
  await checkWeights(built),
  await tryRemote(built),
]

/** The results of all conformance checks as one finding, because the portal expects a single one. */
const summaryOf = (tried: Check[]): Check => {
  const failed = tried.filter(({ ok }) => !ok)
  return {
    gate: 'conformance',
    ok: failed.length === 0,
    text: failed.length
      ? failed.map(({ gate, text }) => `${gate}: ${text}`).join('; ')
      : 'every page and card was drawn in English and French.',
  }
}

const alone = ({ record: { shared } }: BuiltModule): Surroundings => ({
  shells: [{ ...offered, shared, routes: reserved }],
  own: [],
  others: [],
})

async function surroundingsOf(portal: Portal, { record: { name } }: BuiltModule): Promise<Surroundings> {
  type Shell = Surroundings['shells'][number]
  const { previous, modules, ...current } = await portal.get<
    Shell & { previous: Shell | null; modules: Neighbour[] }
  >('/registry/shell')
  return {
    shells: [current, ...(previous ? [previous] : [])],
    own: modules.filter((module) => module.name === name),
    others: modules.filter((module) => module.name !== name),
  }
}

/** A build for the next major is right as long as one for the portal of today stays live beside it. */
function checkContract({ record: { contract } }: BuiltModule, shells: Facts[], own: Own[]): Check {
  const beside = own.filter((build) => majorOf(build.contract) !== majorOf(contract))
  const without = shells.filter((shell) => !fittingBuild([{ contract }, ...beside], shell))
  if (without.length) {
    const has = without.flatMap(contractsOf).join(' and ')
    const text = `it asks for ${contract}, and the portal has ${has}: build it with the packages of that portal (npm run sdk:pack there), or make a build live that fits it first.`
    return { gate: 'contract', ok: false, text }
  }
  const fits = shells.some((shell) => contractFor(contract, shell))
  const waits = `${contract} is for another portal than today's; ${beside.map(({ version }) => version).join(', ')} stays live beside it.`
  return { gate: 'contract', ok: true, text: fits ? `${contract} fits.` : waits }
}

function checkShared({ record: { shared, contract } }: BuiltModule, shells: Facts[]): Check {
  const running = shells.filter((shell) => contractFor(contract, shell))
  const faults = running.flatMap((shell) =>
    Object.entries(shared).flatMap(([name, version]) => {
      const here = shell.shared[name]
      const given = here ? [here, ...(name === '@portal/sdk' ? (shell.carries ?? []) : [])] : []
      return here && !given.some((each) => contractAdmits(`^${version}`, each))
        ? [`${name} ${version}, the portal has ${given.join(', ')}`]
        : []
    }),
  )
  return {
    gate: 'shared',
    ok: faults.length === 0,
    text: faults.length
      ? `built with ${faults.join('; ')}: install the portal's version exactly and build again.`
      : Object.entries(shared)
          .map(([name, version]) => `${name} ${version}`)
          .join(', '),
  }
}

const inside = (path: string, route: string) =>
  path === route || (route !== '/' && path.startsWith(`${route}/`))

function checkRoutes({ record }: BuiltModule, shells: Surroundings['shells'], others: Neighbour[]): Check {
  const { routes } = record
  const own = shells.flatMap((shell) => shell.routes)
  const meets = (a: string, b: string) => inside(a, b) || inside(b, a)
  const owner = (route: string) => others.find((other) => other.routes.some((each) => meets(route, each)))
  const faults = [
    ...routes
      .filter((route) => own.some((each) => meets(route, each)))
      .map((route) => `${route} is the portal's own: choose another route`),
    ...routes.filter(owner).map((route) => `${route} belongs to ${owner(route)?.name}: choose another route`),
    ...linksOutside(record).map((path) => `it leads to ${path}, which is below none of the module's routes`),
    ...recordsOutside(record).map(
      (call) => `the search reads ${call}, a collection that it does not declare`,
    ),
  ]
  return { gate: 'routes', ok: faults.length === 0, text: faults.join('; ') || routes.join(', ') }
}

function checkPermissions({ record: { permissions } }: BuiltModule, others: Neighbour[]): Check {
  const owner = (name: string) => others.find((other) => other.permissions.some((each) => each.name === name))
  const faults = [
    ...permissions
      .filter(({ name }) => shipped.some((each) => each === name))
      .map(({ name }) => `${name} is the portal's own: ask for it without declaring it`),
    ...permissions
      .filter(({ name }) => owner(name))
      .map(({ name }) => `${name} is a permission of ${owner(name)?.name}: name yours differently`),
  ]
  return {
    gate: 'permissions',
    ok: faults.length === 0,
    text: faults.join('; ') || permissions.map(({ name }) => name).join(', ') || 'none of its own.',
  }
}

/** Records outlive builds: those that the live builds have saved must stay readable. */
function checkRecords({ record: { collections } }: BuiltModule, own: Own[]): Check {
  const faults = own.flatMap((build) => faultsOfRecords(build.collections ?? [], collections))
  return {
    gate: 'records',
    ok: faults.length === 0,
    text: [...new Set(faults)].join('\n    ') || 'records that were saved before can be read.',
  }
}

async function checkBothLanguages(dir: string | null, { record }: BuiltModule): Promise<Check> {
  const inSources = dir === null ? [] : await checkWords(dir)
  const inBuild = faultOfWords(record.words)
  const faults = inSources.length ? inSources : inBuild ? [inBuild] : []
  return {
    gate: 'words',
    ok: faults.length === 0,
    text: faults.length
      ? `${faults.join('\n    ')}${inSources.length ? '\n    portal-module words writes the .po files anew; then fill them in.' : ''}`
      : 'English and French are complete.',
  }
}

/** Checks every style sheet as the portal does at the upload. */
async function checkStyles({ folder, record: { name, files } }: BuiltModule): Promise<Check> {
  const sheets = Object.keys(files).filter((each) => each.endsWith('.css'))
  const found = sheets.map(async (file) =>
    faultOfStyles(file, await readFile(join(folder, file), 'utf8'), name),
  )
  const faults = (await Promise.all(found)).filter((fault) => fault !== null)
  return {
    gate: 'css',
    ok: faults.length === 0,
    text: faults.join('\n    ') || 'nothing outside its own place.',
  }
}

function checkSources({ record: { name, sources } }: BuiltModule): Check {
  const foreign = sources.filter((each) => each.startsWith('mfe-') && each !== name)
  return {
    gate: 'sources',
    ok: foreign.length === 0,
    text: foreign.length
      ? `code of ${foreign.join(', ')} is inside: a module takes nothing from another's.`
      : sources.join(', '),
  }
}
