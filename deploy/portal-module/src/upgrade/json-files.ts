import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Node } from '@babel/core'
import { type RenamedField, renamedFields } from '@portal/sdk/deprecations'
import { majorOf } from '@portal/sdk/majors'
import { contractVersion } from '@portal/sdk/registry'
import { note, readSource, type Source } from './source.ts'

const shown = 'portal.module.json'

/** The contract that a module asks for after the upgrade: it stays within its major, for portals that are older. */
export const contractAfter = (contract: string, own = contractVersion): string | undefined =>
  majorOf(contract) < majorOf(own) ? own : undefined

/** The values of a field in a JSON tree; `cards.title` is that of every card. */
function fieldsOf(node: Node, [name, ...rest]: string[]): Node[] {
  if (node.type === 'ArrayExpression')
    return node.elements.flatMap((each: Node) => fieldsOf(each, [name ?? '', ...rest]))
  const found = (node.properties ?? []).filter(({ key }: Node) => key.value === name)
  return rest.length ? found.flatMap(({ value }: Node) => fieldsOf(value, rest)) : found
}

/** The manifest as the contract of this command has it. */
export async function upgradedManifest(
  dir: string,
  table: readonly RenamedField[] = renamedFields,
): Promise<Source> {
  const text = await readFile(join(dir, shown), 'utf8')
  // An expression in parentheses is the smallest program that JSON is.
  const source = readSource(shown, `(${text})`)
  const root = source.tree.program.body[0].expression
  const replace = ({ start, end }: Node, to: string, what: string) => {
    source.edits.push({ start, end, text: JSON.stringify(to) })
    note(source, what)
  }
  for (const { value } of fieldsOf(root, ['contract'])) {
    const after = contractAfter(value.value)
    if (after) replace(value, `^${after}`, `contract ^${after}`)
  }
  for (const { name, to } of table.filter(({ of }) => of === 'manifest'))
    for (const { key } of fieldsOf(root, name.split('.'))) replace(key, to, `${to} in place of ${name}`)
  // The parentheses are not the file's.
  const edits = source.edits.map((edit) => ({ ...edit, start: edit.start - 1, end: edit.end - 1 }))
  return { ...source, text, edits }
}

type Lists = { dependencies?: Record<string, string>; devDependencies?: Record<string, string> }

/**
 * The libraries that the packages are made with, in their versions: a page has one React. `like` is the package.json of a new
 * module. Tools may be newer, so of them only what is older changes. Null if nothing does.
 */
export function withVersionsOf(text: string, like: Lists): { text: string; did: string[] } | null {
  const manifest = JSON.parse(text) as Lists
  const did: string[] = []
  for (const list of ['dependencies', 'devDependencies'] as const)
    for (const [name, version] of Object.entries(like[list] ?? {})) {
      const before = manifest[list]?.[name]
      const isExact = before && /^\d/.test(before)
      const isOlder = isExact && before.localeCompare(version, 'en', { numeric: true }) < 0
      if (!isExact || before === version || (list === 'devDependencies' && !isOlder)) continue
      manifest[list] = { ...manifest[list], [name]: version }
      did.push(`${name} ${version}`)
    }
  return did.length ? { text: `${JSON.stringify(manifest, null, 2)}\n`, did } : null
}

/** The package.json of a new module of these packages. */
export const ofTemplate = async (): Promise<Lists> =>
  JSON.parse(await readFile(join(import.meta.dirname, '../../template/package.json'), 'utf8'))

/** The archive from which a module takes the contract, `portal-sdk-2.0.0.tgz`; undefined if it takes it from elsewhere. */
export async function archiveOfContract(dir: string): Promise<string | undefined> {
  const file = join(dir, 'package.json')
  const { dependencies } = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Lists) : {}
  return /^file:vendor\/(portal-sdk-.+\.tgz)$/.exec(dependencies?.['@portal/sdk'] ?? '')?.[1]
}
