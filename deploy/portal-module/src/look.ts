import type { Status } from './changes.ts'
import type { Portal } from './portal.ts'

type Canary = { version: string; percent: number | null; roles: string[] } | null

const canaryText = (canary: Canary) =>
  canary ? `${canary.version} for ${canary.percent ? `${canary.percent}%` : canary.roles.join(', ')}` : ''

/** Formats rows as a text table with aligned columns. */
export function table(rows: string[][]): string {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? []
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** The live modules, one line each. */
export function statusText({ generation, at, modules }: Status): string {
  const rows = modules.map((module) => [
    module.name,
    module.version,
    module.build,
    module.withheld ? `withheld (${module.withheld})` : module.state,
    [
      module.runs === 'isolated' && 'isolated',
      module.pinned && 'pinned',
      module.canary && `canary ${canaryText(module.canary)}`,
      module.previous && `before ${module.previous.version}`,
      module.carried_until && `for contract ${module.contract}, by an adapter until ${module.carried_until}`,
      ...(module.beside ?? []).map(({ version, contract }) => `beside ${version} for contract ${contract}`),
      module.published_by && `by ${module.published_by}`,
    ]
      .filter(Boolean)
      .join(', '),
  ])
  return `Generation ${generation}, live since ${at}\n${table([['module', 'version', 'build', 'state', ''], ...rows])}`
}

type Side = {
  version: string
  build: string
  disabled?: boolean
  pinned?: boolean
  canary: Canary
  beside?: string[]
} | null
type Diff = {
  from: number
  to: number
  shell: { before: string | null; after: string | null }
  modules: { name: string; before: Side; after: Side }[]
}

const sideText = (side: Side) =>
  side
    ? [
        side.version,
        `(${side.build})`,
        side.disabled && 'disabled',
        side.pinned && 'pinned',
        side.canary && `canary ${canaryText(side.canary)}`,
        side.beside && `beside ${side.beside.join(', ')}`,
      ]
        .filter(Boolean)
        .join(' ')
    : 'not there'

/** The differences between two generations. */
export async function diffText(portal: Portal, from: number, to: number): Promise<string> {
  const diff = await portal.get<Diff>(`/registry/diff?from=${from}&to=${to}`)
  const { shell } = diff
  const lines = diff.modules.map(
    ({ name, before, after }) => `${name}: ${sideText(before)} → ${sideText(after)}`,
  )
  if (shell.before !== shell.after)
    lines.unshift(`shell: ${shell.before ?? 'none'} → ${shell.after ?? 'none'}`)
  return [`Generation ${from} → ${to}`, ...(lines.length ? lines : ['Nothing differs.'])].join('\n')
}

type Versions = {
  versions: { version: string; build: string; at: string; person: string; admitted_by: string | null }[]
  changes: { at: string; by: string; what: string; version: string }[]
}

/** The published versions of a module, and who made which of them live. */
export async function versionsText(portal: Portal, name: string): Promise<string> {
  const { versions, changes } = await portal.getSigned<Versions>(`/registry/modules/${name}/versions`)
  if (!versions.length) return `${name}: nothing was published yet.`
  const published = versions.map(({ version, build, at, person, admitted_by }) => [
    ...[version, build, at, `by ${person}`],
    admitted_by ? `admitted by ${admitted_by}` : 'not admitted',
  ])
  const acts = changes.map(({ at, what, version, by }) => [what, version, at, `by ${by}`])
  return [table(published), ...(acts.length ? ['', table(acts)] : [])].join('\n')
}

type Errors = {
  errors: {
    at: string
    version: string
    reason: string
    reference: string
    message: string
    stack: string
    path: string
  }[]
}

/** The last failures of a module in browsers, each with its stack. */
export async function errorsText(portal: Portal, name: string): Promise<string> {
  const { errors } = await portal.getSigned<Errors>(`/registry/modules/${name}/errors`)
  if (!errors.length) return `${name}: nothing went wrong in the last 30 days.`
  return errors
    .map(({ at, version, reason, reference, message, stack, path }) =>
      [
        `${at}  ${version}  ${reason}  ${reference}  ${path}`,
        ...[message, ...stack.split('\n')].filter(Boolean).map((line) => `    ${line}`),
      ].join('\n'),
    )
    .join('\n\n')
}

type Usage = {
  usage: { week: string; loads: number; errors: number; people: number; load_ms_median: number | null }[]
  /** Not sent by portals of before. */
  pages?: { page: string; week: string; loads: number }[]
}

/** How long the longest bar is, in characters. */
const barLength = 20

/** Loads, failures and people of a module by week, drawn beside, and loads by page and week. */
export async function usageText(portal: Portal, name: string): Promise<string> {
  const { usage, pages = [] } = await portal.getSigned<Usage>(`/registry/modules/${name}/usage`)
  if (!usage.length) return `${name}: nobody has opened it in the last 30 days.`
  const most = Math.max(1, ...usage.map(({ loads }) => loads))
  const weeks = usage.map(({ week, loads, errors, people, load_ms_median }) => [
    ...[week, `${loads}`, `${errors}`, `${people}`],
    load_ms_median === null ? '' : `${load_ms_median} ms`,
    '█'.repeat(Math.round((loads / most) * barLength)),
  ])
  const drawn = table([['week of', 'loads', 'errors', 'people', 'half are quicker than', ''], ...weeks])
  return pages.length ? `${drawn}\n\n${pagesText(pages, usage)}` : drawn
}

function pagesText(pages: NonNullable<Usage['pages']>, usage: Usage['usage']): string {
  const weeks = usage.map(({ week }) => week)
  const loadsOf = (page: string, week: string) =>
    pages.find((each) => each.page === page && each.week === week)?.loads ?? 0
  const rows = [...new Set(pages.map(({ page }) => page))].map((page) => [
    page,
    ...weeks.map((week) => `${loadsOf(page, week)}`),
  ])
  return table([['page', ...weeks], ...rows])
}

type Log = { log: { at: string; by: string; what: string; ok: boolean; message: string }[] }

/** What was done with a module and what was refused, by whom. */
export async function logsText(portal: Portal, name: string): Promise<string> {
  const { log } = await portal.getSigned<Log>(`/registry/modules/${name}/logs`)
  if (!log.length) return `${name}: nothing was done with it yet.`
  return table(log.map(({ at, by, what, ok, message }) => [at, ok ? 'done' : 'refused', by, what, message]))
}
