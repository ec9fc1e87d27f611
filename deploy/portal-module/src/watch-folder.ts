import { watch } from 'node:fs'
import { join } from 'node:path'

const ignored =
  /(^|[/\\])(node_modules|dist|vendor)([/\\]|$)|[/\\]locales[/\\][^/\\]+\.ts$|(^|[/\\])\.|\.tmp$|~$/

/**
 * Watches a module and calls `act` after changes, debounced. The argument says whether `portal.module.json` or `package.json` is
 * among them. Calls never overlap. Returns a function that ends the watching.
 */
export function watchFolder(dir: string, act: (manifestChanged: boolean) => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined
  let running = false
  let again = false
  let manifestChanged = false
  const begin = async () => {
    if (running) {
      again = true
      return
    }
    running = true
    do {
      again = false
      const changed = manifestChanged
      manifestChanged = false
      await act(changed)
    } while (again)
    running = false
  }
  const watchers = ['src', 'portal.module.json', 'package.json'].map((name) =>
    watch(join(dir, name), { recursive: name === 'src' }, (_event, file) => {
      if (ignored.test(`${name}/${file ?? ''}`)) return
      manifestChanged ||= name !== 'src'
      clearTimeout(timer)
      timer = setTimeout(() => void begin(), 120)
    }),
  )
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}
