import { describe, expect, test } from 'vitest'
import { foundIn, sourcesOf } from './search-sources.ts'

const title = { en: 'Visits', fr: 'Visites' }
const source = {
  ...{ id: 'visits', title, icon: 'person', permission: 'health.view' },
  ...{ call: '/admin/health/list', rows: 'visits', label: '{name.first}', note: '{day|date}' },
  link: ['/admin/health/{code}', '/admin/health?search={name.first}+{name.last}'],
} satisfies Parameters<typeof foundIn>[0]
const answerOf = (...data: unknown[]) => ({ visits: { data } })

describe('what a module’s list has found', () => {
  test('is told and led to as its manifest says, with values encoded', () => {
    const row = { code: 'A/7 &', name: { first: 'Awa', last: 'Keïta' }, day: '2026-03-01' }
    expect(foundIn(source, answerOf(row))).toEqual([
      { href: '/admin/health/A%2F7%20%26', label: 'Awa', note: '01/03/2026', icon: 'user' },
    ])
  })

  test('leads elsewhere where the row lacks a field, or has a way up in it', () => {
    const name = { first: 'Awa', last: 'Keïta' }
    const hrefs = foundIn(source, answerOf({ name }, { name, code: '..' }, { name, code: '' }))
    expect(hrefs.map(({ href }) => href)).toEqual(Array(3).fill('/admin/health?search=Awa+Ke%C3%AFta'))
  })

  test('is left out where a row has no name, or is none', () => {
    const odd = [
      null,
      'Awa',
      { code: 7 },
      { code: 7, name: { first: { en: 'Awa' } } },
      { code: 7, name: 'Awa' },
    ]
    expect(foundIn(source, answerOf(...odd))).toEqual([])
  })

  test('is at most five rows, however many a list answers', () => {
    const rows = Array.from({ length: 9 }, (_, code) => ({ code, name: { first: 'Awa' } }))
    expect(foundIn(source, answerOf(...rows))).toHaveLength(5)
  })

  test.each([[null], [{}], [{ visits: [] }], [{ visits: { data: 'none' } }]])(
    'is a failure where %j comes',
    (answer) => {
      expect(() => foundIn(source, answer)).toThrow('no page of rows in visits')
    },
  )
})

describe('the lists that a person may search', () => {
  const entry = (name: string, order: number, change: object = {}) => ({
    ...{ name, withheld: null, disabled: false, permission: undefined, search: [source] },
    nav: [{ path: '/a/b', label: title, icon: 'modules' as const, order, children: [] }],
    ...change,
  })
  const keys = (permissions: string[], ...modules: ReturnType<typeof entry>[]) =>
    sourcesOf({ modules }, permissions).map(({ key }) => key)

  test('come in the order of the menu', () => {
    expect(keys(['health.view'], entry('mfe-b', 20), entry('mfe-a', 30), entry('mfe-c', 10))).toEqual([
      'mfe-c visits',
      'mfe-b visits',
      'mfe-a visits',
    ])
  })

  test('are those of modules that run and that she may open', () => {
    const modules = [
      entry('mfe-a', 1, { disabled: true }),
      entry('mfe-b', 2, { withheld: 'revoked' }),
      entry('mfe-c', 3, { permission: 'users.view' }),
      entry('mfe-d', 4),
      entry('mfe-e', 5, { search: undefined }),
    ]
    expect(keys(['health.view'], ...modules)).toEqual(['mfe-d visits'])
    expect(keys([], ...modules)).toEqual([])
  })
})
