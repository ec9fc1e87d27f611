import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { auditEvents, auditTypes } from '@portal/contracts/audit'
import { commonFieldWords } from '@portal/contracts/audit/common-fields'
import { auditWords } from '@portal/contracts/audit/fields'
import { expect, test } from 'vitest'
import { nouns, sentences } from '../../src/access/audit.messages.ts'

test('an auditor reads every event and type in her language', () => {
  const written = sources().flatMap((text) => [
    ...text.matchAll(/\baudit\(\s*\w+,\s*(?:\{[^}]*\}|\w+),\s*'([\w -]+)',\s*'([\w -]+)'/g),
  ])
  expect(written.length).toBeGreaterThan(20)
  const unknown = written.filter(
    ([, event = '', type = '']) =>
      !auditEvents[event] || !auditTypes[type] || !sentences[event] || !nouns[type],
  )
  expect(Object.keys(auditEvents).filter((event) => !sentences[event])).toEqual([])
  expect(Object.keys(auditTypes).filter((type) => !nouns[type])).toEqual([])
  expect(unknown.map(([, event, type]) => `${event} ${type}`)).toEqual([])
})

test('an auditor reads in her language what every field of an entry is called', () => {
  const written = sources().flatMap((text) =>
    [...text.matchAll(/\baudit(?:Read)?\(/g)].flatMap(({ index }) => fieldsOf(text.slice(index))),
  )
  expect(new Set(written).size).toBeGreaterThan(60)
  const named = new Set([...Object.keys(commonFieldWords), ...Object.values(auditWords).flatMap(Object.keys)])
  expect([...new Set(written)].filter((field) => !named.has(field))).toEqual([])
})

function sources(): string[] {
  const folder = join(import.meta.dirname, '../../src')
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.endsWith('.ts'))
  return files.map((name) => readFileSync(join(folder, name), 'utf8'))
}

/** The fields that stand in `old` and `new` of the call at the beginning of a text. Spread objects are not followed. */
function fieldsOf(text: string): string[] {
  let depth = 0
  const end = [...text].findIndex((sign) => {
    if (sign === '(') depth += 1
    return sign === ')' && --depth === 0
  })
  const values = [...text.slice(0, end).matchAll(/\b(?:old|new): [^\n{]*\{([^{}]*)/g)].map(
    ([, inside = '']) => inside,
  )
  return values.flatMap((inside) =>
    inside.split(',').flatMap((part) => /^\s*(\w+)\s*(?::|$)/.exec(part)?.[1] ?? []),
  )
}
