import type { Rspack } from '@rsbuild/core'

/**
 * What the bundler's loader for React Fast Refresh adds to a file, where the page can refresh components. Elsewhere a
 * component does not accept its own change, so that it reaches `module.ts`.
 */
const added = `
function $RefreshSig$() { return $ReactRefreshRuntime$.createSignatureFunctionForTransform() }
function $RefreshReg$(type, id) { $ReactRefreshRuntime$.register(type, __webpack_module__.id + '_' + id) }
if (globalThis.portalDevelopment?.refreshes)
  Promise.resolve().then(() => $ReactRefreshRuntime$.refresh(__webpack_module__.id, __webpack_module__.hot))
`

/** Adds the runtime of React Fast Refresh to a source. */
export default function refreshLoader(
  this: Rspack.LoaderContext,
  source: string,
  map: Parameters<Rspack.LoaderContext['callback']>[2],
): void {
  this.callback(null, source + added, map)
}
