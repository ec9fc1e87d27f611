import { expect, test } from 'vitest'
import { root } from './lib/paths.mjs'
import { readKnown, wrongReferences } from './lib/references.mjs'

const known = { rules: new Set(['Money 4.2']), pages: ['Money', 'Cases'], decisions: new Set([12]) }
/** @param {string} text @param {string} [path] */
const faults = (text, path = 'a.ts') =>
  wrongReferences(path, text, known, (target) => target === 'docs/calls.md')

test('a reader finds every rule and record that a comment names', () => {
  expect(faults('// A second attempt needs a refusal (Money 4.2, decision 12).')).toEqual([])
  expect(readKnown(root).twice).toEqual([])
})

test('a reader gets the line of a reference to a rule or record that does not exist', () => {
  expect(faults('one\n// Money 9.9')).toEqual(['a.ts:2: there is no rule Money 9.9.'])
  expect(faults('// decision 13 says why')).toEqual(['a.ts:1: there is no record of decision 13.'])
})

test.each([
  'decisions 3.10',
  'decisions section 2',
  'architecture 3.4',
  'Section 7',
  'the specification',
  'issue 13',
  '§ 4',
])('a reference to a paper that a clone does not have is refused: %s', (old) =>
  expect(faults(`// See ${old}.`)).toEqual([`a.ts:1: "${old}" is no page of docs/rules.`]),
)

test('a reader gets the line of a link to a file that does not exist', () => {
  expect(faults('[calls](calls.md), [web](https://example.org)', 'docs/README.md')).toEqual([])
  expect(faults('[gone](gone.md#part)', 'docs/README.md')).toEqual([
    'docs/README.md: the link to gone.md leads nowhere.',
  ])
})

test('a reader gets the line of a path that a document names and that does not exist', () => {
  expect(faults('`docs/calls.md`, `src/notes.ts`, `api/migrations/NNNN_name.sql`', 'README.md')).toEqual([])
  expect(faults('See\n`docs/gone.md`.', 'README.md')).toEqual(['README.md:2: there is no docs/gone.md.'])
  expect(faults('`docs/gone.md`', 'docs/decisions/0012-a-record-of-then.md')).toEqual([])
})
