import * as sdk from '@portal/sdk'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { federationName } from '@portal/sdk/registry'
import React from 'react'
import * as jsxRuntime from 'react/jsx-runtime'
import ReactDOM from 'react-dom'
import { ModuleFault } from './failures.ts'

/** The protocol of federation containers as every bundler writes it: a share scope goes in, exposed modules come out. */
type Factory = () => unknown
type Shared = { get: () => Factory; from: string; eager: true; loaded: 1 }
type ShareScope = Record<string, Record<string, Shared>>
type Container = { init(scope: ShareScope): unknown; get(name: string): Promise<Factory> }

const given = (version: string, lib: unknown): Record<string, Shared> => ({
  [version]: { get: () => () => lib, from: 'shell', eager: true, loaded: 1 },
})

/**
 * The shell gives what it already runs on: it is an ordinary bundle without a federation plugin, so that nothing waits
 * for an asynchronous start and no page carries a runtime for it.
 */
const scope: ShareScope = {
  react: given(React.version, React),
  'react/jsx-runtime': given(React.version, jsxRuntime),
  'react-dom': given(ReactDOM.version, ReactDOM),
  '@portal/sdk': given(sdk.contractVersion, sdk),
}

/** Fetched by a script element of our own, which `abandonPending` can give up on; answers what it stopped with. */
function runScript(src: string): Promise<string | undefined> {
  const script = document.createElement('script')
  script.src = src
  let stopped: string | undefined
  const listen = ({ filename, message }: ErrorEvent) => {
    if (filename === script.src) stopped = message
  }
  window.addEventListener('error', listen)
  return new Promise<string | undefined>((resolve, reject) => {
    script.addEventListener('load', () => resolve(stopped))
    script.addEventListener('error', () => reject(new Error(`${src} could not be loaded.`)))
    document.head.appendChild(script)
  }).finally(() => window.removeEventListener('error', listen))
}

/** What the shell gives of a shared library, for whoever needs another version of it. */
export const sharedVersion = (library: string): string | undefined => Object.keys(scope[library] ?? {})[0]

/** Loads one build of a module and answers its default export, whatever that is. */
export async function loadBuild(
  build: Pick<ModuleBuild, 'name' | 'build' | 'base' | 'entry'>,
): Promise<unknown> {
  const containers = globalThis as unknown as Record<string, Container | undefined>
  const name = federationName(build.name, build.build)
  // Once per build: an entry that came is not run a second time, whatever failed after it.
  const stopped = containers[name] ? undefined : await runScript(build.base + build.entry)
  if (stopped && !containers[name]) throw new ModuleFault({ reason: 'threw', message: stopped })
  const container = containers[name]
  await container?.init(scope)
  const factory = await container?.get('./module')
  return (factory?.() as { default?: unknown } | undefined)?.default
}
