// Makes the site of documentation from docs/ and the sources: npm run docs:site [-- --to <folder>]. It is a folder of files that any web
// server can send, and that can be opened from a disk. Nothing is fetched from a network, neither now nor by its readers.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { compileSharedWords } from '../deploy/portal-module/packing/words.ts'
import { pageFiles } from '../deploy/portal-module/src/page-files.ts'
import { root } from './lib/paths.mjs'
import { main, Sentence, say } from './lib/say.mjs'
import { layOut } from './lib/site/layout.mjs'
import { readPages } from './lib/site/pages.mjs'
import { referencePages } from './lib/site/reference.mjs'
import { rendererOf } from './lib/site/render.mjs'

const { values } = parseArgs({ options: { to: { type: 'string' } } })
const to = resolve(process.env.INIT_CWD ?? '.', values.to ?? join(root, 'dist/docs'))

/** @param {string} path @param {string | Buffer} content */
function write(path, content) {
  mkdirSync(dirname(join(to, path)), { recursive: true })
  writeFileSync(join(to, path), content)
}

const own = (/** @type {string} */ name) => readFileSync(join(root, 'scripts/lib/site', name), 'utf8')

/** The first page: where to begin, for each kind of reader. */
const first = {
  ...{ section: 'Start', title: 'Documentation of the portal', source: 'docs/index.md', path: 'index.html' },
  text: `# Documentation of the portal

- You build a module: [the tutorial](partners.md), then [the recipes](recipes.md) and the types under *Reference*.
- You want to see the pieces that pages are made of: <a href="gallery/index.html">the gallery</a>, each with its code.
- You change the portal itself: [its recipes](how-to.md), [the rules](rules/README.md) and [the decisions](decisions/).
- You operate a portal: [operating](operating.md) and the pages that follow it, [settings](settings.md) and [the runbook](runbook/README.md).
- You decide whom to trust: [trust](trust.md), [the threat model](threat-model.md) and [the comparison](comparison.md).
`,
}

await main(async () => {
  const pages = [first, ...readPages()]
  const tutorial = pages.findLastIndex(({ section }) => section === 'For partners') + 1
  pages.splice(tutorial, 0, ...(await referencePages()))
  const { render, faults } = rendererOf(pages)
  rmSync(to, { recursive: true, force: true })
  for (const page of pages) write(page.path, layOut(pages, page, render(page)))
  if (faults.length) throw new Sentence(faults.join('\n'))
  const index = pages.map(({ title, section, path, text }) => ({
    title,
    section,
    path,
    text: text.toLowerCase(),
  }))
  write('search.js', `window.docsIndex = ${JSON.stringify(index)}\n`)
  write('site.css', readFileSync(join(root, 'shared/ui/src/tokens.css'), 'utf8') + own('site.css'))
  for (const name of ['site.js', 'theme.js']) write(name, own(name))
  for (const name of ['openapi.json', 'portal.png']) cpSync(join(root, 'docs', name), join(to, name))
  await compileSharedWords()
  for (const [path, content] of await pageFiles('gallery', join(root, 'deploy/portal-module'), './'))
    write(`gallery${path}`, content)
  say(`${pages.length} pages and the gallery are in ${to}.`)
})
