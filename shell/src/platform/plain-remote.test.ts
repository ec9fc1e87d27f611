import type { ModuleBuild } from '@portal/sdk/manifest'
import { memo } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Entry } from './registry.ts'

const integrity = `sha384-${'A'.repeat(64)}`
const remote: ModuleBuild['remote'] = { name: 'weather', expose: './Report' }
const entry: Entry = {
  ...{ name: 'mfe-weather', title: { en: 'Rain', fr: 'Pluie' }, version: '2.0.0', build: 'bbbbbbbbbbbb' },
  ...{ owner: { name: 'Weather team', contact: 'rain@partner.example' }, contract: '^1.2.0', nav: [] },
  ...{ routes: ['/admin/weather'], base: '/modules/mfe-weather/bbbbbbbbbbbb/', integrity, remote },
  ...{ previous: { version: '1.0.0', build: 'aaaaaaaaaaaa', integrity }, withheld: null },
}

/** What a document that was just loaded runs. */
async function loadDocument() {
  vi.resetModules()
  return import('./plain-remote.ts')
}

beforeEach(() => void vi.spyOn(window.location, 'reload').mockImplementation(() => {}))
afterEach(() => {
  vi.restoreAllMocks()
  sessionStorage.clear()
})

test('a remote that knows nothing of the portal is a module with one page at its address', async () => {
  const { asModule } = await loadDocument()
  const Report = () => null
  for (const component of [Report, memo(Report)])
    expect(asModule(entry, component)?.messages.en()).toEqual([])
  for (const other of [undefined, {}, 'Report']) expect(asModule(entry, other)).toBeNull()
})

test('who chooses the version before has it in the next document, and the current one in the one after', async () => {
  const first = await loadDocument()
  expect(first.chosenBefore(entry)).toBe(false)
  first.chooseForReload(entry, 'previous')
  expect(window.location.reload).toHaveBeenCalledOnce()
  // What is drawn until the browser leaves the page changes nothing of it.
  expect(first.chosenBefore(entry)).toBe(false)
  const second = await loadDocument()
  expect(second.chosenBefore(entry)).toBe(true)
  expect(second.chosenBefore(entry)).toBe(true)
  const third = await loadDocument()
  expect(third.chosenBefore(entry)).toBe(false)
})

test('a build that is no longer the one before is not opened for an old choice', async () => {
  const { chooseForReload } = await loadDocument()
  chooseForReload(entry, 'previous')
  const { chosenBefore } = await loadDocument()
  expect(chosenBefore({ ...entry, previous: null })).toBe(false)
})

test('a person whose browser forbids storage has the current build', async () => {
  const forbid = () => {
    throw new DOMException('Access is denied for this document.', 'SecurityError')
  }
  vi.stubGlobal('sessionStorage', { getItem: forbid, removeItem: forbid, clear: () => {} })
  const { chosenBefore } = await loadDocument()
  expect(chosenBefore(entry)).toBe(false)
  vi.unstubAllGlobals()
})
