import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type RenamedField, renamedFields } from '@portal/sdk/deprecations'
import type { Check } from '../portal.ts'
import { movedNames } from './moved-names.ts'
import { renameFields } from './renamed-fields.ts'
import { readSource } from './source.ts'
import { sourcesOf } from './upgrade.ts'

/** A name or a field of the contract that a module uses, with the files that do. */
type Use = { until: string; what: string; instead: string; files: Set<string> }

const places: Record<RenamedField['of'], string> = {
  host: 'the host',
  route: 'a route',
  manifest: 'portal.module.json',
}

const does = 'portal-module upgrade does it.'

/**
 * What a module uses that goes with the next major: a warning, and never a closed gate. `hasPages`: the built module has a route
 * with `page`, wherever that stands in the sources.
 */
export async function checkDeprecated(dir: string, hasPages: boolean): Promise<Check> {
  const uses = new Map<object, Use>()
  const use = (row: { until: string }, what: string, instead: string, file?: string) => {
    const known = uses.get(row) ?? { until: row.until, what, instead, files: new Set() }
    if (file) known.files.add(file)
    uses.set(row, known)
  }
  for (const file of await sourcesOf(dir)) {
    const source = readSource(file, await readFile(join(dir, file), 'utf8'))
    for (const { what } of movedNames(source))
      use(what, `${what.name} of ${what.from}`, `import it from ${what.to}`, file)
    for (const row of renamedFields) {
      const one = { ...source, edits: [], did: [] }
      renameFields(one, [row])
      if (one.edits.length) use(row, `${row.name} of ${places[row.of]}`, `write ${row.instead}`, file)
    }
  }
  for (const row of renamedFields)
    if (hasPages && row.of === 'route' && row.name === 'page')
      use(row, `page of ${places.route}`, `write ${row.instead}`)
  const warnings = [...uses.values()].map(({ until, what, instead, files }) => {
    const where = files.size ? ` (${[...files].join(', ')})` : ''
    return `${what} goes after ${until}: ${instead}${where}. ${files.size ? does : ''}`.trim()
  })
  return {
    gate: 'deprecated',
    ok: true,
    warns: warnings.length > 0,
    text: warnings.join('\n    ') || 'nothing that goes with the next major is used.',
  }
}
