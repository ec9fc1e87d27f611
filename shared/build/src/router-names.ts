import * as router from '@portal/sdk/router-dom'
import type { Rspack } from '@rsbuild/core'

const library = 'react-router-dom'
const given = Object.keys(router).sort()

/**
 * Fails the build if a module imports a name of the router that the shell does not share. Otherwise that name would be undefined
 * in the page, and nobody would notice before somebody opens that page.
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

/** The names that a file imports of the router; `*` if it imports the whole namespace. */
function namesTaken({ dependencies }: Rspack.Module): string[] {
  return dependencies
    .filter(({ request, ids }) => request === library && ids)
    .map(({ ids }) => ids?.[0] ?? '*')
}
