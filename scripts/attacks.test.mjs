import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './lib/paths.mjs'
import { chapters } from './lib/security.mjs'

/** Rows of a page: what happened, by number, with the file and the title of its test. @param {string} page */
const rowsOf = (page) =>
  [...page.matchAll(/^\| (\d+)\. .*?\| \[[\w./-]+\]\(\.\.\/([^)]+)\) \| (.+) \|$/gm)].map(
    ([, number = '', file = '', title = '']) => ({ number: Number(number), file, title }),
  )

test.each([
  ['30 attacks', 'docs/attacks.md', 30],
  ['13 faults', 'docs/partner-faults.md', 13],
])('a reader of the %s in %s finds the test of each under its title', (_what, file, last) => {
  const page = readFileSync(join(root, file), 'utf8')
  const rows = rowsOf(page)
  expect([...new Set(rows.map(({ number }) => number))]).toEqual([...Array(last).keys()].map((n) => n + 1))
  expect(rows).toHaveLength(page.split('\n').filter((line) => /^\| \d/.test(line)).length)
  const gone = rows.filter(({ file, title }) => !readFileSync(join(root, file), 'utf8').includes(title))
  expect(gone).toEqual([])
})

test('an operator who runs `npm run security` runs the test of every attack', () => {
  const counted = Object.values(chapters).flat()
  const rows = rowsOf(readFileSync(join(root, 'docs/attacks.md'), 'utf8'))
  expect(rows.filter(({ file }) => !counted.includes(file))).toEqual([])
  expect(new Set(counted).size).toBe(counted.length)
})
