import { integrityOf } from '@portal/build/files'
import { ModuleBuild, readRegistry } from '@portal/sdk/manifest'
import * as v from 'valibot'
import type { Status } from './changes.ts'
import type { Portal } from './portal.ts'
import { Refusal } from './refusal.ts'

type Canary = { version: string; percent: number | null; roles: string[] } | null

const canaryText = (canary: Canary) =>
  canary ? `${canary.version} for ${canary.percent ? `${canary.percent}%` : canary.roles.join(', ')}` : ''

/** Columns beside each other, as wide as they must be. */
function table(rows: string[][]): string {
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

/** What is live, one line per module. */
export function statusText({ generation, at, modules }: Status): string {
  const rows = modules.map((module) => [
    module.name,
    module.version,
    module.build,
    module.withheld ? `withheld (${module.withheld})` : module.state,
    [
      module.pinned && 'pinned',
      module.canary && `canary ${canaryText(module.canary)}`,
      module.previous && `before ${module.previous.version}`,
      module.published_by && `by ${module.published_by}`,
    ]
      .filter(Boolean)
      .join(', '),
  ])
  return `Generation ${generation}, live since ${at}\n${table([['module', 'version', 'build', 'state', ''], ...rows])}`
}

type Side = { version: string; build: string; disabled?: boolean; pinned?: boolean; canary: Canary } | null
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
      ]
        .filter(Boolean)
        .join(' ')
    : 'not there'

/** What differs between two generations. */
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

async function octets(address: string): Promise<Buffer> {
  const answer = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(60_000) })
  if (!answer.ok) throw new Error(`answered ${answer.status}`)
  return Buffer.from(await answer.arrayBuffer())
}

/** Fetches what a portal serves to browsers and holds every file of every module against its hash. */
export async function verifyPortal(portal: Portal): Promise<{ text: string; ok: boolean }> {
  const { registry, broken } = readRegistry(
    String(
      await octets(`${portal.address}/modules.json`).catch((fault: Error) => {
        throw new Refusal(`${portal.address}/modules.json cannot be read: ${fault.message}.`)
      }),
    ),
  )
  const rows: string[][] = broken.map((each) => ['✗', each, 'not in order'])
  for (const module of registry.modules) {
    const { name, version, withheld, signature } = module
    if (withheld) {
      rows.push(['✗', `${name} ${version}`, `the portal withholds it: ${withheld}`])
      continue
    }
    const found = await filesOf(portal.address, module)
    const signed = signature ? 'signed' : 'unsigned'
    rows.push([
      found.faults.length || !signature ? '✗' : '✓',
      `${name} ${version}`,
      [`${signed}, ${found.files} files`, ...found.faults].join('; '),
    ])
  }
  return {
    text: `Generation ${registry.generation} of ${portal.address}\n${table(rows)}`,
    ok: rows.every(([mark]) => mark === '✓'),
  }
}

async function filesOf(
  address: string,
  {
    base,
    integrity,
    name,
    version,
    build,
  }: { base: string; integrity: string; name: string; version: string; build: string },
): Promise<{ files: number; faults: string[] }> {
  const wrong = async (file: string, expected: string) =>
    octets(address + base + file).then(
      (content) => (integrityOf(content) === expected ? [] : [`${file} is not what was published`]),
      (fault: Error) => [`${file} ${fault.message}`],
    )
  const faults = await wrong('build.json', integrity)
  if (faults.length) return { files: 0, faults }
  const record = v.safeParse(ModuleBuild, JSON.parse(String(await octets(`${address}${base}build.json`))))
  if (!record.success) return { files: 0, faults: ['build.json is not in order'] }
  const same =
    record.output.name === name && record.output.version === version && record.output.build === build
  if (!same) faults.push('build.json is that of another build')
  const files = Object.entries(record.output.files)
  for (const [file, expected] of files) faults.push(...(await wrong(file, expected)))
  return { files: files.length, faults }
}
