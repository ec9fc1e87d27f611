import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { CompatStatement, Identifier } from '@mdn/browser-compat-data'
import { parse, type Rule } from 'postcss'
import { compat, featuresIn, lackedBy } from './compat.ts'

const { properties = {}, selectors = {}, 'at-rules': atRules = {}, types = {} } = compat.css
/** Functions, units and the like, by name. */
const values = new Map(flat(types))

function flat(features: Identifier): [string, Identifier][] {
  return featuresIn(features).flatMap(([name, feature]) => [[name, feature], ...flat(feature)])
}

/** The styles of the latest build; its folders also have those of builds before. */
function stylesOf(dist: string): string[] {
  const read = (...path: string[]) => readFileSync(join(dist, ...path), 'utf8')
  const filesIn = (...path: string[]) => readdirSync(join(dist, ...path)).map((name) => join(...path, name))
  const { modules } = JSON.parse(read('modules.json')) as { modules: { base: string }[] }
  const pages = [...filesIn('shell'), ...filesIn('external')].filter((file) => file.endsWith('.html'))
  const named = pages.map((page) => read(page)).join()
  // What pages load later is named in a file beside them.
  const later = /hashes\.\w+\.json/.exec(named)?.[0] ?? ''
  const all = named + read('shell', 'assets', later)
  return [
    ...modules.flatMap(({ base }) => filesIn(base)),
    ...[...filesIn('shell', 'assets'), ...filesIn('external', 'assets')].filter((file) =>
      all.includes(basename(file)),
    ),
  ].filter((file) => file.endsWith('.css'))
}

/** What the styles of a build use that one of the promised browsers does not have, each with the styles that use it. */
export function lackedByStyles(dist: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  const see = (what: string, compatOf: CompatStatement | undefined, used: string) => {
    if (compatOf && lackedBy(compatOf).length > 0) found.set(what, (found.get(what) ?? new Set()).add(used))
  }
  for (const file of stylesOf(dist)) {
    const styles = parse(readFileSync(join(dist, file), 'utf8'))
    styles.walkDecls(({ prop, value, parent }) => {
      const property = properties[prop]
      const used = `${(parent as Rule).selector ?? ''} { ${prop}: ${value} }`
      see(prop, property?.__compat, used)
      for (const word of value.match(/[a-z][\w-]*/g) ?? []) {
        see(`${prop}: ${word}`, property?.[word]?.__compat, used)
        if (value.includes(`${word}(`)) see(`${word}()`, values.get(word)?.__compat, used)
      }
    })
    styles.walkRules(({ selector, parent }) => {
      for (const [, name = ''] of selector.matchAll(/::?([\w-]+)/g))
        see(`:${name}`, selectors[name]?.__compat, selector)
      if (parent?.type === 'rule') see('nesting', selectors.nesting?.__compat, selector)
    })
    styles.walkAtRules(({ name, params }) => {
      see(`@${name}`, atRules[name]?.__compat, params)
      for (const [, feature = ''] of params.matchAll(/\(([\w-]+)/g))
        see(`@${name} (${feature})`, atRules[name]?.[feature]?.__compat, params)
      if (/[<>]/.test(params)) see(`@${name} with < or >`, atRules.media?.range_syntax?.__compat, params)
    })
  }
  return found
}
