import { watch } from 'node:fs'
import { join } from 'node:path'

const ignored =
  /(^|[/\\])(node_modules|dist|vendor)([/\\]|$)|[/\\]locales[/\\][^/\\]+\.ts$|(^|[/\\])\.|\.tmp$|~$/

/**
 * Watches the sources of a module and calls `act` after changes, debounced, with whether the manifest is among them. Calls
 * never overlap. Returns a function that ends it.
 */
export function watchFolder(dir: string, act: (isOther: boolean) => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined
  let running = false
  let again = false
  let isOther = false
  const begin = async () => {
    if (running) {
      again = true
      return
    }
    running = true
    do {
      again = false
      const other = isOther
      isOther = false
      await act(other)
    } while (again)
    running = false
  }
  const watchers = ['src', 'portal.module.json', 'package.json'].map((name) =>
    watch(join(dir, name), { recursive: name === 'src' }, (_event, file) => {
      if (ignored.test(`${name}/${file ?? ''}`)) return
      isOther ||= name !== 'src'
      clearTimeout(timer)
      timer = setTimeout(() => void begin(), 120)
    }),
  )
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}
