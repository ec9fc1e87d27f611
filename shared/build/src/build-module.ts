import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compileWords, translatedWords } from '@portal/i18n/module-catalogs'
import { ModuleBuild } from '@portal/sdk/manifest'
import * as v from 'valibot'
import { sourcesOf } from './contents.ts'
import { lockFolder } from './files.ts'
import { describeModule, placeModule, readManifest } from './registry.ts'
import { buildId, cacheFolder, forgetSources, isUnchanged } from './sources.ts'

/** A built module: the folder of its files, and its `build.json`. */
export type BuiltModule = { folder: string; record: ModuleBuild; fresh: boolean }

/** The build that lies in a folder; null when there is none. */
async function recordIn(folder: string): Promise<ModuleBuild | null> {
  const file = join(folder, 'build.json')
  if (!existsSync(file)) return null
  const record = v.safeParse(ModuleBuild, JSON.parse(await readFile(file, 'utf8')))
  return record.success ? record.output : null
}

/**
 * Builds a module outside this repository into its own `dist/`, unless that is what lies there already. A fault leaves the
 * build before in its place.
 */
export async function buildModule(dir: string): Promise<BuiltModule> {
  const folder = join(dir, 'dist')
  const release = await lockFolder(cacheFolder(dir))
  try {
    await readManifest(dir)
    const faults = await compileWords(dir)
    if (faults.length) throw new Error(faults.join('\n'))
    for (let attempt = 1; ; attempt += 1) {
      forgetSources()
      const build = buildId(dir)
      const previous = await recordIn(folder)
      if (previous?.build === build) return { folder, record: previous, fresh: false }
      const record = await bundle(dir, build, folder)
      if (record) return { folder, record, fresh: true }
      if (attempt === 3) throw new Error('The sources changed while they were built. Build again.')
    }
  } finally {
    await release()
  }
}

async function bundle(dir: string, build: string, folder: string): Promise<ModuleBuild | null> {
  const { buildOnce, forgetCache } = await import('./build-once.ts')
  const { moduleConfig, stagingFolder } = await import('./rsbuild.ts')
  const config = moduleConfig(dir)
  const { stats, close } = await buildOnce(dir, config)
  const sources = sourcesOf(dir, stats)
  await close()
  if (!isUnchanged(dir)) {
    // The bundler may have read a file before it was saved: what it kept of it must not come back.
    await forgetCache(config)
    return null
  }
  const staged = stagingFolder(dir)
  const words = await translatedWords(dir)
  const record = await describeModule(dir, { staged, build, sources, words })
  await placeModule(staged, folder)
  return record
}
