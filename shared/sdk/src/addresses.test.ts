import { describe, expect, test } from 'vitest'
import { bestPath, matchPath } from './addresses.ts'

describe('an address', () => {
  test.each([
    ['/admin/cohorts/:id', '/admin/cohorts/7', { id: '7' }],
    ['/admin/cohorts/:id', '/admin/cohorts/7/', { id: '7' }],
    ['/admin/cohorts/:id/rounds/:roundId', '/admin/cohorts/7/rounds/a%20b', { id: '7', roundId: 'a b' }],
    ['/admin/cohorts/:id', '/admin/cohorts/%E0%A4', { id: '%E0%A4' }],
    ['/admin/cohorts', '/admin/cohorts', {}],
    ['/admin/cohorts/:id', '/admin/cohorts', null],
    ['/admin/cohorts/:id', '/admin/cohorts/7/summary', null],
  ])('fits %s: %s', (path, pathname, params) => {
    expect(matchPath(path, pathname)).toEqual(params)
  })

  test('belongs to the literal path before one with parameters', () => {
    expect(bestPath(['/a/:id', '/a/list'], '/a/list')).toBe('/a/list')
    expect(bestPath(['/a/:id', '/a/list'], '/a/12')).toBe('/a/:id')
    expect(bestPath(['/a/:id', '/a/list'], '/b')).toBeUndefined()
  })
})
