import { currentLocale } from '@portal/i18n/locale'
import type { ModuleBuild, RegistryModule } from '@portal/sdk/manifest'
import { preloadsFor } from '@portal/sdk/registry'
import { fetchTrusted, trustBuild } from './integrity.ts'

/** One build of a module: the registry's current one, or the one before. */
export type BuildRef = Pick<RegistryModule, 'name' | 'version' | 'build' | 'base' | 'integrity'>

const records = new Map<string, Promise<ModuleBuild>>()

/** What a build consists of; the registry's hash vouches for it, and it for the files it names. */
export function readBuild({ base, integrity }: BuildRef): Promise<ModuleBuild> {
  const held = records.get(base)
  if (held) return held
  const record = fetchTrusted(`${base}build.json`, integrity).then((answer) => answer.json())
  records.set(base, record)
  record.then(trustBuild, () => records.delete(base))
  return record
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
