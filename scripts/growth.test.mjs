import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callsOf } from '../bench/growth/calls.ts'
import { nationOf } from '../bench/growth/size.ts'
import { unmeasured } from '../bench/growth/unmeasured.ts'
import { root } from './lib/paths.mjs'

/** @type {{ paths: Record<string, Record<string, { parameters?: { name: string }[] }>> }} */
const { paths } = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'))
const growing = Object.entries(paths).flatMap(([path, calls]) =>
  Object.entries(calls)
    .filter(([method, { parameters = [] }]) =>
      method === 'get'
        ? parameters.some(({ name }) => name === 'page' || name === 'search')
        : method === 'post' && path.endsWith('/export'),
    )
    .map(([method]) => `${method.toUpperCase()} ${path}`),
)

test('a reader of docs/growth.md misses no paged list, search or export but those that say why they are not measured', () => {
  const measured = callsOf(nationOf({ people: 1, money: 1, audits: 1 })).map(
    ({ path, body }) => `${body ? 'POST' : 'GET'} ${path.split('?')[0]}`,
  )
  const isMeasured = (/** @type {string} */ call) => {
    const pattern = new RegExp(`^${call.replace(/\{\w+\}/g, '[^/]+')}$`)
    return measured.some((each) => pattern.test(each))
  }
  expect(growing.length).toBeGreaterThan(50)
  expect(growing.filter((call) => !isMeasured(call) && !(call in unmeasured))).toEqual([])
  const known = growing.filter((call) => !isMeasured(call))
  expect(Object.keys(unmeasured).sort()).toEqual(known.sort())
})
