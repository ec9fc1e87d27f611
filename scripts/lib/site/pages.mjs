// What the site of documentation consists of: the pages of docs/, the longest ones by their chapters.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from '../paths.mjs'

/**
 * A page of the site. `source` is its file from the root, `path` its address, `text` its Markdown.
 * @typedef {{ section: string, title: string, source: string, path: string, text: string }} SitePage
 */

/**
 * Sections in the order of the menu, each with its files in the order in which they are read; those of one pattern by their names.
 * What no section names fails. @type {[section: string, ...files: RegExp[]][]}
 */
const sections = [
  ['Tutorial', /^docs\/partners\.md$/, /^docs\/partners-life\.md$/],
  ['Recipes for partners', /^docs\/recipes\.md$/],
  ['For partners', /^docs\/(trust|comparison|partner-faults)\.md$/],
  ['Recipes of the portal', /^docs\/how-to\.md$/],
  [
    'Operating',
    /^docs\/operating\.md$/,
    /^docs\/operating\/systemd\.md$/,
    /^docs\/operating\/containers\.md$/,
    /^docs\/operating\/kubernetes\.md$/,
    /^docs\/operating\/several-servers\.md$/,
    /^docs\/operating\/stores\.md$/,
    /^docs\/operating\/backup\.md$/,
    /^docs\/operating\/watching\.md$/,
    /^docs\/operating\/upgrade\.md$/,
  ],
  ['For operators', /^docs\/(settings|single-sign-on|connectors|secrets|data-protection|growth)\.md$/],
  ['Runbook', /^docs\/runbook\//],
  ['Rules', /^docs\/rules\//],
  ['Background', /^docs\/(glossary|calls|states|threat-model|attacks|figures)\.md$/],
  ['Decisions', /^docs\/decisions\//],
]

/** Pages that are read by chapter. */
const inChapters = new Set(['docs/partners.md', 'docs/partners-life.md', 'docs/recipes.md', 'docs/how-to.md'])

/** The words of a heading without marks. @param {string} heading */
export const plain = (heading) =>
  heading
    .replace(/[`*]/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()

/** The id of a heading, as GitHub makes it. @param {string} heading */
export const slugOf = (heading) =>
  plain(heading)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .replace(/\s+/g, '-')

/** @param {string} text */
const titleOf = (text) => plain(/^# (.+)$/m.exec(text)?.[1] ?? '')

/** Chapters of a page: what stands before the first one, and one for each heading of the second level. @param {string} text */
export function chaptersOf(text) {
  const fenced = text.split(/^(```[\s\S]*?^```)$/m)
  const marked = fenced.map((part, at) => (at % 2 ? part : part.replace(/^## /gm, '\u0000## '))).join('')
  return marked.split('\u0000')
}

/** @param {string} source @param {string} section @param {string} text @returns {SitePage[]} */
function pagesOf(source, section, text) {
  const name = source
    .replace('docs/', '')
    .replace(/\.md$/, '')
    .replace(/README$/, 'index')
  if (!inChapters.has(source)) return [{ section, title: titleOf(text), source, path: `${name}.html`, text }]
  return chaptersOf(text).map((chapter, at) => {
    const heading = /^## (.+)$/m.exec(chapter)?.[1]
    const title = at === 0 ? titleOf(chapter) : plain(heading ?? '')
    const path = at === 0 ? `${name}/index.html` : `${name}/${slugOf(title)}.html`
    return { section, title, source, path, text: chapter.replace(/^## /, '# ') }
  })
}

/** Every page of docs/, in the order of the menu. @returns {SitePage[]} */
export function readPages() {
  const files = readdirSync(join(root, 'docs'), { recursive: true })
    .map((file) => `docs/${String(file).replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.md'))
    .sort(
      (a, b) => Number(basename(b) === 'README.md') - Number(basename(a) === 'README.md') || (a < b ? -1 : 1),
    )
  const unnamed = files.filter(
    (file) => !sections.some(([, ...named]) => named.some((pattern) => pattern.test(file))),
  )
  if (unnamed.length)
    throw new Error(`No section of the site has ${unnamed.join(', ')}: scripts/lib/site/pages.mjs.`)
  return sections.flatMap(([section, ...named]) =>
    named
      .flatMap((pattern) => files.filter((file) => pattern.test(file)))
      .flatMap((file) => pagesOf(file, section, readFileSync(join(root, file), 'utf8'))),
  )
}
