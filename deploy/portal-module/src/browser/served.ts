import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ModuleBuild, RegistryModule } from '@portal/sdk/manifest'
import { fileIn } from './stage.ts'

/** The module's build: as it was published, or as it is served while somebody works on it. */
export type Served = { record: ModuleBuild; file: (name: string) => Buffer | null | undefined }

/** A finished build in a folder. */
export function servedFrom(folder: string): Served {
  const record = JSON.parse(readFileSync(join(folder, 'build.json'), 'utf8')) as ModuleBuild
  return { record, file: (name) => (name.endsWith('.map') ? null : fileIn(folder, name)) }
}

/** What an entry of the test portal says besides the build. */
export type Own = { isolated?: string; changes?: string; base?: string; integrity?: string }

/** What of a build's record the registry of a page has. */
export function entryOf({ record, file }: Served, own: Own = {}): RegistryModule & Own {
  const { entry: _, files: __, preloads: ___, shared: ____, words: _____, sources: ______, ...rest } = record
  const integrity = hashOf('sha384', String(file('build.json')))
  return { ...rest, integrity, previous: null, disabled: false, withheld: null, signature: null, ...own }
}

export const hashOf = (kind: 'sha256' | 'sha384', text: string) =>
  `${kind}-${createHash(kind).update(text).digest('base64')}`
