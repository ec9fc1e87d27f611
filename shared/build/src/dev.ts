import { execFile } from 'node:child_process'
import { globSync, watch } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildAll } from './build-all.ts'
import { forgetSources, root } from './sources.ts'

/**
 * Builds what a change touches and publishes it locally; the gateway then tells open pages to load again. The whole
 * product as it is served otherwise, not a second one: warm, a module takes about a second.
 */
const ignored = /(^|\/)(node_modules|dist|test)\/|\.test\.tsx?$|\/locales\/[^/]+\.ts$|\.tmp$|\/\.[^/]+$/

/** Makes what was built live in the portal that runs here. */
const release = () =>
  promisify(execFile)(process.execPath, [join(root, 'deploy/registry/src/command.ts'), 'release'], {
    cwd: root,
  }).catch((fault: { stderr?: string }) => {
    throw new Error(fault.stderr)
  })

let running = false
let again = false

async function rebuild() {
  if (running) {
    again = true
    return
  }
  running = true
  do {
    again = false
    forgetSources()
    const started = performance.now()
    try {
      const built = await buildAll()
      await release()
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      if (built.length) console.log(`Published ${built.join(', ')} after ${seconds} s.`)
    } catch (fault) {
      console.error(fault instanceof Error ? fault.message : fault)
    }
  } while (again)
  running = false
}

let timer: NodeJS.Timeout | undefined
for (const folder of globSync(['shared/*', 'shell', 'mfe-*'], { cwd: root })) {
  watch(join(root, folder), { recursive: true }, (_event, name) => {
    if (!name || ignored.test(`/${name}`)) return
    clearTimeout(timer)
    timer = setTimeout(() => void rebuild(), 120)
  })
}
await rebuild()
console.log('Watching shell, modules and shared packages.')
