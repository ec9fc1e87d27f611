import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type StageCall, stageCalls } from '../src/browser/calls.ts'
import { findBrowser } from '../src/browser/find-browser.ts'
import { testInBrowser } from '../src/browser/run.ts'

const manifest = {
  name: 'mfe-clinics',
  collections: [
    {
      name: 'notes',
      read: 'clinics.view',
      write: 'clinics.write',
      fields: [{ name: 'title', label: { en: 'Title', fr: 'Titre' }, type: 'text' as const, required: true }],
    },
  ],
  calls: ['GET /admin/schools/list'],
}

const user = { id: 1, first_name: 'Awa', last_name: 'Keïta', email: null, roles: [] }
const sessionWith = (...permissions: string[]) => ({
  ...{ user, permissions, locale: 'en' as const },
  settings: { demo: true, four_eyes: true },
})

/** What the test portal answers to somebody with these permissions. */
function portalFor(...permissions: string[]) {
  const calls = stageCalls({ manifest, answers: { 'GET /admin/schools/:id/users': () => ({ body: 'own' }) } })
  return (method: string, path: string, more: Partial<StageCall> = {}) =>
    calls.answer(
      { method, path, query: {}, body: null, isolated: true, ...more },
      sessionWith(...permissions),
    )
}

const notes = '/modules/mfe-clinics/records/notes'

test('a team’s isolated module may call in the test portal what it may call in the real one, and nothing else', async () => {
  const call = portalFor('clinics.view', 'clinics.write', 'schools.view', 'users.view')
  expect(await call('GET', '/admin/schools/list')).toMatchObject({ body: { schools: { total: 1 } } })
  const refused = { status: 403, body: { message: expect.stringContaining('does not name it') } }
  expect(await call('GET', '/admin/users/list')).toMatchObject(refused)
  expect(await call('GET', '/modules/mfe-other/records/notes')).toMatchObject(refused)
  expect(await call('GET', '/modules/mfe-clinics/records/others')).toMatchObject(refused)
  expect(await call('DELETE', '/sessions/1')).toMatchObject(refused)
  expect(await call('GET', '/no/such/call')).toMatchObject({ status: 403 })
  // The page itself, and a trusted module, have the rights of the person.
  expect(await call('GET', '/admin/schools/7/users', { isolated: false })).toEqual({ body: 'own' })
  expect(await call('GET', '/admin/transfers/dashboard', { isolated: false })).toMatchObject({ status: 403 })
})

test('somebody without the permission of a collection neither reads nor writes its records, and fields are checked', async () => {
  const data = { title: 'First' }
  const reader = portalFor('clinics.view')
  expect(await reader('POST', notes, { body: { data } })).toMatchObject({ status: 403 })
  expect(await reader('GET', notes)).toMatchObject({ body: { records: { total: 0 } } })
  expect(await portalFor()('GET', notes)).toMatchObject({ status: 403 })
  const writer = portalFor('clinics.write')
  expect(await writer('POST', notes, { body: { data: { title: '' } } })).toMatchObject({ status: 422 })
  expect(await writer('POST', notes, { body: { data } })).toMatchObject({
    status: 201,
    body: { record: { user: { first_name: 'Awa', last_name: 'Keïta' } } },
  })
})

test('a team that misses the tests, Playwright or a browser reads what to do', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'portal-browser-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const start = () => testInBrowser({ dir, trusted: false, only: [] })
  await expect(start()).rejects.toThrow('write one into browser/<something>.spec.ts')
  mkdirSync(join(dir, 'browser'))
  writeFileSync(join(dir, 'browser/notes.spec.ts'), '')
  await expect(start()).rejects.toThrow('npm install --save-dev --save-exact @playwright/test@')
  expect(() => findBrowser(undefined, { PORTAL_BROWSER: '/nowhere/chromium' })).toThrow(
    'PORTAL_BROWSER is /nowhere/chromium, where no file is',
  )
})
