import * as sdk from '@portal/sdk'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { federationName } from '@portal/sdk/registry'
import React from 'react'
import * as jsxRuntime from 'react/jsx-runtime'
import ReactDOM from 'react-dom'

type Container = {
  init(scope: unknown): unknown
  get(name: string): Promise<() => { default: sdk.PortalModule }>
}

const given = (version: string, lib: unknown) => ({
  [version]: { get: () => () => lib, from: 'shell', eager: true, loaded: 1 },
})

/** The module that is served here: what it says of itself, and what it exposes. */
export type Loaded = { record: ModuleBuild; module: sdk.PortalModule }

/** Loads the module as the shell does. */
export async function loadServed(): Promise<Loaded> {
  const record = (await (await fetch('/build.json')).json()) as ModuleBuild
  await new Promise((resolve, reject) => {
    const script = document.createElement('script')
    Object.assign(script, { src: record.base + record.entry, onload: resolve, onerror: reject })
    document.head.appendChild(script)
  })
  const containers = globalThis as unknown as Record<string, Container>
  const container = containers[federationName(record.name, record.build)] as Container
  await container.init({
    react: given(React.version, React),
    'react/jsx-runtime': given(React.version, jsxRuntime),
    'react-dom': given(ReactDOM.version, ReactDOM),
    '@portal/sdk': given(sdk.contractVersion, sdk),
  })
  const module = (await container.get('./module'))().default
  for (const locale of ['en', 'fr'] as const)
    for (const { messages } of await Promise.all(module.messages[locale]())) sdk.i18n.load(locale, messages)
  return { record, module }
}
