import { rm } from 'node:fs/promises'
import type { RsbuildConfig, RsbuildInstance } from '@rsbuild/core'

type Built = Awaited<ReturnType<RsbuildInstance['build']>>

/**
 * Runs the bundler once. After a failed build its cache is removed: it keeps what could not be read or resolved, and the
 * next build would fail with it.
 */
export async function buildOnce(dir: string, rsbuildConfig: RsbuildConfig): Promise<Built> {
  const { createRsbuild } = await import('@rsbuild/core')
  const rsbuild = await createRsbuild({ cwd: dir, rsbuildConfig })
  let end = () => Promise.resolve()
  rsbuild.onAfterCreateCompiler(({ compiler }) => {
    end = () => new Promise((resolve) => compiler.close(() => resolve()))
  })
  try {
    return await rsbuild.build()
  } catch (fault) {
    // A compiler that is still open would write its cache again.
    await end()
    await forgetCache(rsbuildConfig)
    throw fault
  }
}

/** Removes what the bundler keeps from one build to the next. */
export async function forgetCache({ performance }: RsbuildConfig): Promise<void> {
  const cache = performance?.buildCache
  if (typeof cache === 'object' && cache.cacheDirectory)
    await rm(cache.cacheDirectory, { recursive: true, force: true })
}
