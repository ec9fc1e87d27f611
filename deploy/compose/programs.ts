// Copies what the programs need that run on a server (release, prepare, api, worker and the commands of the api) into a new
// folder: `node deploy/compose/programs.ts FOLDER`, after `npm ci` and the build. Without compilers, tests and the browser's
// packages it is a third of the size, and an image has less in it that could be attacked.
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '../..')
/** The workspaces whose sources run on a server. Of the sdk the server reads the files without React. */
const workspaces = [
  'api',
  'deploy/registry',
  'deploy/gateway',
  'shared/contracts',
  'shared/excel',
  'shared/sdk',
]
const besides = ['package.json', 'LICENSE', 'CHANGELOG.md', 'api/migrations', 'dist']
const ofTheBrowser = 'shared/sdk'
/** Shared with modules in the browser. `release` writes down their versions (deploy/registry/src/release.ts). */
const versionsOnly = ['react', 'react-dom', 'react-router-dom']

/** What libraries bring along for browsers, compilers and readers. */
const unused = new RegExp(
  [
    String.raw`\.(map|md|markdown|flow|d\.ts|d\.mts|d\.cts)$`,
    String.raw`\/(test|tests|docs|benchmarks?|examples?)$`,
    String.raw`^@e965\/xlsx\/dist\/(?!cpexcel)`,
    // The same library once more, in one file or for other loaders.
    String.raw`^(exceljs|jszip|pako)\/dist$`,
    String.raw`^(dayjs\/esm|yaml\/browser|csv-parse\/dist\/(esm|iife|umd)|luxon\/build\/(amd|cjs-browser|global))$`,
    String.raw`^@zxcvbn-ts\/[^/]+\/dist\/zxcvbn-ts\.js$`,
  ].join('|'),
)
const isTest = /\.(test|deploy|faults|tsx)(\.ts)?$/

type Package = {
  name: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}
const packageOf = (folder: string): Package =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package

/** Where Node finds a package from a folder, or nothing: platforms are optional. */
function find(name: string, from: string): string | undefined {
  const here = join(from, 'node_modules', name)
  if (existsSync(join(here, 'package.json'))) return here
  return from === root ? undefined : find(name, dirname(from))
}

/** The folders of all libraries that the workspaces need, with those that these need. */
export function libraries(): string[] {
  const found = new Set<string>()
  const add = (from: string, wanted: Record<string, string> = {}, isOptional = false) => {
    for (const name of Object.keys(wanted)) {
      if (name.startsWith('@portal/')) continue
      const folder = find(name, from)
      if (!folder && !isOptional)
        throw new Error(`${relative(root, from)} needs ${name}, which is not installed: npm ci`)
      if (!folder || found.has(folder)) continue
      found.add(folder)
      const { dependencies, optionalDependencies = {} } = packageOf(folder)
      add(folder, without(dependencies, optionalDependencies))
      add(folder, optionalDependencies, true)
    }
  }
  for (const workspace of workspaces)
    if (workspace !== ofTheBrowser) add(join(root, workspace), packageOf(join(root, workspace)).dependencies)
  return [...found]
}

/** npm writes an optional dependency into both lists. */
const without = (all: Record<string, string> = {}, some: Record<string, string>) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !(name in some)))

function copyLibrary(folder: string, to: string) {
  const name = folder.slice(folder.lastIndexOf(`${sep}node_modules${sep}`) + 14)
  cpSync(folder, join(to, relative(root, folder)), {
    recursive: true,
    filter: (path) => {
      const inside = relative(folder, path)
      return (
        !inside.split(sep).includes('node_modules') && !unused.test(join(name, inside).replaceAll(sep, '/'))
      )
    },
  })
}

/** Copies programs and libraries into a folder, which must not exist. */
function copyPrograms(to: string) {
  mkdirSync(to)
  for (const name of besides) cpSync(join(root, name), join(to, name), { recursive: true })
  for (const workspace of workspaces) {
    cpSync(join(root, workspace, 'package.json'), join(to, workspace, 'package.json'))
    cpSync(join(root, workspace, 'src'), join(to, workspace, 'src'), {
      recursive: true,
      filter: (path) => !isTest.test(path),
    })
  }
  for (const folder of libraries()) copyLibrary(folder, to)
  for (const name of versionsOnly) {
    const file = join('node_modules', name, 'package.json')
    cpSync(join(root, file), join(to, file))
  }
  linkWorkspaces(to)
}

/** Workspaces find each other by links, as npm makes them. Node strips types of sources that are not below node_modules only. */
function linkWorkspaces(to: string) {
  const links = join(to, 'node_modules/@portal')
  mkdirSync(links, { recursive: true })
  for (const workspace of workspaces)
    symlinkSync(
      join('../..', workspace),
      join(links, packageOf(join(root, workspace)).name.slice('@portal/'.length)),
    )
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [, , to] = process.argv
  if (!to) throw new Error('Name the folder to make: node deploy/compose/programs.ts FOLDER')
  copyPrograms(resolve(to))
}
