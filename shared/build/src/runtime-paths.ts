import { isAbsolute, relative, sep } from 'node:path'
import type { Rspack } from '@rsbuild/core'

const entry = '!=!data:text/javascript,'

/** The code of the federation's entry with every absolute path in it written from the module's folder. */
function withoutFolders(code: string, dir: string): string {
  return code.replace(/\bfrom ("(?:[^"\\]|\\.)*")/g, (all, quoted: string) => {
    const path = JSON.parse(quoted) as string
    if (!isAbsolute(path)) return all
    const from = relative(dir, path).split(sep).join('/')
    return `from ${JSON.stringify(from.startsWith('.') ? from : `./${from}`)}`
  })
}

/**
 * The federation plugin writes its entry as an address with all of its code, in which its libraries are named by absolute
 * paths. Ids of modules are hashes of their addresses, so that the same commit made other files in another folder.
 */
export const runtimePaths = (dir: string): Rspack.RspackPluginInstance => ({
  name: 'runtime-paths',
  apply(compiler: Rspack.Compiler) {
    compiler.hooks.normalModuleFactory.tap('runtime-paths', (factory) =>
      factory.hooks.beforeResolve.tap('runtime-paths', (data) => {
        const [loader, code] = data.request.split(entry)
        if (code === undefined) return
        data.request = `${loader}${entry}${encodeURIComponent(withoutFolders(decodeURIComponent(code), dir))}`
      }),
    )
  },
})
