import { describe, expect, test } from 'vitest'
import { addressOf, bestPath, generatePath, matchPath, partsOf } from './addresses.ts'

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

  test('is made of a path and its parameters', () => {
    expect(generatePath('/a/:id/b/:word', { id: 7, word: 'x/y' })).toBe('/a/7/b/x%2Fy')
  })

  test('falls into its parts and is put together from them', () => {
    expect(partsOf('/a?b=1#c')).toEqual({ pathname: '/a', search: '?b=1', hash: '#c' })
    expect(partsOf('?page=2')).toEqual({ pathname: '', search: '?page=2', hash: '' })
    expect(addressOf({ search: '?page=2' })).toBe('?page=2')
  })
})
