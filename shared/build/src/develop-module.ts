import { rm } from 'node:fs/promises'
import { stripVTControlCharacters } from 'node:util'
import { compileWords } from '@portal/i18n/module-catalogs'
import type { ModuleBuild } from '@portal/sdk/manifest'
import type { Rspack } from '@rsbuild/core'
import { describeFiles, readManifest } from './registry.ts'
import { buildId, forgetSources } from './sources.ts'

/** A module as it is served while somebody works on it; `hash` is that of its code. */
export type Developed = { folder: string; record: ModuleBuild; hash: string }

type Handlers = {
  onBuilt: (built: Developed, ms: number) => Promise<void>
  /** A change that cannot be bundled, with file and line. What was served before stays. */
  onFault: (text: string) => void
}

/**
 * Bundles a module outside this repository again after each change of its sources, as long as it is not closed. Its name in
 * the page stays the same: the pages that have it take the changed files in place. `place` is one command's own.
 */
export async function developModule(
  dir: string,
  { place, ...handlers }: Handlers & { place: string },
): Promise<{ close: () => Promise<void> }> {
  await readManifest(dir)
  const faults = await compileWords(dir)
  if (faults.length) throw new Error(faults.join('\n'))
  forgetSources()
  const build = buildId(dir)
  const { createRsbuild } = await import('@rsbuild/core')
  const { developConfig, developFolder } = await import('./rsbuild.ts')
  const folder = developFolder(dir, place)
  await rm(folder, { recursive: true, force: true })
  const rsbuild = await createRsbuild({ cwd: dir, rsbuildConfig: developConfig(dir, place) })
  const compiler = (await rsbuild.createCompiler()) as Rspack.Compiler
  // One after the other, and the latest at the end.
  let queue = Promise.resolve()
  const take = async ({ fault, hash, ms }: Finished) => {
    if (fault) return handlers.onFault(fault)
    const record = await describeFiles(dir, { staged: folder, build })
    await handlers.onBuilt({ folder, record, hash }, ms)
  }
  const watching = await new Promise<Rspack.Watching | undefined>((resolve, reject) => {
    const begun = compiler.watch({ aggregateTimeout: 20 }, (fault, stats) => {
      if (fault || !stats) return reject(fault)
      // Read at once: the bundler uses the same object for the next time.
      const finished = readStats(stats)
      queue = queue.then(() => take(finished)).catch((each: Error) => handlers.onFault(each.message))
      void queue.then(() => resolve(begun))
    })
  })
  return {
    close: async () => {
      await new Promise<void>((resolve) => (watching ? watching.close(() => resolve()) : resolve()))
      await new Promise<void>((resolve) => compiler.close(() => resolve()))
    },
  }
}

type Finished = { fault: string | null; hash: string; ms: number }

const readStats = (stats: Rspack.Stats): Finished => ({
  fault: stats.hasErrors() ? faultIn(stats) : null,
  hash: stats.hash ?? '',
  ms: (stats.endTime ?? 0) - (stats.startTime ?? 0),
})

/** The first error of a bundle: its file and line, and what the bundler says of it with the code around. */
function faultIn(stats: Rspack.Stats): string {
  const [error] = stats.toJson({ all: false, errors: true }).errors ?? []
  const message = stripVTControlCharacters(error?.message ?? '')
  const [, place = error?.loc ?? ''] = /\[(\d+:\d+)\]/.exec(message) ?? []
  const file = [error?.moduleName?.replace('./', ''), place].filter(Boolean).join(':')
  return [file, message].filter(Boolean).join('\n')
}
