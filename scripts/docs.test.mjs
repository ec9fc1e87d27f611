import { expect, test } from 'vitest'
import { chaptersOf, readPages, slugOf } from './lib/site/pages.mjs'
import { referencePages } from './lib/site/reference.mjs'
import { rendererOf } from './lib/site/render.mjs'

test('a reader of the documentation meets no link that leads nowhere, nor to a heading that is gone', () => {
  const pages = readPages()
  const { render, faults } = rendererOf(pages)
  const html = pages.map(render)
  expect(faults).toEqual([])
  expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length)
  expect(html.filter((text) => !text.startsWith('<h1'))).toEqual([])
})

test('a newcomer reads four pages until her first module is live', () => {
  const guide = readPages().filter(({ source }) => source === 'docs/partners.md')
  const words = guide.flatMap(({ text }) => text.split(/\s+/))
  expect(guide.length).toBeGreaterThan(4)
  // A printed page with tables and code has about 450 words.
  expect(words.length).toBeLessThan(1800)
})

test('a link to a heading is found in its chapter, and a wrong one is named with its page', () => {
  const pages = [
    '# A\n\n[b](b.md#second) [own](#a)\n',
    '# B\n\n## Second\n',
    '# C\n\n[gone](b.md#third) [no](d.md)\n',
  ].map((text, at) => ({
    section: 'S',
    title: 'T',
    source: `docs/${'abc'[at]}.md`,
    path: `${'abc'[at]}.html`,
    text,
  }))
  const { render, faults } = rendererOf(pages)
  expect(pages.map(render).join('')).toContain('<a href="b.html#second">b</a> <a href="#a">own</a>')
  expect(faults).toEqual([
    'docs/c.md: b.md#third names a heading that docs/b.md does not have.',
    'docs/c.md: d.md leads nowhere.',
  ])
})

test('what looks like a heading inside of a block of code begins no chapter', () => {
  const text = '# A\n\n```sh\n## not one\n```\n\n## One\n'
  expect(chaptersOf(text)).toHaveLength(2)
  expect(slugOf('6. What a `module` can use')).toBe('6-what-a-module-can-use')
})

test('whoever reads the guide finds the declarations of what it names in the reference', async () => {
  const all = (await referencePages()).map(({ text }) => text).join('\n')
  for (const name of ['formatDate', 'formatNumber', 'queryOf', 'backendOf', 'recordsOf', 'whole'])
    expect(all).toMatch(new RegExp(`\\b(function|const) ${name}\\b`))
}, 60_000)
