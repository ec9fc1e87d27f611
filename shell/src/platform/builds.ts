import { currentLocale } from '@portal/i18n/locale'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { preloadsFor } from '@portal/sdk/registry'
import { type Failure, ModuleFault } from './failures.ts'
import { fetchTrusted, trustBuild } from './integrity.ts'
import type { Entry } from './registry.ts'

/** One build of a module: the registry's current one, or the one before. */
export type BuildRef = Pick<
  Entry,
  | 'name'
  | 'version'
  | 'build'
  | 'base'
  | 'integrity'
  | 'override'
  | 'changes'
  | 'events'
  | 'listens'
  | 'images'
>

/** What became of an attempt; `ref` is the build that was tried, `reference` what to quote. */
export type Failed = { failure: Failure; reference: string; ref: BuildRef }

const records = new Map<string, Promise<ModuleBuild>>()

/** The parsed `build.json` of a build: its own hash is in the registry, and it has the hashes of the files. */
export function readBuild({ base, integrity, override }: BuildRef): Promise<ModuleBuild> {
  const known = records.get(base)
  if (known) return known
  // A module from a developer's machine changes all the time, so no hash of it is known.
  const record = fetchTrusted(`${base}build.json`, override ? undefined : integrity)
    .then((answer) => answer.json().catch(refuseRecord))
    // The files are beside `build.json`, whatever address it names.
    .then((build: ModuleBuild) => ({ ...build, base }))
  records.set(base, record)
  record.then(trustBuild, () => records.delete(base))
  return record
}

function refuseRecord(): never {
  throw new ModuleFault({ reason: 'invalid' })
}

/** Prefetches all files of an address at once; otherwise each would be requested only after the one before has run. */
export function fetchEarly(build: ModuleBuild, pathname: string): void {
  for (const file of preloadsFor(build, pathname, currentLocale())) {
    const href = build.base + file
    if (document.head.querySelector(`link[href="${href}"]`)) continue
    const link = document.createElement('link')
    Object.assign(link, { rel: 'preload', as: file.endsWith('.css') ? 'style' : 'script', href })
    document.head.appendChild(link)
  }
}
