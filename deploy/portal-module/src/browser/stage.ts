import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { RegistryModule } from '@portal/sdk/manifest'
import { Refusal } from '../refusal.ts'

type Headers = Record<string, string>

/** What `stage.json` of the package `@portal/stage` says. */
export type StageContents = {
  /** The portal's own modules whose pages have tabs of others. */
  modules: RegistryModule[]
  /** The gateway's headers, with stand-ins for the addresses and the build. */
  headers: Record<'page' | 'frame' | 'developedFrame' | 'file' | 'moduleFile' | 'framesFile', Headers>
}

/** The portal's built pages and files, as they are live. */
export type Stage = StageContents & { folder: string }

/** The package `@portal/stage` of a module. */
export function findStage(dir: string): Stage {
  let manifest: string
  try {
    manifest = createRequire(join(dir, 'package.json')).resolve('@portal/stage/package.json')
  } catch {
    throw new Refusal(
      'The test portal is missing: get portal-stage-….tgz with the other packages (npm run sdk:pack -- --to vendor in the clone of the portal), then npm install --save-dev ./vendor/portal-stage-….tgz.',
    )
  }
  const folder = dirname(manifest)
  return { folder, ...(JSON.parse(readFileSync(join(folder, 'stage.json'), 'utf8')) as StageContents) }
}

/** Headers for a page of this portal. */
export function headersAt(
  headers: Headers,
  at: {
    portal: string
    frames: string
    name?: string
    build?: string
    images?: string[]
    filesAt?: string | undefined
  },
): Headers {
  const { portal, frames, name = '', build = '', images = [], filesAt = '' } = at
  const filled = Object.entries(headers).map(([key, value]) => [
    key,
    value
      .replaceAll('http://portal.invalid', portal)
      .replaceAll('http://frames.invalid', frames)
      .replaceAll('/NAME/BUILD/', `/${name}/${build}/`)
      .replaceAll('http://machine.invalid/', filesAt)
      .replace(' https://images.invalid', images.map((image) => ` ${image}`).join('')),
  ])
  return Object.fromEntries(filled)
}

/** A file below a folder, or null. */
export function fileIn(folder: string, path: string): Buffer | null {
  if (path.includes('..') || path.includes('\\')) return null
  const file = join(folder, path)
  return existsSync(file) ? readFileSync(file) : null
}
