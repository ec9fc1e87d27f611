import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './lib/paths.mjs'

const page = readFileSync(join(root, 'docs/attacks.md'), 'utf8')
const rows = [...page.matchAll(/^\| (\d+)\. .*?\| \[[\w.-]+\]\(\.\.\/([^)]+)\) \| (.+) \|$/gm)].map(
  ([, attack = '', file = '', title = '']) => ({ attack: Number(attack), file, title }),
)

test('a reader of docs/attacks.md finds the test of each of the 21 attacks under its title', () => {
  expect([...new Set(rows.map(({ attack }) => attack))]).toEqual([...Array(21).keys()].map((n) => n + 1))
  expect(rows).toHaveLength(page.split('\n').filter((line) => /^\| \d/.test(line)).length)
  const gone = rows.filter(({ file, title }) => !readFileSync(join(root, file), 'utf8').includes(title))
  expect(gone).toEqual([])
})
