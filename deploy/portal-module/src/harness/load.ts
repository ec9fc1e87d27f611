import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInThisContext } from 'node:vm'
import * as sdk from '@portal/sdk'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { federationName } from '@portal/sdk/registry'
import React from 'react'
import * as jsxRuntime from 'react/jsx-runtime'
import ReactDOM from 'react-dom'

type Factory = () => unknown
type Container = { init(scope: unknown): unknown; get(name: string): Promise<Factory> }
type Script = { src?: string; onload?: (event: object) => void; onerror?: (event: object) => void }

const given = (version: string, lib: unknown) => ({
  [version]: { get: () => () => lib, from: 'shell', eager: true, loaded: 1 },
})

const at = 'http://portal.invalid/'

/** Loads a built module as the shell does, with this process's React and facade; answers its default export. */
export async function loadBuilt(
  folder: string,
  record: Pick<ModuleBuild, 'name' | 'build' | 'entry' | 'base'>,
) {
  const base = at + record.base.slice(1)
  const run = (file: string) => {
    const code = readFileSync(join(folder, file), 'utf8')
    Object.defineProperty(document, 'currentScript', {
      configurable: true,
      value: { tagName: 'SCRIPT', src: base + file },
    })
    runInThisContext(code, { filename: join(folder, file) })
  }
  // Chunks come from the disk; everything else goes into the page.
  const append = document.head.appendChild.bind(document.head)
  document.head.appendChild = ((node: Node) => {
    const script = node as unknown as Script
    if (!script.src?.startsWith(base)) return append(node)
    try {
      run(script.src.slice(base.length))
      script.onload?.({ type: 'load', target: script })
    } catch (fault) {
      script.onerror?.({ type: 'error', target: script })
      throw fault
    }
    return node
  }) as typeof document.head.appendChild
  run(record.entry)
  const container = runInThisContext(federationName(record.name, record.build)) as Container
  await container.init({
    react: given(React.version, React),
    'react/jsx-runtime': given(React.version, jsxRuntime),
    'react-dom': given(ReactDOM.version, ReactDOM),
    '@portal/sdk': given(sdk.contractVersion, sdk),
  })
  const factory = await container.get('./module')
  return (factory() as { default?: unknown }).default
}
