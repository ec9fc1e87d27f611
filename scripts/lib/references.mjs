// Finds references to a rule, a decision record or a file that does not exist. `npm test` runs it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join, relative } from 'node:path'
import { root } from './paths.mjs'

/** @typedef {{ rules: Set<string>, pages: string[], decisions: Set<number> }} Known */

const textFiles = new Set(['.ts', '.tsx', '.mjs', '.js', '.css', '.sql', '.md', '.html'])
const skipped = new Set(['node_modules', 'dist', 'results', 'report', 'test-results', 'playwright-report'])
// These files contain examples of wrong references.
const examples = new Set(['scripts/lib/references.mjs', 'scripts/references.test.mjs'])

/** A file of ours in a document, such as `api/src/app.ts`. A partner's own files begin with other folders. */
const ourFile =
  /`((?:api|bench|deploy|docs|e2e|scripts|shared|shell|mfe-(?:cases|external|geo-schools|transfers|users))\/[\w./-]+\.\w+)`/g
/** A record says how things were when it was written. */
const isRecord = (/** @type {string} */ path) => path.startsWith('docs/decisions/')

/** References to documents that are not in the repository. */
const outside = [
  /\bdecisions? \d+\.\d+/i,
  /\bdecisions? section \d+/i,
  /\b(?:architecture|specification|style|stack|design) (?:section )?\d+(?:\.\d+)?/i,
  /\bsections? \d+/i,
  /\bthe specification\b/i,
  /\b(?:issues?|story|stories) #?\d+/i,
  /§ ?\d+/,
]

/** All rules and decision records, and the rules whose number is used twice. @param {string} folder @returns {Known & { twice: string[] }} */
export function readKnown(folder) {
  const rules = new Set()
  const pages = []
  const twice = []
  const files = readdirSync(join(folder, 'docs/rules')).filter((file) => file !== 'README.md')
  for (const file of files) {
    const page = `${file[0]?.toUpperCase()}${file.slice(1, -3)}`
    pages.push(page)
    const text = readFileSync(join(folder, 'docs/rules', file), 'utf8')
    for (const [, number] of text.matchAll(/^\*\*(\d+\.\d+)\*\*/gm)) {
      const name = `${page} ${number}`
      if (rules.has(name)) twice.push(`docs/rules/${file}: ${number} stands there twice.`)
      rules.add(name)
    }
  }
  const records = readdirSync(join(folder, 'docs/decisions'))
  return { rules, pages, twice, decisions: new Set(records.map((file) => Number(file.slice(0, 4)))) }
}

/**
 * One sentence for each wrong reference of a file.
 * @param {string} path @param {string} text @param {Known} known @param {(path: string) => boolean} exists @returns {string[]}
 */
export function wrongReferences(path, text, { rules, pages, decisions }, exists) {
  const rule = new RegExp(`\\b(?:${pages.join('|')}) \\d+\\.\\d+`, 'g')
  const faults = text.split('\n').flatMap((line, at) => {
    const here = `${path}:${at + 1}`
    const old = outside.flatMap((form) => form.exec(line)?.[0] ?? []).slice(0, 1)
    const unknown = [...line.matchAll(rule)].map(([name]) => name).filter((name) => !rules.has(name))
    const records = [...line.matchAll(/\bdecision (\d+)\b(?!\.\d)/gi)].filter(
      ([, n]) => !decisions.has(Number(n)),
    )
    return [
      ...old.map((found) => `${here}: "${found}" is no page of docs/rules.`),
      ...unknown.map((name) => `${here}: there is no rule ${name}.`),
      ...records.map(([found]) => `${here}: there is no record of ${found}.`),
    ]
  })
  if (extname(path) !== '.md') return faults
  if (!isRecord(path)) faults.push(...missingFiles(path, text, exists))
  const links = [...text.matchAll(/\]\(([^)#\s:]+)(?:#[^)]*)?\)/g)].map(([, target]) => target ?? '')
  const gone = links.filter((target) => !exists(join(dirname(path), target)))
  return [...faults, ...gone.map((target) => `${path}: the link to ${target} leads nowhere.`)]
}

/** @param {string} path @param {string} text @param {(path: string) => boolean} exists @returns {string[]} */
const missingFiles = (path, text, exists) =>
  text.split('\n').flatMap((line, at) =>
    [...line.matchAll(ourFile)]
      .map(([, file = '']) => file)
      .filter((file) => !file.includes('NNNN') && !exists(file))
      .map((file) => `${path}:${at + 1}: there is no ${file}.`),
  )

/** Every text file of ours below a folder, as paths from the root. @param {string} folder @returns {Generator<string>} */
function* textsBelow(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name.startsWith('.') || skipped.has(entry.name)) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* textsBelow(path)
    else if (entry.isFile() && textFiles.has(extname(entry.name))) yield relative(root, path)
  }
}

if (import.meta.main) {
  const known = readKnown(root)
  const faults = [...known.twice]
  for (const path of textsBelow(root)) {
    if (examples.has(path)) continue
    const text = readFileSync(join(root, path), 'utf8')
    faults.push(...wrongReferences(path, text, known, (target) => existsSync(join(root, target))))
  }
  for (const fault of faults) console.error(fault)
  if (faults.length) console.error('References to rules are written like "Money 4.2": docs/rules/README.md.')
  process.exitCode = faults.length ? 1 : 0
}
