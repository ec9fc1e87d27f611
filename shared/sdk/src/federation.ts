import { createInstance, type ModuleFederationRuntimePlugin } from '@module-federation/enhanced/runtime'
import provideRuntime from '@module-federation/inject-external-runtime-core-plugin'
import React from 'react'
import * as jsxRuntime from 'react/jsx-runtime'
import ReactDOM from 'react-dom'
import * as sdk from './index.ts'
import type { ModuleBuild } from './manifest.ts'
import { federationName, menuShare } from './registry.ts'
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

const shared = {
  react: given(React.version, React),
  'react/jsx-runtime': given(React.version, jsxRuntime),
  'react-dom': given(ReactDOM.version, ReactDOM),
  'react-router-dom': given(routerVersion, router),
  '@portal/sdk': given(sdk.contractVersion, sdk),
}

/** Versions of what the portal gives, by library. */
export const givenVersions: Record<string, string> = Object.fromEntries(
  Object.entries(shared).map(([library, { version }]) => [library, version]),
)

/** A library that the portal shares but fetches only when a module asks for it. */
const givenLate = (fetch: () => Promise<unknown>, forget: () => void) => ({
  version: sdk.contractVersion,
  get: () =>
    fetch().then(
      (lib) => () => lib,
      (fault) => {
        forget()
        throw fault
      },
    ),
  shareConfig: { singleton: true, requiredVersion: `^${sdk.contractVersion}` },
})

const manifest = 'mf-manifest.json'

/** What of a build is needed to load it. */
export type Loadable = Pick<ModuleBuild, 'name' | 'build' | 'base' | 'entry' | 'files' | 'remote'>

type Options = {
  plugins?: ModuleFederationRuntimePlugin[]
  /** Remotes are registered by their manifests, so that the federation dev tools can show them: one round trip more. */
  forTools?: boolean
}

/** The federation runtime of a page. Modules find it as a global and bring none of their own. */
export function createHost({ plugins = [], forTools = false }: Options = {}) {
  // The runtime caches a rejected share, so it has to be deleted for a retry.
  const forgetMenu = () => {
    delete host.shareScopeMap.default?.[menuShare]?.[sdk.contractVersion]?.loading
  }
  const host = createInstance({
    name: 'portal',
    remotes: [],
    shared: { ...shared, [menuShare]: givenLate(fetchMenuLibrary, forgetMenu) },
    shareStrategy: 'loaded-first',
    plugins: [provideRuntime(), ...plugins],
  })
  return {
    /** Loads one build of a module and answers its default export, whatever that is. */
    async loadBuild({ name, build, base, entry, files, remote }: Loadable): Promise<unknown> {
      // Each of our builds is a separate remote, so an upgrade within the page replaces none. A plain remote keeps its name.
      const called = remote?.name ?? federationName(name, build)
      const file = forTools && manifest in files ? manifest : entry
      host.registerRemotes([{ name: called, entry: new URL(base + file, globalThis.location.href).href }])
      const expose = remote?.expose ?? './module'
      const exposed = await host.loadRemote<{ default?: unknown }>(`${called}/${expose.slice(2)}`)
      return exposed?.default
    },
  }
}
