import { createInstance } from '@module-federation/enhanced/runtime'
import React from 'react'
import { expect, test } from 'vitest'
import type { Failure } from '../failures.ts'
import { judge } from './judge.ts'

const unreachable: Failure = { reason: 'unreachable', file: '/modules/mfe-x/' }

/** What the runtime itself says when a module asks the portal for this version of a library. */
async function refusalOf(library: string, requiredVersion: string): Promise<unknown> {
  const portal = createInstance({
    name: 'portal',
    remotes: [],
    shared: {
      react: {
        version: React.version,
        lib: () => React,
        shareConfig: { requiredVersion: `^${React.version}` },
      },
      '@portal/sdk': { version: '1.2.0', lib: () => ({}), shareConfig: { requiredVersion: '^1.2.0' } },
    },
  })
  const shareConfig = { singleton: true, strictVersion: true, requiredVersion }
  return portal.loadShare(library, { customShareInfo: { shareConfig } }).then(
    () => null,
    (fault: unknown) => fault,
  )
}

test('whoever opens a module made for another React reads which one it needs and which is here', async () => {
  expect(await judge(await refusalOf('react', '^18.2.0'), [], unreachable)).toEqual({
    ...{ reason: 'shared', library: 'react', needed: '^18.2.0', here: React.version },
  })
})

test('a module that needs a newer facade is one that needs a newer contract', async () => {
  expect(await judge(await refusalOf('@portal/sdk', '^1.9.0'), [], unreachable)).toEqual({
    ...{ reason: 'contract', needed: '^1.9.0' },
  })
})

test('a module of before, in a plain container, is judged by what its bundler said', async () => {
  const message = 'Unsatisfied version 19.3.0 from shell of shared singleton module react (required ^18.2.0)'
  expect(await judge(new Error(message), [], unreachable)).toEqual({
    ...{ reason: 'shared', library: 'react', needed: '^18.2.0', here: '19.3.0' },
  })
})

test('a module that asks for a library the portal does not give is refused by its name', async () => {
  const message = new Error('#RUNTIME-012 … args: {"shareKey":"left-pad"}')
  expect(await judge(message, [], unreachable)).toEqual({
    ...{ reason: 'shared', library: 'left-pad', needed: '', here: '' },
  })
})

test('a module that stops by itself has stopped, and no line is blamed for it', async () => {
  expect(await judge(new Error('It stops.'), [], unreachable)).toEqual({
    reason: 'threw',
    message: 'It stops.',
  })
})
