import { moduleFlags } from '@portal/contracts/module-flags'
import { moduleSettings } from '@portal/contracts/module-settings'
import type { Host } from '@portal/sdk'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { client } from '../session/client.ts'
import type { BuildRef } from './builds.ts'
import { eventsOf } from './events.ts'
import { extensions } from './extensions.tsx'
import { watchThrown } from './thrown.ts'

/** How long a module waits for its switches and settings. Its own files take longer on most lines. */
const timeoutMs = 3_000

/** The parts of a host that differ from module to module. They are read when the module is loaded. */
export type Given = Pick<Host, 'flags' | 'settings' | 'events' | 'extensions'>

/** Reads what this build is given. Whatever its code throws from now on is reported. */
export async function readGiven(ref: BuildRef, build: ModuleBuild): Promise<Given> {
  watchThrown(ref)
  const [flags, settings, events] = await Promise.all([
    readFlags(build),
    readSettings(build),
    eventsOf(build),
  ])
  // The shell's own pages have nothing to extend.
  return { flags, settings, events, extensions }
}

/** The answer of a call, or null if it does not arrive in time. */
function inTime<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  const timeout = new Promise<null>((resolve) => setTimeout(resolve, timeoutMs, null))
  return Promise.race([asked.catch(() => null), timeout])
}

/** The switches of a module as this person has them. If they do not come, they are as its team has declared them. */
async function readFlags({ name, flags = [] }: ModuleBuild): Promise<Record<string, boolean>> {
  const declared = Object.fromEntries(flags.map(({ id, default: usual }) => [id, usual]))
  if (flags.length === 0) return declared
  const answer = await inTime(client.call(moduleFlags.own, { params: { module: name } }))
  return { ...declared, ...answer?.flags }
}

/** The settings of a module. If they do not come, they are as its team has declared them. */
async function readSettings({ name, settings = [] }: ModuleBuild): Promise<Host['settings']> {
  const declared = Object.fromEntries(settings.map((each) => [each.name, each.default]))
  if (settings.length === 0) return declared
  const answer = await inTime(client.call(moduleSettings.own, { params: { module: name } }))
  return { ...declared, ...answer?.settings }
}
