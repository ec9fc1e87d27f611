import * as sdk from '@portal/sdk'
import { createHost } from '@portal/sdk/federation'
import type { ModuleBuild } from '@portal/sdk/manifest'

/** The served module: its build.json with its servers that are on this machine, and what it exposes. */
export type Loaded = { record: ModuleBuild & { own_servers?: string[] }; module: sdk.PortalModule }

const host = createHost()

/** Loads the module as the shell does. */
export async function loadServed(): Promise<Loaded> {
  const record = (await (await fetch('/build.json')).json()) as Loaded['record']
  const module = (await host.loadBuild(record)) as sdk.PortalModule
  for (const locale of ['en', 'fr'] as const)
    for (const { messages } of await Promise.all(module.messages[locale]())) sdk.i18n.load(locale, messages)
  return { record, module }
}
