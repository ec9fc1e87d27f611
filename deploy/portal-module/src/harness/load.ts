import { accessSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInThisContext } from 'node:vm'
import { createHost, type Loadable } from '@portal/sdk/federation'
import { federationName } from '@portal/sdk/registry'

/** A script, or the link of a style sheet. */
type Script = {
  src?: string
  href?: string
  onload?: (event: object) => void
  onerror?: (event: object) => void
}

const at = 'http://portal.invalid/'

/** Loads a built module as the shell does, with React and the facade of this process. Returns its default export. */
export async function loadBuilt(
  folder: string,
  record: Loadable,
  options: Pick<NonNullable<Parameters<typeof createHost>[0]>, 'own' | 'adapters'> = {},
) {
  const base = at + record.base.slice(1)
  const run = (file: string) => {
    const code = readFileSync(join(folder, file), 'utf8')
    Object.defineProperty(document, 'currentScript', {
      configurable: true,
      value: { tagName: 'SCRIPT', src: base + file },
    })
    runInThisContext(code, { filename: join(folder, file) })
  }
  // Chunks and style sheets of the module are read from disk. Everything else is appended to the page.
  const append = document.head.appendChild.bind(document.head)
  document.head.appendChild = ((node: Node) => {
    const script = node as unknown as Script
    const address = script.src || script.href
    if (!address?.startsWith(base)) return append(node)
    const file = address.slice(base.length)
    try {
      // Nothing is laid out here, so a style sheet only has to be there.
      if (script.href) accessSync(join(folder, file))
      else run(file)
      script.onload?.({ type: 'load', target: script })
    } catch (fault) {
      script.onerror?.({ type: 'error', target: script })
      throw fault
    }
    return node
  }) as typeof document.head.appendChild
  const entryFromDisk = {
    name: 'entry-from-disk',
    async loadEntry() {
      run(record.entry)
      return runInThisContext(record.remote?.name ?? federationName(record.name, record.build))
    },
  }
  return createHost({ ...options, plugins: [entryFromDisk] }).loadBuild({ ...record, base })
}
