import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Deprecation, deprecatedPage, deprecations } from '@portal/sdk/deprecations'
import type { Check } from './portal.ts'

/** The imports of one package with names in braces, which is how modules import the portal's. */
const imports = /^import\s+(type\s+)?\{([^}]*)\}\s+from\s+(['"])([^'"]+)\3;?/gm

/** Where an import stood of which nothing is left. */
const emptied = '\0'

type Name = { text: string; name: string }

const namesIn = (braces: string): Name[] =>
  braces
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
    .map((text) => ({ text, name: text.replace(/^type\s+/, '').split(/\s+as\s+/)[0] ?? text }))

const deprecated = (from: string, name: string): Deprecation | undefined =>
  deprecations.find((each) => each.from === from && each.name === name)

/** The deprecated names that a source imports. */
export const deprecatedIn = (source: string): Deprecation[] =>
  [...source.matchAll(imports)].flatMap(([, , braces = '', , from = '']) =>
    namesIn(braces).flatMap(({ name }) => deprecated(from, name) ?? []),
  )

/** The source with each deprecated name imported from where it is today. What the source calls it stays. */
export function upgraded(source: string): string {
  const moved = new Map<string, string[]>()
  const left = source.replace(imports, (all, type = '', braces: string, quote: string, from: string) => {
    const names = namesIn(braces)
    const going = names.filter(({ name }) => deprecated(from, name))
    if (!going.length) return all
    for (const { text, name } of going) {
      const to = deprecated(from, name)?.to ?? from
      const whole = type && !text.startsWith('type ') ? `type ${text}` : text
      moved.set(to, [...(moved.get(to) ?? []), whole])
    }
    const staying = names.filter((each) => !going.includes(each)).map(({ text }) => text)
    return staying.length ? `import ${type}{ ${staying.join(', ')} } from ${quote}${from}${quote}` : emptied
  })
  let made = left.replaceAll(`${emptied}\n`, '')
  for (const [to, names] of moved) made = withImport(made, to, names)
  return made
}

/** Adds names to the import of a package, or an import at the top. */
function withImport(source: string, from: string, names: string[]): string {
  let found = false
  const made = source.replace(imports, (all, type, braces: string, quote: string, package_: string) => {
    if (found || type || package_ !== from) return all
    found = true
    const known = namesIn(braces).map(({ text }) => text)
    const list = [...known, ...names.filter((each) => !known.includes(each))]
    return `import { ${list.join(', ')} } from ${quote}${from}${quote}`
  })
  return found ? made : `import { ${names.join(', ')} } from '${from}'\n${source}`
}

async function sourcesOf(dir: string): Promise<string[]> {
  const files = await readdir(join(dir, 'src'), { recursive: true })
  return files
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
    .map((file) => `src/${file}`)
    .sort()
}

/** Rewrites the sources of a module to what is not deprecated, and names the files. */
export async function upgradeModule(dir: string): Promise<string[]> {
  const changed: string[] = []
  for (const file of await sourcesOf(dir)) {
    const source = await readFile(join(dir, file), 'utf8')
    const made = upgraded(source)
    if (made === source) continue
    await writeFile(join(dir, file), made)
    changed.push(file)
  }
  return changed
}

/** What a module uses that goes with the next major: a warning, and never a closed gate. */
export async function checkDeprecated(dir: string, hasPages: boolean): Promise<Check> {
  const found = new Map<string, { files: string[]; what: Deprecation }>()
  for (const file of await sourcesOf(dir)) {
    for (const what of deprecatedIn(await readFile(join(dir, file), 'utf8')))
      found.set(what.name, { what, files: [...(found.get(what.name)?.files ?? []), file] })
  }
  const warnings = [...found].map(
    ([name, { what, files }]) =>
      `${name} of ${what.from} goes after ${what.until}: import it from ${what.to} (${files.join(', ')}). portal-module upgrade does it.`,
  )
  if (hasPages)
    warnings.push(`page of a route goes after ${deprecatedPage.until}: write ${deprecatedPage.instead}.`)
  return {
    gate: 'deprecated',
    ok: true,
    warns: warnings.length > 0,
    text: warnings.join('\n    ') || 'nothing that goes with the next major is used.',
  }
}
