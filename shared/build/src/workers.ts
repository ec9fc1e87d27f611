import { type Rspack, rspack } from '@rsbuild/core'

/**
 * The federation plugin starts its runtime in a module's workers too, and there the shell's runtime does not exist. A
 * worker loads no remotes: it gets an empty runtime, so that its own code begins.
 */
const emptyRuntime = `{
  const none = new Proxy(function () {}, { get: (_, key) => (key === 'then' ? undefined : none), apply: () => none })
  globalThis._FEDERATION_RUNTIME_CORE ??= none
}`

/** Puts the empty runtime before the code of every worker of a module. */
export const workersWithoutFederation: Rspack.RspackPluginInstance = new rspack.BannerPlugin({
  raw: true,
  banner: ({ chunk, filename }) => (chunk.hasRuntime() && filename !== 'remoteEntry.js' ? emptyRuntime : ''),
})
