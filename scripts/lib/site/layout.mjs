// The frame around each page of the site: menu, search, theme, and the way to the pages before and after.
import { dirname, relative } from 'node:path'
import { escaped } from './render.mjs'

/** @typedef {import('./pages.mjs').SitePage} SitePage */

/** Sections with so many pages are closed in the menu until somebody is in them. */
const manyPages = 12

/** @param {SitePage} page @param {string} to */
const from = (page, to) => relative(dirname(page.path), to) || to.split('/').at(-1) || ''

/** @param {SitePage[]} pages @param {SitePage} page */
function menu(pages, page) {
  const sections = [...new Set(pages.map(({ section }) => section))]
  return sections
    .map((section) => {
      const own = pages.filter((each) => each.section === section)
      const items = own.map((each) => {
        const current = each === page ? ' aria-current="page"' : ''
        return `<li><a href="${from(page, each.path)}"${current}>${escaped(each.title)}</a></li>`
      })
      const open = page.section === section || own.length < manyPages ? ' open' : ''
      return `<details${open}><summary>${section}</summary><ul>${items.join('')}</ul></details>`
    })
    .join('')
}

/** @param {SitePage[]} pages @param {SitePage} page */
function neighbours(pages, page) {
  const at = pages.indexOf(page)
  const [before, after] = [pages[at - 1], pages[at + 1]]
  const link = (/** @type {SitePage} */ to, /** @type {string} */ words) =>
    `<a href="${from(page, to.path)}"><span>${words}</span> ${escaped(to.title)}</a>`
  return `<nav class="neighbours" aria-label="Pages before and after">${before ? link(before, 'Before:') : ''}${after ? link(after, 'Next:') : ''}</nav>`
}

/** A whole page. @param {SitePage[]} pages @param {SitePage} page @param {string} content */
export function layOut(pages, page, content) {
  const asset = (/** @type {string} */ name) => from(page, name)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(page.title)} · Portal</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${asset('site.css')}">
<script src="${asset('theme.js')}"></script>
<script defer src="${asset('site.js')}" data-root="${asset('index.html').replace(/index\.html$/, '')}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the page</a>
<header>
<a class="brand" href="${asset('index.html')}">Portal: documentation</a>
<form role="search"><input type="search" aria-label="Search the documentation" placeholder="Search" autocomplete="off"></form>
<button type="button" class="theme">Dark</button>
</header>
<section class="found" aria-label="Search results" hidden><p role="status"></p><ol></ol></section>
<div class="columns">
<details class="menu" open><summary>All pages</summary><nav aria-label="All pages">${menu(pages, page)}</nav></details>
<main id="content">
${content}
${neighbours(pages, page)}
</main>
</div>
</body>
</html>
`
}
