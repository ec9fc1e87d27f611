import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { contractVersion } from '@portal/sdk/registry'
import { freePort } from '../../scripts/lib/ports.mjs'
import { answers, startProgram } from '../../scripts/lib/programs.mjs'
import { place } from '../stage/place.ts'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

/** The contract of this portal, and the last day on which the one of the next major carries it. */
export const carried = { contract: contractVersion, until: '2029-11-30' }
export const nextContract = '2.0.0'

type Patch = (text: string) => string

/** Replaces text that has to be there: a patch that does not fit the sources any more fails by its name. */
const change =
  (...pairs: [from: string | RegExp, to: string][]): Patch =>
  (text) =>
    pairs.reduce((made, [from, to]) => {
      const after = made.replace(from, to)
      if (after === made)
        throw new Error(`There is no ${from} any more: write the patch of contract 2.0 anew.`)
      return after
    }, text)

/** What the next portal was to modules of this one. */
const adapter = `export * from './index.ts'
export {
  generatePath, Link, type Location, Navigate, useLocation, useNavigate, useParams, useSearchParams,
} from 'react-router-dom'
import { asBefore } from './adapters.ts'
import { useHost as useToday } from './host.ts'
export const contractVersion = '${carried.contract}'
export const useHost = () => asBefore(useToday())
`

const adapters = `
const hosts = new WeakMap<Host, object>()
/** The host with the name that it had. The same one for the same host, because effects depend on it. */
export function asBefore(host: Host): Host & { notify: Host['tell'] } {
  const known = hosts.get(host) ?? Object.create(host, { notify: { get: () => host.tell } })
  hosts.set(host, known)
  return known
}
type Before = { routes(host: object): { page?: unknown }[] }
export const adapters: readonly Adapter[] = [
  {
    contract: '${carried.contract}',
    fetchSdk: () => import(/* webpackChunkName: "contract-1" */ './contract-1.ts'),
    asModule: (exposed) => {
      const { routes, ...module } = exposed as Before
      const lazy = ({ page, ...route }: { page?: unknown }) => (page ? { ...route, lazy: page } : route)
      return { ...module, routes: (host: Host) => routes(asBefore(host)).map(lazy) }
    },
  },
]
`

/** Contract 2.0 of the tests: `notify` of the host is called `tell`, `page` of routes and the router's names of 1.1 are gone. */
const patches: Record<string, Patch> = {
  'shared/sdk/src/registry.ts': change([
    `contractVersion = '${carried.contract}'`,
    `contractVersion = '${nextContract}'`,
  ]),
  'shared/sdk/package.json': change([`"version": "${carried.contract}"`, `"version": "${nextContract}"`]),
  'shared/sdk/src/host.ts': change(['  notify: Record<', '  tell: Record<']),
  'shared/sdk/src/define-module.ts': change(
    [/\/\*\*\n \* A page as modules declared it before[\s\S]*?\}\n\n/, ''],
    ['(ModuleRoute | EarlierRoute)[]', 'ModuleRoute[]'],
  ),
  'shared/sdk/src/routes.ts': change(
    ['import type { EarlierRoute, ModuleRoute }', 'import type { ModuleRoute }'],
    ['ModuleRoute | EarlierRoute', 'ModuleRoute'],
    ["'lazy' in route ? route.lazy() : route.page()", 'route.lazy()'],
  ),
  'shared/sdk/src/facade.ts': change([/\/\/ Modules of before[\s\S]*?from 'react-router-dom'\n/, '']),
  'shared/sdk/src/majors.ts': change([
    /carriedContracts(.*) = \[\]/,
    `carriedContracts$1 = [${JSON.stringify(carried)}]`,
  ]),
  'shared/sdk/src/adapters.ts': (text) =>
    `import type { Host } from './host.ts'\n${change([/\/\*\* One adapter for each[\s\S]*$/, adapters])(text)}`,
  'shared/sdk/src/deprecations.ts': change([
    'renamedFields: readonly RenamedField[] = [',
    `renamedFields: readonly RenamedField[] = [
  {
    ...{ of: 'host', name: 'notify', to: 'tell', since: '${nextContract}', until: '${carried.until}' },
    instead: 'tell in place of notify of the host',
  },`,
  ]),
  'shell/src/platform/host.ts': change(['\n  notify,\n', '\n  tell: notify,\n']),
  'deploy/portal-module/src/harness/fake-portal.ts': change(['    notify: {', '    tell: {']),
  'deploy/portal-module/src/alone/host-alone.ts': change(['    notify: {', '    tell: {']),
  'deploy/portal-module/src/gallery/Stage.tsx': change(['notify: messages', 'tell: messages']),
}

/** What the product itself takes of the host. */
const own: Patch = (text) =>
  text
    .replace(/\bnotify \} = useHost\(\)/g, 'tell: notify } = useHost()')
    .replaceAll("Host['notify']", "Host['tell']")

const unchanged: Patch = (text) => text

/** The sources that a shell, the packages and the operator's command are made of. */
const folders =
  /^(shared|shell|mfe-[a-z-]+|deploy\/(portal-module|registry|gateway))\/|^(package|package-lock|tsconfig)\.json$/

async function copySources(to: string) {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '-z']
  const { stdout } = await run('git', args, { cwd: root, maxBuffer: 64 * 1024 * 1024 })
  const files = stdout.split('\0').filter((file) => folders.test(file) && !/\/test\//.test(file))
  const left = new Set(Object.keys(patches))
  for (const file of files) {
    const from = join(root, file)
    mkdirSync(dirname(join(to, file)), { recursive: true })
    left.delete(file)
    const patch = patches[file] ?? (file.endsWith('package.json') ? packages : unchanged)
    if (/\.(tsx?|json)$/.test(file)) writeFileSync(join(to, file), own(patch(readFileSync(from, 'utf8'))))
    else cpSync(from, join(to, file))
  }
  if (left.size) throw new Error(`There is no ${[...left].join(', ')} to patch.`)
  writeFileSync(join(to, 'shared/sdk/src/contract-1.ts'), adapter)
}

/** The packages ask for each other by version. */
const packages: Patch = (text) =>
  text.replace(`"@portal/sdk": "${carried.contract}"`, `"@portal/sdk": "${nextContract}"`)

/** The copy's own packages. All else it finds where it is installed, because it lies within this repository. */
function link(to: string) {
  const installed = join(root, 'node_modules')
  mkdirSync(join(to, 'node_modules/@portal'), { recursive: true })
  for (const name of readdirSync(join(installed, '@portal')))
    symlinkSync(readlinkSync(join(installed, '@portal', name)), join(to, 'node_modules/@portal', name))
  // The packing names these by their place.
  for (const name of ['@types', 'typescript'])
    symlinkSync(join(installed, name), join(to, 'node_modules', name))
  symlinkSync(join(root, 'deploy/registry/node_modules'), join(to, 'deploy/registry/node_modules'))
}

const node = (folder: string, code: string) =>
  run(process.execPath, ['--input-type=module', '-e', code], { cwd: folder })

/** Packs the packages of the portal whose sources are in a folder. */
export const packFrom = (folder: string, to: string) =>
  node(folder, `await (await import('./deploy/portal-module/packing/pack.ts')).pack(${JSON.stringify(to)})`)

/** Releases what is built in a folder of sources, as its operator does. */
export async function releaseFrom(folder = root) {
  const dist = folder === root ? {} : { PORTAL_DIST_DIR: join(folder, 'dist') }
  const log = join(place.folder, 'logs', 'release-of-next.log')
  await startProgram('release', { env: { ...process.env, ...place.settings, ...dist }, log, folder }).ended()
}

/** A machine with the next portal installed: the pages that it sends are those of its own shell. The records are the run's. */
export async function startNextPortal(folder: string) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const own = {
    ...{ PORT: String(port), PORTAL_PUBLIC_URL: url, PORTAL_MODULES_URL: `http://*.localhost:${port}` },
    PORTAL_DIST_DIR: join(folder, 'dist'),
  }
  const log = join(place.folder, 'logs', 'api-of-next.log')
  const api = startProgram('api', { env: { ...process.env, ...place.settings, ...own }, log })
  await api.ready(() => answers(`${url}/api/health`))
  return { url, stop: api.stop }
}

/**
 * The portal of the next major in a folder within this repository, made of these sources with a small patch: its shell is built,
 * and the product's own modules are those of today, which it runs by its adapter.
 */
export async function makeNextPortal(to: string) {
  await copySources(to)
  link(to)
  const dist = process.env.PORTAL_DIST_DIR ?? join(root, 'dist')
  mkdirSync(join(to, 'dist'))
  for (const name of ['modules', 'modules.json'])
    cpSync(join(dist, name), join(to, 'dist', name), { recursive: true })
  await run(process.execPath, ['shared/build/src/build-all.ts', '--only', 'shell'], { cwd: to })
  return to
}
