import { createInstance, type ModuleFederationRuntimePlugin } from '@module-federation/enhanced/runtime'
import provideRuntime from '@module-federation/inject-external-runtime-core-plugin'
import React from 'react'
import * as jsxRuntime from 'react/jsx-runtime'
import ReactDOM from 'react-dom'
import { type Adapter, adapters as carried } from './adapters.ts'
import * as sdk from './index.ts'
import { nameOfMajor } from './majors.ts'
import type { ModuleBuild } from './manifest.ts'
import { contractAdmits, federationName, menuShare } from './registry.ts'
import * as router from './router-dom.ts'
import { routerVersion } from './router-version.ts'

/** The portal's side of federation, for the shell and for whatever else runs built modules: tests, the page of a module alone. */

/** Shares the libraries that the portal runs on: `lib` for the runtime, `get` for plain containers. */
const given = (version: string, lib: unknown) => ({
  version,
  lib: () => lib,
  get: () => () => lib,
  shareConfig: { singleton: true, requiredVersion: `^${version}`, eager: true },
})

const fetchMenuLibrary = () => import('@radix-ui/react-dropdown-menu')

const libraries = {
  react: given(React.version, React),
  'react/jsx-runtime': given(React.version, jsxRuntime),
  'react-dom': given(ReactDOM.version, ReactDOM),
  'react-router-dom': given(routerVersion, router),
}
const shared = { ...libraries, '@portal/sdk': given(sdk.contractVersion, sdk) }

/** Versions of what the portal gives, by library. */
export const givenVersions: Record<string, string> = Object.fromEntries(
  Object.entries(shared).map(([library, { version }]) => [library, version]),
)

/** A library that the portal shares but fetches only when a module asks for it. */
const givenLate = (version: string, fetch: () => Promise<unknown>, forget: () => void) => ({
  version,
  get: () =>
    fetch().then(
      (lib) => () => lib,
      (fault) => {
        forget()
        throw fault
      },
    ),
  shareConfig: { singleton: true, requiredVersion: `^${version}` },
})

const manifest = 'mf-manifest.json'

/** The fields of a build that are needed to load it. */
export type Loadable = Pick<
  ModuleBuild,
  'name' | 'build' | 'base' | 'contract' | 'entry' | 'files' | 'remote'
>

type Options = {
  plugins?: ModuleFederationRuntimePlugin[]
  /** Remotes are registered by their manifests, so that the federation dev tools can show them: one round trip more. */
  forTools?: boolean
  /** The contract of this page and what modules get for it; tests have other ones. */
  own?: { contract: string; sdk: object }
  /** For contracts of majors before. */
  adapters?: readonly Adapter[]
}

const today = { contract: sdk.contractVersion, sdk }

/** The federation runtime of a page. Modules find it as a global and bring none of their own. */
export function createHost({
  plugins = [],
  forTools = false,
  own = today,
  adapters = carried,
}: Options = {}) {
  const menuOf = (contract: string, scope: string) =>
    // The runtime caches a rejected share, so it has to be deleted for a retry.
    givenLate(contract, fetchMenuLibrary, () => {
      delete host.shareScopeMap[scope]?.[menuShare]?.[contract]?.loading
    })
  const host = createInstance({
    name: 'portal',
    remotes: [],
    shared: {
      ...libraries,
      '@portal/sdk': given(own.contract, own.sdk),
      [menuShare]: menuOf(own.contract, 'default'),
    },
    shareStrategy: 'loaded-first',
    plugins: [provideRuntime(), ...plugins],
  })

  const opened = new Map<Adapter, Promise<string>>()
  /** Opens a share scope with the interface of an earlier major. In a common scope every module would get the newest version. */
  function openScope(adapter: Adapter): Promise<string> {
    const known = opened.get(adapter)
    if (known) return known
    const { contract } = adapter
    const scope = nameOfMajor(contract)
    const opening = adapter.fetchSdk().then((lib) => {
      const all = { ...libraries, '@portal/sdk': given(contract, lib), [menuShare]: menuOf(contract, scope) }
      host.registerShared(
        Object.fromEntries(Object.entries(all).map(([name, share]) => [name, { ...share, scope: [scope] }])),
      )
      return scope
    })
    opened.set(adapter, opening)
    opening.catch(() => opened.delete(adapter))
    return opening
  }

  return {
    /** Loads one build of a module and answers its default export, whatever that is. */
    async loadBuild({ name, build, base, contract, entry, files, remote }: Loadable): Promise<unknown> {
      const adapter = contractAdmits(contract, own.contract)
        ? undefined
        : adapters.find((each) => contractAdmits(contract, each.contract))
      // Each of our builds is a separate remote, so an upgrade within the page replaces none. A plain remote keeps its name.
      const called = remote?.name ?? federationName(name, build)
      const file = forTools && manifest in files ? manifest : entry
      const address = new URL(base + file, globalThis.location.href).href
      const scope = adapter && (await openScope(adapter))
      host.registerRemotes([{ name: called, entry: address, ...(scope && { shareScope: scope }) }])
      const expose = remote?.expose ?? './module'
      const exposed = await host.loadRemote<{ default?: unknown }>(`${called}/${expose.slice(2)}`)
      return adapter ? adapter.asModule(exposed?.default) : exposed?.default
    },
  }
}
