import { describe, expect, test } from 'vitest'
import { contractFor, entryFor, fittingBuild, hasRuntime, type Offer, oldestWithRuntime } from './majors.ts'

const build = (version: string, contract: string) => ({ version, contract, build: version, disabled: false })
const [first, second, third] = [
  build('1.4.0', '^1.3.0'),
  build('2.1.0', '^2.0.0'),
  build('3.0.0', '^3.0.0'),
] as const

describe('a portal that is offered builds for several majors', () => {
  const portals: [string, Offer, string | undefined][] = [
    ['of contract 1.3 runs the one for it', { contract: '1.3.0' }, '1.4.0'],
    ['of contract 2.0 runs the one for it', { contract: '2.0.0' }, '2.1.0'],
    ['that carries the major before prefers its own', { contract: '2.0.0', carries: ['1.9.0'] }, '2.1.0'],
    ['of a minor version before what was asked for runs none', { contract: '1.2.0' }, undefined],
    ['of a major that nobody built for runs none', { contract: '4.0.0' }, undefined],
    ['runs what it carries where there is nothing else', { contract: '4.0.0', carries: ['3.2.0'] }, '3.0.0'],
  ]
  test.each(portals)('%s', (_which, offer, version) => {
    expect(fittingBuild([third, first, second], offer)?.version).toBe(version)
  })

  test('says which of its contracts a range admits', () => {
    const offer = { contract: '2.0.0', carries: ['1.9.0'] }
    expect([
      contractFor('^1.3.0', offer),
      contractFor('^2.0.0', offer),
      contractFor('^2.1.0', offer),
    ]).toEqual([...['1.9.0', '2.0.0'], undefined])
  })
})

test('a module is built for every contract whose portals give the runtime, also those of majors to come', () => {
  expect(['^1.1.0', '^1.2.0', '^1.5.0', '^2.0.0'].map(hasRuntime)).toEqual([false, true, true, true])
  expect([oldestWithRuntime('1.5.0'), oldestWithRuntime('2.3.0')]).toEqual(['1.2.0', '2.0.0'])
})

describe('an open tab that hears of a module', () => {
  const entry = { ...second, beside: [first] }

  test('of the portal before takes the build that fits it, and keeps the other one beside it', () => {
    expect(entryFor(entry, { contract: '1.3.0' })).toEqual({
      ...first,
      beside: [{ version: '2.1.0', contract: '^2.0.0', build: '2.1.0' }],
    })
  })

  test('of the portal of today leaves the entry as it is', () => {
    expect(entryFor(entry, { contract: '2.0.0' })).toBe(entry)
  })

  test('for which nothing fits leaves it too, and says so when it is opened', () => {
    expect(entryFor(entry, { contract: '5.0.0' })).toBe(entry)
  })

  test('does not open a module that is out of use by another of its builds', () => {
    expect(entryFor({ ...entry, disabled: true }, { contract: '1.3.0' }).disabled).toBe(true)
  })
})
