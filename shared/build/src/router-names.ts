import * as router from '@portal/sdk/router-dom'
import type { Rspack } from '@rsbuild/core'

const library = 'react-router-dom'
const given = Object.keys(router).sort()

/**
 * Holds what a module takes of the router against what the shell gives. Without it a name that is not shared would be
 * undefined in the page, and nobody would hear of it before somebody opens that page.
 */
export const routerNames: Rspack.RspackPluginInstance = {
  apply(compiler) {
    compiler.hooks.thisCompilation.tap('router-names', (compilation) => {
      compilation.hooks.finishModules.tap('router-names', (modules) => {
        const taken = [...modules].flatMap(namesTaken)
        const missing = [...new Set(taken)].filter((name) => !given.includes(name)).sort()
        if (missing.length)
          throw new Error(
            `The portal does not share ${missing.join(', ')} of ${library}. A module can import ${given.join(', ')}.`,
          )
      })
    })
  },
}

/** Names of the router in one file; `*` where it takes the whole and nobody can say which. */
function namesTaken({ dependencies }: Rspack.Module): string[] {
  return dependencies
    .filter(({ request, ids }) => request === library && ids)
    .map(({ ids }) => ids?.[0] ?? '*')
}
