import { createInstance, type ModuleFederationRuntimePlugin } from '@module-federation/runtime'
import * as runtimeCore from '@module-federation/runtime/core'
import * as sdk from '@portal/sdk'
import { federationName, type ModuleBuild } from '@portal/sdk/manifest'
import React from 'react'
import * as jsxRuntime from 'react/jsx-runtime'
import ReactDOM from 'react-dom'
import { trustBuild } from './integrity.ts'

/**
 * The shell gives what it already runs on: it is an ordinary bundle without the federation plugin, so that the
 * sign-in page carries none of it and nothing waits for an asynchronous start.
 */
const given = (version: string, lib: () => unknown) => ({
  version,
  lib,
  shareConfig: { singleton: true, requiredVersion: `^${version}`, eager: true },
})

/** Modules leave the runtime out of their entries and find the shell's under this name. */
Object.assign(globalThis, { _FEDERATION_RUNTIME_CORE: runtimeCore })

/** The entry is fetched by our own script element: the runtime's has a wait of its own and no way to end it. */
const ownEntry: ModuleFederationRuntimePlugin = {
  name: 'portal-entry',
  loadEntry: async ({ remoteInfo }) => {
    const script = document.createElement('script')
    script.src = remoteInfo.entry
    script.async = true
    await new Promise((resolve, reject) => {
      script.addEventListener('load', resolve)
      script.addEventListener('error', () => reject(new Error(`${remoteInfo.entry} could not be loaded.`)))
      document.head.appendChild(script)
    })
    return (globalThis as unknown as Record<string, RemoteContainer>)[remoteInfo.entryGlobalName]
  },
}
type RemoteContainer = Extract<
  Awaited<ReturnType<NonNullable<ModuleFederationRuntimePlugin['loadEntry']>>>,
  { get: unknown }
>

const instance = createInstance({
  name: 'shell',
  remotes: [],
  shareStrategy: 'loaded-first',
  plugins: [ownEntry],
  shared: {
    react: given(React.version, () => React),
    'react/jsx-runtime': given(React.version, () => jsxRuntime),
    'react-dom': given(ReactDOM.version, () => ReactDOM),
    '@portal/sdk': given(sdk.contractVersion, () => sdk),
  },
})

const registered = new Set<string>()

/** Loads one build of a module and answers its default export, whatever that is. */
export async function loadBuild(
  build: Pick<ModuleBuild, 'name' | 'build' | 'base' | 'entry' | 'files'>,
): Promise<unknown> {
  const name = federationName(build.name, build.build)
  trustBuild(build)
  // Once per build. Forcing it before a retry would throw away an entry that came, and run it a second time; the
  // runtime itself forgets what did not come.
  if (!registered.has(name)) {
    registered.add(name)
    instance.registerRemotes([{ name, entry: build.base + build.entry, entryGlobalName: name, type: 'var' }])
  }
  const exposed = await instance.loadRemote<{ default: unknown }>(`${name}/module`)
  return exposed?.default
}
