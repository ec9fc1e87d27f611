import { currentLocale } from '@portal/i18n/locale'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { preloadsFor } from '@portal/sdk/registry'
import { ModuleFault } from './failures.ts'
import { fetchTrusted, trustBuild } from './integrity.ts'
import type { Entry } from './registry.ts'

/** One build of a module: the registry's current one, or the one before. */
export type BuildRef = Pick<Entry, 'name' | 'version' | 'build' | 'base' | 'integrity' | 'override'>

const records = new Map<string, Promise<ModuleBuild>>()

/** What a build consists of; the registry's hash vouches for it, and it for the files it names. */
export function readBuild({ base, integrity, override }: BuildRef): Promise<ModuleBuild> {
  const held = records.get(base)
  if (held) return held
  // What is being written changes by the minute: nobody could vouch for it beforehand.
  const record = fetchTrusted(`${base}build.json`, override ? undefined : integrity)
    .then((answer) => answer.json().catch(refuseRecord))
    // Where it was found is where its files are.
    .then((build: ModuleBuild) => ({ ...build, base }))
  records.set(base, record)
  record.then(trustBuild, () => records.delete(base))
  return record
}

function refuseRecord(): never {
  throw new ModuleFault({ reason: 'invalid' })
}

/** Begins fetching what an address is made of, all at once: its files ask for each other only after they have come. */
export function fetchEarly(build: ModuleBuild, pathname: string): void {
  for (const file of preloadsFor(build, pathname, currentLocale())) {
    const href = build.base + file
    if (document.head.querySelector(`link[href="${href}"]`)) continue
    const link = document.createElement('link')
    Object.assign(link, { rel: 'preload', as: 'script', href })
    document.head.appendChild(link)
  }
}
