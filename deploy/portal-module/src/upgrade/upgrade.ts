import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Node, traverse } from '@babel/core'
import { contractVersion } from '@portal/sdk/registry'
import { Refusal } from '../refusal.ts'
import { expectCommitted } from './committed.ts'
import {
  archiveOfContract,
  contractAfter,
  ofTemplate,
  upgradedManifest,
  withVersionsOf,
} from './json-files.ts'
import { moveNames } from './moved-names.ts'
import { takePackages } from './packages.ts'
import { isDefinition, renameFields } from './renamed-fields.ts'
import { type ByHand, edited, note, readSource, type Source } from './source.ts'
import { askCompiler } from './types.ts'

/** The scripts of a module, its tests among them. */
export async function sourcesOf(dir: string): Promise<string[]> {
  const found = await Promise.all(
    ['src', 'browser'].map(async (folder) => {
      const files = await readdir(join(dir, folder), { recursive: true }).catch(() => [])
      return files.map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    }),
  )
  // Compiled catalogs are made from the .po files beside them.
  return found
    .flat()
    .filter((file) => /\.[jt]sx?$/.test(file) && !/\.d\.ts$|(^|\/)locales\/[^/]+\.ts$/.test(file))
    .sort()
}

/** A source as the contract of this command has it. */
export function upgradedSource(file: string, text: string): Source {
  const source = readSource(file, text)
  moveNames(source)
  renameFields(source)
  raiseContract(source)
  return source
}

/** The literal in `defineModule`: it is the version of the contract that the code is written for. */
function raiseContract(source: Source) {
  traverse(source.tree, {
    ObjectExpression(path) {
      if (!isDefinition(path)) return
      const value: Node | undefined = path.node.properties.find(
        ({ key }: Node) => key?.name === 'contract',
      )?.value
      const after = value?.type === 'StringLiteral' ? contractAfter(value.value) : undefined
      if (!value || !after) return
      source.edits.push({ start: value.start + 1, end: value.end - 1, text: after })
      note(source, `contract ${after}`)
    },
  })
}

/** What an upgrade has changed, and what is left to people. */
export type Upgraded = { changed: string[]; left: ByHand[]; others: number; reinstall: boolean }

/**
 * Brings a module to the contract of the installed packages: its sources, its manifest, and the versions of the libraries that
 * the packages are made with. Every file is read before the first one is written.
 */
export async function upgradeModule(dir: string, { force = false } = {}): Promise<Upgraded> {
  await expectInstalled(dir)
  if (!force) await expectCommitted(dir, true)
  const sources = await Promise.all(
    (await sourcesOf(dir)).map(async (file) => upgradedSource(file, await readFile(join(dir, file), 'utf8'))),
  )
  const all = [...sources, await upgradedManifest(dir)]
  const versions = withVersionsOf(await readFile(join(dir, 'package.json'), 'utf8'), await ofTemplate())
  const changed: string[] = []
  const write = async (file: string, text: string, did: string[]) => {
    await writeFile(join(dir, file), text)
    changed.push(`${file}: ${did.join(', ')}`)
  }
  for (const source of all) if (source.edits.length) await write(source.file, edited(source), source.did)
  if (versions) await write('package.json', versions.text, versions.did)
  const { left, others } = await askCompiler(dir)
  const seen = all.flatMap((source) => source.left)
  // What the tree shows may be gone from the types as well: once is enough.
  const isNew = ({ file, line }: ByHand) => !seen.some((each) => each.file === file && each.line === line)
  return { changed, left: [...seen, ...left.filter(isNew)], others, reinstall: versions !== null }
}

/** The packages in `vendor/` and those that are installed are the same contract. */
async function expectInstalled(dir: string) {
  const archive = await archiveOfContract(dir)
  if (archive && archive !== `portal-sdk-${contractVersion}.tgz`)
    throw new Refusal(
      `package.json asks for ${archive}, and contract ${contractVersion} is installed: run npm install first.`,
    )
}

/** Takes the packages of another portal. */
export async function upgradePackages(
  dir: string,
  vendor: string,
  { force = false } = {},
): Promise<string[]> {
  if (!force) await expectCommitted(dir, false)
  return takePackages(dir, vendor)
}

/** What an upgrade says, and what to do next. */
export function upgradedText({ changed, left, others, reinstall }: Upgraded): string {
  const places = left.map(({ file, line, text }) => `  ${file}:${line}: ${text}`)
  const next = `${reinstall ? 'npm install, ' : ''}npm run types and npm test`
  return [
    ...(changed.length ? changed : [`Nothing is left to change for contract ${contractVersion}.`]),
    ...(left.length ? ['By hand:', ...places] : []),
    ...(others
      ? [`The compiler has ${others} more ${others === 1 ? 'complaint' : 'complaints'}: npm run types.`]
      : []),
    ...(changed.length || left.length ? [`Read the changes, then ${next}.`] : []),
  ].join('\n')
}
