import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { ModuleManifest, readRegistry } from './manifest.ts'
import { contractAdmits, federationName, moduleFor, preloadsFor } from './registry.ts'
import { good } from './test-manifest.ts'

const root = join(import.meta.dirname, '../../..')
describe('the manifest of a module', () => {
  test('is accepted for every module of the repository', () => {
    for (const file of globSync('mfe-*/portal.module.json', { cwd: root })) {
      const manifest = v.safeParse(ModuleManifest, JSON.parse(readFileSync(join(root, file), 'utf8')))
      expect(manifest.issues, file).toBeUndefined()
    }
  })

  test('has a name that can be the first label of its host', () => {
    const of = (name: string) => v.safeParse(ModuleManifest, { ...good, name }).issues?.[0].message
    expect(of(`mfe-${'a'.repeat(59)}`)).toBeUndefined()
    expect(of(`mfe-${'a'.repeat(60)}`)).toMatch(/at most 63 characters/)
    expect(of('mfe-a.b')).toMatch(/named like its folder/)
  })

  test('names hosts of images as exact origins', () => {
    const of = (images: string[]) => v.safeParse(ModuleManifest, { ...good, images }).issues?.[0].message
    expect(
      of(['https://tiles.example.org', 'https://a.b.example:8443', 'http://localhost:5001']),
    ).toBeUndefined()
    const written =
      'A host of images is written https://tiles.example.org: no path, no star, no slash at its end.'
    for (const host of [
      'https://*.example.org',
      'https://example.org/',
      'http://example.org',
      'https://10.0.0.1',
      'https:',
      'https://a.example; script-src *',
    ])
      expect(of([host]), host).toBe(written)
    const five = Array.from({ length: 5 }, (_, at) => `https://${at}.example.org`)
    expect(of(five)).toBe('A module names at most four hosts of images.')
  })

  test.each([
    ['a name that is not a module folder', { name: 'partners' }],
    ['a label in one language only', { title: { en: 'Partners' } }],
    ['a route with a slash at its end', { routes: ['/admin/partners/'] }],
    ['no route at all', { routes: [] }],
    ['a contract that is no range', { contract: '1.0.0' }],
    [
      'an icon that the portal does not have',
      { nav: [{ path: '/a/b', label: good.title, icon: 'skull', order: 1 }] },
    ],
    ['a field that nobody reads', { routs: [] }],
  ])('is refused with %s', (_what, change) => {
    expect(v.safeParse(ModuleManifest, { ...good, ...change }).success).toBe(false)
  })
})

describe('what a manifest adds to the search and to notifications', () => {
  const source = {
    ...{ id: 'visits', title: good.title, icon: 'person', permission: 'health.view' },
    ...{ call: '/admin/partners/list', rows: 'partners', label: '{user.first_name}', note: '{from|date}' },
    link: '/admin/partners/{id}?tab=all&search={user.last_name}+{id}',
  }
  const faultIn = (more: object) => {
    const found = v.safeParse(ModuleManifest, { ...good, ...more })
    return found.issues && `${v.getDotPath(found.issues[0])}: ${found.issues[0].message}`
  }

  test('is accepted when it is in order', () => {
    const links = [{ kind: 'import.partners', link: '/admin/partners/import?import={id}' }]
    expect(faultIn({ search: [source], links })).toBeUndefined()
  })

  test.each([
    ['a call with a query', { call: '/admin/users?all=1' }, /^search\.0\.call: A search call is a list/],
    ['a call of another server', { call: '//elsewhere.example/x' }, /^search\.0\.call/],
    ['a call with a way up', { call: '/admin/../sign-out' }, /^search\.0\.call/],
    ['a call outside what is for people', { call: '/sync/messages' }, /^search\.0\.call/],
    ['a method of its own', { method: 'DELETE' }, /^search\.0\.method: Invalid key/],
    ['nobody who may see it', { permission: undefined }, /^search\.0\.permission/],
    ['a script as its link', { link: 'javascript:alert(1)' }, /^search\.0\.link: A link is a path/],
    ['a link to another host', { link: '//elsewhere.example/{id}' }, /^search\.0\.link/],
    ['a link with a way up', { link: '/admin/partners/../users' }, /^search\.0\.link/],
    ['a text with a brace left open', { label: '{name' }, /^search\.0\.label: A text is written/],
    ['a text with code in it', { note: '{name.toString()}' }, /^search\.0\.note/],
    ['a title in one language', { title: { en: 'Visits' } }, /^search\.0\.title\.fr/],
  ])('is refused with %s, and names the field', (_what, change, sentence) => {
    expect(faultIn({ search: [{ ...source, ...change }] })).toMatch(sentence)
  })

  const step = {
    ...{ id: 'visit', title: good.title, text: good.title, permission: 'health.view', order: 40 },
    ...{ link: '/admin/partners?due=mine', done: { type: 'module record', events: ['created'] } },
  }

  test('is accepted with a step of the first day, done by an act or by opening its screen', () => {
    expect(faultIn({ first_day: [step, { ...step, done: undefined }] })).toBeUndefined()
  })

  test.each([
    [
      'a script as its link',
      { link: 'javascript:alert(1)' },
      /^first_day\.0\.link: The link of a step is a path/,
    ],
    ['a link to another host', { link: '//elsewhere.example' }, /^first_day\.0\.link/],
    ['a text in one language', { text: { en: 'Visits' } }, /^first_day\.0\.text\.fr/],
    ['nobody who may do it', { permission: undefined }, /^first_day\.0\.permission/],
    ['no event', { done: { type: 'case', events: [] } }, /^first_day\.0\.done\.events: A step that is done/],
  ])('is refused with a step that has %s, and names the field', (_what, change, sentence) => {
    expect(faultIn({ first_day: [{ ...step, ...change }] })).toMatch(sentence)
  })

  test.each([
    ['on a page that the contract does not have', { on: 'payment' }, /^tabs\.0\.on: A tab is on a school/],
    ['that everybody sees', { permission: undefined }, /^tabs\.0\.permission/],
    ['whose name does not fit into an address', { id: 'My visits' }, /^tabs\.0\.id: A tab is named/],
  ])('is refused with a tab %s, and names the field', (_what, change, sentence) => {
    const tab = { id: 'visits', on: 'school', title: good.title, permission: 'health.view', order: 1 }
    expect(faultIn({ tabs: [tab] })).toBeUndefined()
    expect(faultIn({ tabs: [{ ...tab, ...change }] })).toMatch(sentence)
  })

  test.each([
    [
      'a field that a row does not tell',
      { link: '/admin/partners?school={phone}' },
      /^rows\.0: A link of a row names/,
    ],
    [
      'a link to another host',
      { link: 'https://elsewhere.example/{id}' },
      /^rows\.0\.link: A link is a path/,
    ],
    ['nobody who may see it', { permission: undefined }, /^rows\.0\.permission/],
  ])('is refused with an entry of a menu that has %s, and names the field', (_what, change, sentence) => {
    const act = { id: 'visits', on: 'school', label: good.title, permission: 'health.view', order: 1 }
    const link = '/admin/partners?school={id}'
    expect(faultIn({ rows: [{ ...act, link }] })).toBeUndefined()
    expect(faultIn({ rows: [{ ...act, link, ...change }] })).toMatch(sentence)
  })

  test('is refused with a notification that leads to another host', () => {
    const links = [{ kind: 'import.partners', link: 'https://elsewhere.example/{id}' }]
    expect(faultIn({ links })).toMatch(/^links\.0\.link: A link is a path of the module/)
  })
})

test.each([
  ['^1.0.0', '1.0.0', true],
  ['^1.0.0', '1.4.2', true],
  ['^1.2.0', '1.1.9', false],
  ['^1.2.3', '1.2.2', false],
  ['^1.2.3', '1.3.0', true],
  ['^2.0.0', '1.9.9', false],
  ['^1.0.0', '2.0.0', false],
])('a module for %s in a portal with %s: %s', (range, version, fits) => {
  expect(contractAdmits(range, version)).toBe(fits)
})

test('two builds of one module never share a name in the page', () => {
  expect(federationName('mfe-users', 'aaaaaaaaaaaa')).not.toBe(federationName('mfe-users', 'bbbbbbbbbbbb'))
})

test('an address belongs to the module with the longest route that holds it', () => {
  const registry = {
    modules: [{ routes: ['/admin/users'] }, { routes: ['/admin/users/audit', '/admin/roles'] }],
  }
  expect(moduleFor(registry, '/admin/users/7')).toBe(registry.modules[0])
  expect(moduleFor(registry, '/admin/users/audit/logs')).toBe(registry.modules[1])
  expect(moduleFor(registry, '/admin/userspace')).toBeUndefined()
})

test('what is fetched early follows the address and the language', () => {
  const module = {
    entry: 'entry.js',
    preloads: { '*': ['m.js'], en: ['en.js'], fr: ['fr.js'], '/a/:id': ['one.js'], '/a/list': ['list.js'] },
  }
  expect(preloadsFor(module, '/a/list', 'fr')).toEqual(['entry.js', 'm.js', 'fr.js', 'list.js'])
  expect(preloadsFor(module, '/a/12', 'en')).toEqual(['entry.js', 'm.js', 'en.js', 'one.js'])
  expect(preloadsFor(module, '/a/12/more', 'en')).toEqual(['entry.js', 'm.js', 'en.js'])
})

describe('a registry', () => {
  const entry = (name: string) => ({
    ...good,
    name,
    version: '1.0.0',
    build: '0123456789ab',
    base: `/modules/${name}/0123456789ab/`,
    integrity: `sha384-${'A'.repeat(64)}`,
    previous: null,
    signature: null,
  })
  const registryOf = (...modules: unknown[]) => JSON.stringify({ generation: 1, shell: null, modules })

  test('is read when it is in order', () => {
    const { registry, broken } = readRegistry(registryOf(entry('mfe-users')))
    expect(registry.modules).toHaveLength(1)
    expect(broken).toEqual([])
  })

  test('loses one broken entry, names it and keeps the others', () => {
    const elsewhere = { ...entry('mfe-cases'), base: 'https://elsewhere.example/' }
    const { registry, broken } = readRegistry(registryOf(entry('mfe-users'), elsewhere))
    expect(registry.modules.map(({ name }) => name)).toEqual(['mfe-users'])
    expect(broken).toEqual([expect.stringContaining('mfe-cases')])
  })

  test('is empty, not a crash, when it cannot be read', () => {
    expect(readRegistry('<html>').registry.modules).toEqual([])
  })
})
