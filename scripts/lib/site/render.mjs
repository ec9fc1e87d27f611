// Markdown as HTML, with links that lead to pages of the site.
import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { Marked } from 'marked'
import { root } from '../paths.mjs'
import { plain, slugOf } from './pages.mjs'

/** @typedef {import('./pages.mjs').SitePage} SitePage */

/** @param {string} text */
export const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Files of docs/ that are no pages and lie beside them. */
const files = /^docs\/[\w-]+\.(json|png)$/

/** Ids that a link may name: of headings and of anchors. @param {string} text */
const idsOf = (text) => [
  ...[...text.matchAll(/^#{1,4} (.+)$/gm)].map(([, heading = '']) => slugOf(heading)),
  ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id),
]

/** Makes the renderer of a set of pages. Links that lead nowhere are collected in `faults`. @param {SitePage[]} pages */
export function rendererOf(pages) {
  /** @type {string[]} */
  const faults = []
  const ids = new Map(pages.map((page) => [page, new Set(idsOf(page.text))]))

  /** The address of a link from a page; null for a file of the repository that is not on the site. @param {SitePage} page @param {string} href */
  function addressOf(page, href) {
    if (/^(https?|mailto):/.test(href)) return href
    const [target = '', hash = ''] = href.split('#')
    const source = target
      ? join(dirname(page.source), target).replaceAll('\\', '/').replace(/\/$/, '')
      : page.source
    const named = [source, `${source}/README.md`]
    const all = pages.filter((each) => named.includes(each.source))
    const found = hash ? all.find((each) => ids.get(each)?.has(hash)) : all[0]
    const inFolder = found ?? pages.find((each) => !hash && each.source.startsWith(`${source}/`))
    if (inFolder) {
      const path = relative(dirname(page.path), inFolder.path) || inFolder.path.split('/').at(-1)
      return inFolder === page && hash ? `#${hash}` : `${path}${hash && `#${hash}`}`
    }
    if (files.test(source)) return relative(dirname(page.path), source.replace('docs/', ''))
    if (all.length) faults.push(`${page.source}: ${href} names a heading that ${source} does not have.`)
    else if (!existsSync(join(root, source))) faults.push(`${page.source}: ${href} leads nowhere.`)
    return null
  }

  /** @param {SitePage} page @returns {string} */
  function render(page) {
    const marked = new Marked({ gfm: true })
    marked.use({
      renderer: {
        heading({ depth, text, tokens }) {
          const id = slugOf(text)
          const link =
            depth > 1 ? ` <a class="anchor" href="#${id}" aria-label="${escaped(plain(text))}">#</a>` : ''
          return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}${link}</h${depth}>\n`
        },
        link({ href, tokens }) {
          const inside = this.parser.parseInline(tokens)
          const address = addressOf(page, href)
          return address === null
            ? `<span class="file">${inside}</span>`
            : `<a href="${escaped(address)}">${inside}</a>`
        },
        image({ href, text }) {
          return `<img src="${escaped(addressOf(page, href) ?? '')}" alt="${escaped(text)}">`
        },
        code({ text, lang }) {
          // Who uses a keyboard scrolls it; the label says what it is.
          const label = lang ? ` (${escaped(lang.split(' ')[0] ?? '')})` : ''
          return `<pre tabindex="0" role="region" aria-label="Code${label}"><code translate="no">${escaped(text)}</code></pre>\n`
        },
        table(token) {
          const cell = (/** @type {{ tokens: any[] }} */ { tokens }, /** @type {string} */ tag) =>
            `<${tag}${tag === 'th' ? ' scope="col"' : ''}>${this.parser.parseInline(tokens)}</${tag}>`
          const rows = token.rows
            .map((row) => `<tr>${row.map((each) => cell(each, 'td')).join('')}</tr>`)
            .join('')
          const named = token.header.some(({ text }) => text.trim() !== '')
          // A table without words at its head is a list of pairs.
          const head = named
            ? `<thead><tr>${token.header.map((each) => cell(each, each.text.trim() ? 'th' : 'td')).join('')}</tr></thead>`
            : ''
          return `<div class="table" tabindex="0" role="region" aria-label="Table"><table>${head}<tbody>${rows}</tbody></table></div>\n`
        },
      },
    })
    return /** @type {string} */ (marked.parse(page.text, { async: false }))
  }

  return { render, faults }
}
