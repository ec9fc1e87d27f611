import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import * as runtimeCore from '@module-federation/runtime-core'
import { type ItemKind, itemKinds, tabPlace } from '@portal/sdk/extensions'
import { federationName } from '@portal/sdk/registry'
import type { Rspack } from '@rsbuild/core'
import { sharedVersions } from './federation.ts'

/** A chunk: its scripts and styles, its names, and the `import()` requests that ask for it. */
export type Chunks = { files: string[]; styles: string[]; requests: string[] }[]

/** Reads the chunks out of a finished build. */
export function chunksOf(stats: Rspack.Stats | Rspack.MultiStats | undefined): Chunks {
  const json = stats?.toJson({ all: false, chunks: true, chunkOrigins: true, chunkGroups: true, ids: true })
  const builds = json?.children?.length ? json.children : json ? [json] : []
  return builds.flatMap((build) =>
    (build.chunks ?? [])
      .filter((chunk) => !chunk.initial)
      .map((chunk) => ({
        files: (chunk.files ?? []).filter((file) => file.endsWith('.js')),
        styles: (chunk.files ?? []).filter((file) => file.endsWith('.css')),
        requests: [
          ...(chunk.names ?? []),
          ...(chunk.origins ?? []).map((origin) => origin.request ?? ''),
          // What a named piece shares with others is fetched together with it.
          ...Object.entries(build.namedChunkGroups ?? {})
            .filter(([, group]) => chunk.id != null && group.chunks?.includes(chunk.id))
            .map(([name]) => name),
        ],
      })),
  )
}

/** A script, or the link of a style sheet. */
type Script = { src?: string; href?: string; onload?: (event: { type: string; target: Script }) => void }
type Container = { init(scope: unknown): unknown; get(name: string): Promise<() => { default: Declared }> }
type Declared = {
  routes(host: unknown): { path: string; lazy?: () => Promise<unknown> }[]
  cards?: Record<string, () => Promise<unknown>>
  tabs?: Partial<Record<ItemKind, Record<string, () => Promise<unknown>>>>
  messages: Record<'en' | 'fr', () => Promise<unknown>[]>
}

const at = 'http://module.invalid/'
const sameThing = <Value>(value: Value) => value

/** Replaces React and the shell while a module is declared. Every property and every call gives this object again. */
const anything: unknown = new Proxy(() => undefined, {
  get: (_, key) => (key === 'then' ? undefined : key === Symbol.toPrimitive ? () => '' : anything),
  apply: () => anything,
})
const facade = new Proxy({}, { get: (_, key) => (key === 'defineModule' ? sameThing : anything) })

/** What a shell would give to the module, in the form in which the runtime keeps it. */
function shareScopeOf(dir: string) {
  const versions = sharedVersions(dir)
  const given = Object.entries({ ...versions, 'react/jsx-runtime': versions.react ?? '' })
  return Object.fromEntries(
    given.map(([name, version]) => {
      const lib = () => (name === '@portal/sdk' ? facade : anything)
      const shared = { version, scope: ['default'], useIn: [], shareConfig: { singleton: true } }
      return [name, { [version]: { ...shared, from: 'shell', lib, get: () => lib, loaded: true } }]
    }),
  )
}

/** Runs the entry of a built module away from any page; `asked` collects the files it then asks the browser for. */
async function declare(dir: string, staged: string, container: string) {
  const asked: string[] = []
  let running = true
  const document = {
    currentScript: { tagName: 'SCRIPT', src: `${at}remoteEntry.js` },
    baseURI: at,
    getElementsByTagName: () => [],
    createElement: () => ({ setAttribute: () => undefined, getAttribute: () => null }),
    head: { appendChild: (script: Script) => fetchScript(script) },
  }
  const timers = { setTimeout: () => 0, clearTimeout: () => undefined }
  // The runtime warns of what it finds no remotes for; here nobody loads any.
  const quiet = { ...console, warn: () => undefined }
  const page = createContext({
    ...{ document, location: { href: at }, console: quiet, ...timers },
    // What the shell gives to all its modules.
    _FEDERATION_RUNTIME_CORE: runtimeCore,
  })
  runInContext('globalThis.self = globalThis.window = document.defaultView = globalThis', page)
  const run = (file: string) => runInContext(readFileSync(join(staged, file), 'utf8'), page)
  function fetchScript(script: Script) {
    const file = (script.src ?? script.href ?? '').slice(at.length)
    if (!/\.(js|css)$/.test(file)) return
    asked.push(file)
    if (!running) return
    if (file.endsWith('.js')) run(file)
    script.onload?.({ type: 'load', target: script })
  }
  run('remoteEntry.js')
  const { init, get } = runInContext(container, page) as Container
  await init(shareScopeOf(dir))
  const module = (await get('./module'))().default
  running = false
  return { module, asked }
}

/** The files that a part of a module asks for after the module has been declared. Nothing answers these requests. */
async function askedFor(open: () => ReturnType<typeof declare>, what: (module: Declared) => unknown) {
  const { module, asked } = await open()
  const before = asked.length
  what(module)
  return asked.slice(before)
}

/**
 * Finds the files that each page, tab and card of a built module needs besides the entry, by loading them from its container.
 * Without this list pages still open, one round trip later.
 */
export async function findPreloads(
  dir: string,
  staged: string,
  name: string,
  build: string,
): Promise<Record<string, string[]>> {
  const open = () => declare(dir, staged, federationName(name, build))
  try {
    const { module, asked } = await open()
    const found: Record<string, string[]> = { '*': [...asked] }
    for (const locale of ['en', 'fr'] as const)
      found[locale] = await askedFor(open, ({ messages }) => messages[locale]())
    for (const { path } of module.routes(anything)) {
      found[path] = await askedFor(open, ({ routes }) =>
        routes(anything)
          .find((route) => route.path === path)
          ?.lazy?.(),
      )
    }
    // Its cards stand on the home page.
    if (module.cards)
      found['/home'] = await askedFor(open, ({ cards }) => Object.values(cards ?? {}).map((card) => card()))
    for (const on of itemKinds)
      for (const id of Object.keys(module.tabs?.[on] ?? {}))
        found[tabPlace({ on, id })] = await askedFor(open, ({ tabs }) => tabs?.[on]?.[id]?.())
    return found
  } catch (fault) {
    console.warn(
      `${basename(dir)}: pages are not fetched early (${fault instanceof Error ? fault.message : fault}).`,
    )
    return {}
  }
}
