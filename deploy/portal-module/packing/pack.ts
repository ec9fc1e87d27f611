import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { emit, root, sourcesOf } from './emit.ts'
import { type PackedFile, tarball } from './tarball.ts'
import { compileSharedWords } from './words.ts'

/** Usage: npm run sdk:pack -- --to <folder>. Packs the packages that a partner's module is built with, as archives. */

const folders = [
  ...['contracts', 'client', 'ui', 'screens', 'i18n', 'sdk', 'build'].map((name) => `shared/${name}`),
  'deploy/portal-module',
]

type Manifest = {
  name: string
  version: string
  exports?: Record<string, string>
  bin?: Record<string, string>
  dependencies: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional: boolean }>
}

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))

/** Folders and files that are packed unchanged. */
const asTheyAre: Record<string, RegExp> = {
  'shared/ui': /^src\/[^/]+\.css$/,
  'shared/sdk': /^(portal\.module\.schema\.json|README\.md|CHANGELOG\.md)$/,
  'deploy/portal-module': /^(bin\/|template\/|src\/.*\.(css|html)$|README\.md$)/,
}

/** Files that only the build of this product uses. */
const ours: Record<string, RegExp> = {
  'shared/build': /^src\/(build-all|dev|pages)\./,
  'shared/sdk': /^$/,
}

/** Each package's file name in a partner's `vendor/`. */
export const archiveName = ({ name, version }: Pick<Manifest, 'name' | 'version'>): string =>
  `${name.replace('@', '').replace('/', '-')}-${version}.tgz`

/** Names and archives of the packages, as a partner's package.json asks for them. */
export const archives = (): { name: string; file: string }[] =>
  folders.map(readManifest).map((manifest) => ({ name: manifest.name, file: archiveName(manifest) }))

function exported(exports: Record<string, string> = {}) {
  return Object.fromEntries(
    Object.entries(exports).map(([key, path]) => {
      if (!/\.tsx?$/.test(path)) return [key, path]
      const types = path.replace(/\.tsx?$/, '.d.ts')
      return [key, { types, default: path.replace(/\.ts$/, '.js').replace(/\.tsx$/, '.jsx') }]
    }),
  )
}

function digestOf(files: PackedFile[]): string {
  const hash = createHash('sha256')
  for (const { path, content } of files) hash.update(`${path}\0`).update(content).update('\0')
  return hash.digest('hex').slice(0, 16)
}

function packageOf(folder: string, emitted: PackedFile[]): { manifest: Manifest; files: PackedFile[] } {
  const { name, version, exports, bin, dependencies, ...peers } = readManifest(folder)
  const compiled = emitted
    .filter(({ path }) => path.startsWith(`${folder}/`))
    .map((file) => ({ ...file, path: file.path.slice(folder.length + 1) }))
    .filter(({ path }) => !ours[folder]?.test(path))
  const copied = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, folder).length + 1))
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => asTheyAre[folder]?.test(path) && !path.startsWith('node_modules/'))
    .map((path) => copyOf(folder, path))
  const files = [...compiled, ...copied].sort((a, b) => (a.path < b.path ? -1 : 1))
  const manifest = {
    name,
    version,
    license: 'Apache-2.0',
    type: 'module',
    digest: digestOf(files),
    ...(bin && { bin }),
    exports: { ...exported(exports), './package.json': './package.json' },
    dependencies: withoutRanges(name, dependencies),
    ...(peers.peerDependencies && {
      peerDependencies: peers.peerDependencies,
      peerDependenciesMeta: peers.peerDependenciesMeta,
    }),
  }
  const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
  return { manifest, files: [...files, { path: 'package.json', content: text }] }
}

function copyOf(folder: string, path: string): PackedFile {
  const content = readFileSync(join(root, folder, path))
  if (!path.startsWith('bin/')) return { path, content }
  return { path, content: Buffer.from(String(content).replaceAll('.ts', '.js')), executable: true }
}

/** Exact versions, so that a partner gets what was tested. Lingui's command line is only used in this repository. */
function withoutRanges(name: string, dependencies: Record<string, string>) {
  for (const [each, range] of Object.entries(dependencies))
    if (!/^\d/.test(range)) throw new Error(`${name} asks for ${each} ${range}: name one version.`)
  return dependencies
}

/** Writes the archives into a folder and removes those of other versions. Returns their names. */
export async function pack(to: string): Promise<string[]> {
  await compileSharedWords()
  const emitted = await emit(folders.flatMap(sourcesOf))
  await mkdir(to, { recursive: true })
  const written: string[] = []
  for (const folder of folders) {
    const { manifest, files } = packageOf(folder, emitted)
    const file = archiveName(manifest)
    await writeFile(join(to, file), tarball(files))
    written.push(file)
  }
  for (const name of await readdir(to)) {
    if (/^portal-[a-z0-9]+-\d.*\.tgz$/.test(name) && !written.includes(name)) await rm(join(to, name))
  }
  return written
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({ options: { to: { type: 'string' } } })
  if (!values.to) {
    console.error('Say where the archives go: npm run sdk:pack -- --to <folder>')
    process.exitCode = 1
  } else {
    const to = resolve(process.env.INIT_CWD ?? '.', values.to)
    const { packStage } = await import('./stage.ts')
    const written = [...(await pack(to)), await packStage(to)]
    console.log(`${written.length} packages in ${to}:\n${written.map((name) => `  ${name}`).join('\n')}`)
  }
}
