import { auditEvents, auditTypes } from '@portal/contracts/audit'
import { tabPlace } from '@portal/sdk/extensions'
import { contractFor, contractsOf, fittingBuild, majorOf } from '@portal/sdk/majors'
import { type ModuleBuild, ModuleManifest } from '@portal/sdk/manifest'
import { linksOutside, recordsOutside } from '@portal/sdk/own-addresses'
import { faultsOfColumns } from '@portal/sdk/own-columns'
import { eventsLost, faultsOfEvents } from '@portal/sdk/own-events'
import { faultsOfNotices } from '@portal/sdk/own-notices'
import { faultsOfReports } from '@portal/sdk/own-reports'
import { faultOfStyles } from '@portal/sdk/own-styles'
import { faultOfWords, writtenIds } from '@portal/sdk/own-words'
import { faultsOfRecords } from '@portal/sdk/record-changes'
import { contractAdmits } from '@portal/sdk/registry'
import * as v from 'valibot'
import { type Candidate, type Finding, fault, fine } from './candidate.ts'
import type { Check, ShellFacts } from './schemas.ts'
import { isOlder } from './versions.ts'
import { filesWithinBudget, mapsInOrder, pagesWithinBudget } from './weights.ts'

const some = (list: string[], count = 5) =>
  list.length > count ? `${list.slice(0, count).join(', ')} and ${list.length - count} more` : list.join(', ')

const gates = {
  manifest: ({ text, details }) => {
    const raw = JSON.parse(text) as Record<string, unknown>
    const own = Object.fromEntries(Object.entries(raw).filter(([field]) => field in ModuleManifest.entries))
    const found = v.safeParse(ModuleManifest, own)
    if (!found.success) {
      const [issue] = found.issues
      return fault(
        `portal.module.json: ${v.getDotPath(issue) ?? ''} ${issue.message} Correct it and build again.`,
      )
    }
    const outside = linksOutside(details)
    if (outside.length)
      return fault(
        `It leads to ${some(outside)}, outside the module's routes: add the route, or drop the entry.`,
      )
    const foreign = recordsOutside(details)
    if (foreign.length)
      return fault(
        `The search reads ${some(foreign)}: a module searches records of the collections that it declares itself.`,
      )
    const unheard = (details.first_day ?? []).flatMap(({ done }, at) =>
      (done?.events ?? [])
        .filter((event) => !(event in auditEvents && done && done.type in auditTypes))
        .map((event) => `${event} of ${done?.type} (first_day.${at}.done)`),
    )
    if (unheard.length)
      return fault(
        `The audit log never has ${some(unheard)}: name an event and a type that it has, or drop "done".`,
      )
    const twice = repeated(details.collections)
    if (twice.length) return fault(`The collection ${some(twice)} stands there twice: name each once.`)
    const tabs = repeated((details.tabs ?? []).map((tab) => ({ name: tabPlace(tab) })))
    if (tabs.length) return fault(`The tab ${some(tabs)} stands there twice: name each once.`)
    const flags = repeated((details.flags ?? []).map(({ id }) => ({ name: id })))
    if (flags.length) return fault(`The flag ${some(flags)} stands there twice: name each once.`)
    const settings = repeated(details.settings ?? [])
    if (settings.length) return fault(`The setting ${some(settings)} stands there twice: name each once.`)
    const unreported = faultsOfReports(details)
    if (unreported.length) return fault(`${some(unreported)}: correct what it reports.`)
    const untold = faultsOfEvents(details)
    if (untold.length) return fault(`${some(untold)}: correct what it tells and hears.`)
    const columns = repeated((details.columns ?? []).map(({ id }) => ({ name: id })))
    if (columns.length) return fault(`The column ${some(columns)} stands there twice: name each once.`)
    const unfilled = faultsOfColumns(details)
    if (unfilled.length)
      return fault(`${some(unfilled)}: a column shows declared fields of records, to who may read them.`)
    const notices = repeated((details.notices ?? []).map(({ id }) => ({ name: id })))
    if (notices.length) return fault(`The notice ${some(notices)} stands there twice: name each once.`)
    const unsaid = faultsOfNotices(details)
    if (unsaid.length)
      return fault(`${some(unsaid)}: a notice says what its manifest declares, to who may read it.`)
    const servers = repeated(details.backends ?? [])
    if (servers.length) return fault(`The server ${some(servers)} stands there twice: name each once.`)
    const hosts = repeated((details.images ?? []).map((name) => ({ name })))
    if (hosts.length) return fault(`The host of images ${some(hosts)} stands there twice: name each once.`)
    return fine('portal.module.json is in order.')
  },

  contract: ({ details, shells, own }) => {
    const { contract } = details
    // The build replaces the live one of the same major; those of other majors stay live beside it.
    const beside = own.filter((build) => majorOf(build.contract) !== majorOf(contract))
    const has = shells.map(
      (shell, at) => `${contractsOf(shell).join(', ')}${at ? ' (the shell before, still open in tabs)' : ''}`,
    )
    const without = shells.filter((shell) => !fittingBuild([{ contract }, ...beside], shell))
    if (without.length)
      return fault(
        `It asks for contract ${contract}; the portal has ${has.join(' and ')}: build it with a version of @portal/sdk that both admit. If it is for the next major, publish a build for it first that fits these, and make that one live: it stays live beside this one.`,
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
  },

  shared: ({ details, shells }) => {
    const { shared, remote } = details
    // A remote that was built with other tools lists react-dom only if it uses it.
    if (!shared.react || !(shared['react-dom'] || remote))
      return fault(
        'build.json does not say which React it was built with: build it with portal-module of this portal.',
      )
    // Of a shell that does not run this build nothing is taken.
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
  },

  routes: ({ details, shells, others }) => {
    const reserved = shells.flatMap((shell) => shell.routes)
    const meets = (a: string, b: string) =>
      a === b || (b !== '/' && a.startsWith(`${b}/`)) || (a !== '/' && b.startsWith(`${a}/`))
    for (const route of details.routes) {
      if (reserved.some((path) => meets(route, path)))
        return fault(`${route} is the portal's own: choose another route.`)
      const other = others.find((module) => module.routes.some((path) => meets(route, path)))
      if (other)
        return fault(
          `${route} belongs to ${other.name} (${other.owner.name}): choose another route, or settle it with ${other.owner.contact}.`,
        )
    }
    return fine(`${some(details.routes)}: free.`)
  },

  permissions: ({ details, shells, others }) => {
    const ours = new Set(shells.flatMap((shell) => shell.permissions))
    for (const { name } of details.permissions) {
      if (name.startsWith('mfe-'))
        return fault(
          `${name} begins with mfe-, as only the portal's own permissions on modules do: name yours differently.`,
        )
      if (ours.has(name))
        return fault(
          `The permission ${name} is the portal's own: use it without declaring it, or name yours differently.`,
        )
      const other = others.find((module) => module.permissions.some((each) => each.name === name))
      if (other)
        return fault(`The permission ${name} is declared by ${other.name} already: name yours differently.`)
    }
    const own = new Set(details.permissions.map(({ name }) => name))
    const resources = new Set([...own].map((name) => name.split('.')[0]))
    const foreign = (details.resources ?? []).find(({ name }) => !resources.has(name))
    if (foreign)
      return fault(
        `resources names ${foreign.name}, and no permission of its own begins with ${foreign.name}.: drop the entry.`,
      )
    const unknown = permissionsAsked(details).filter((name) => !ours.has(name) && !own.has(name))
    return unknown.length
      ? fault(
          `Nobody can have ${some([...new Set(unknown)])}: declare it under "permissions", or ask for one that the portal has.`,
        )
      : fine('Every permission it asks for exists.')
  },

  /** Records outlive builds. An older build may come back, and sees what it can see of them. */
  records: ({ details, own }) => {
    const before = own.filter(({ version }) => !isOlder(details.version, version))
    const faults = before.flatMap((build) => faultsOfRecords(build.collections, details.collections))
    return faults.length
      ? fault(`Records that were saved before could not be read: ${some([...new Set(faults)])}`)
      : fine('Records that were saved before can be read.')
  },

  events: ({ details, own, others }) => {
    const [lost] = eventsLost(own, details, others)
    return lost
      ? fault(
          `${lost.by} hears ${lost.event}, which ${lost.what}: keep it, or settle it with that team first.`,
        )
      : fine('Other modules hear what they heard before.')
  },

  messages: ({ details, others }) => {
    // An id that is a hash of the English text means the same sentence everywhere. If the French texts differ, the shell
    // keeps them apart. Ids written by hand may collide.
    const given = new Set(writtenIds(details.words))
    const other = others.find(({ words }) => writtenIds(words).some((id) => given.has(id)))
    if (!other) return fine('No message id is another module’s.')
    const ids = writtenIds(other.words).filter((id) => given.has(id))
    return fault(`The message ids ${some(ids)} are ${other.name}'s: begin yours with ${details.name}.`)
  },

  remote: ({ details: { remote }, others }) => {
    const other = remote && others.find((each) => each.remote?.name === remote.name)
    return other
      ? fault(
          `${remote.name} is the global of ${other.name} too: give the remote another name and build it again.`,
        )
      : fine(remote ? `Its global ${remote.name} is nobody else's.` : 'Built with the portal’s own packages.')
  },

  languages: ({ details: { words, remote } }) => {
    if (remote) return fine('Built without the portal: its words are its own.')
    const wrong = faultOfWords(words)
    return wrong ? fault(wrong) : fine(`${words.en.length + words.same} messages in English and French.`)
  },

  styles: ({ details, files }) => {
    const sheets = [...files].filter(([path]) => path.endsWith('.css'))
    for (const [path, { content }] of sheets) {
      const wrong = faultOfStyles(path, content.toString(), details.name)
      if (wrong) return fault(wrong)
    }
    return fine(sheets.length ? `Every rule is below .${details.name}.` : 'No style sheet.')
  },

  budget: pagesWithinBudget,
  weights: filesWithinBudget,

  files: ({ details }) => {
    const odd = Object.keys(details.files).filter(
      (path) => !/\.(js|css|json|svg|png|jpg|webp|woff2|wasm|txt)$/.test(path),
    )
    if (odd.length)
      return fault(`${some(odd)}: not a kind of file that the portal serves. Leave it out of the build.`)
    return details.files[details.entry]
      ? fine(`${Object.keys(details.files).length} files.`)
      : fault(`${details.entry}, the entry, is not among the files: build again.`)
  },

  maps: mapsInOrder,

  sources: ({ details: { name, sources } }) => {
    if (!sources.length) return fault('build.json does not say what is inside: build it with portal-module.')
    const foreign = sources.filter((source) => source !== name && /(^|\/)mfe-/.test(source))
    return foreign.length
      ? fault(
          `Something of ${some(foreign)} is inside: modules share only what @portal packages offer. Remove that import.`,
        )
      : fine('Nothing of another module is inside.')
  },

  /** Gates that the publisher runs, with signed findings. `module` is the first of them. */
  conformance: ({ checks }) => {
    const failed = checks.find(({ ok }) => !ok)
    if (failed) return fault(`The conformance tests failed at ${failed.gate}: ${failed.text}`)
    return checks.some(({ gate }) => gate === 'conformance' || gate === 'module')
      ? fine(`The publisher's conformance tests passed (${checks.length}).`)
      : fault('The conformance tests were not run: portal-module publish runs them before it sends anything.')
  },
} satisfies Record<string, (candidate: Candidate) => Finding>

/** Versions of a shared package that a shell gives: those of the contract for every major that it carries. */
const givenBy = ({ shared, carries = [] }: ShellFacts, name: string): string[] => [
  ...(shared[name] ? [shared[name]] : []),
  ...(name === '@portal/sdk' ? carries : []),
]

const repeated = (named: readonly { name: string }[]) =>
  named.map(({ name }) => name).filter((name, at, all) => all.indexOf(name) < at)

/** Every permission that a manifest asks for. */
export function permissionsAsked(details: ModuleBuild): string[] {
  const asked = [
    details.permission,
    ...details.nav.flatMap((item) => [item.permission, ...item.children.map((child) => child.permission)]),
    ...details.cards.map((card) => card.permission),
    ...(details.tabs ?? []).map((tab) => tab.permission),
    ...(details.rows ?? []).map((act) => act.permission),
    ...(details.columns ?? []).map((column) => column.permission),
    ...(details.search ?? []).map((source) => source.permission),
    ...(details.first_day ?? []).map((step) => step.permission),
    ...(details.notices ?? []).map((notice) => notice.permission),
    ...(details.reports ?? []).map((report) => report.permission),
    ...(details.events ?? []).map((event) => event.permission),
    ...details.collections.flatMap(({ read, write }) => [read, write]),
    ...(details.backends ?? []).flatMap(({ read, write }) => [read, write]),
  ]
  return asked.flatMap((each) => each ?? [])
}

/** All gates in order, or those that are named. Each returns a sentence that says what is right, or what to do. */
export function passGates(
  candidate: Candidate,
  names: readonly (keyof typeof gates)[] = Object.keys(gates) as (keyof typeof gates)[],
): Check[] {
  return names.map((gate) => ({ gate, ...gates[gate](candidate) }))
}
