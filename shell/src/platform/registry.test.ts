import type { Registry, RegistryModule } from '@portal/sdk/manifest'
import { describe, expect, test } from 'vitest'
import { cardsFor, linkTo } from './announced.ts'
import { buildNavigation, currentEntry, isAllowed } from './registry.ts'

const label = (text: string) => ({ en: text, fr: text })
const module = (name: string, change: Partial<RegistryModule> = {}): RegistryModule => ({
  name: `mfe-${name}`,
  title: label(name),
  owner: { name: 'A team', contact: 'team@portal.example' },
  contract: '^1.0.0',
  routes: [`/admin/${name}`],
  nav: [{ path: `/admin/${name}`, label: label(name), icon: 'modules', order: 10, children: [] }],
  version: '1.0.0',
  build: '0123456789ab',
  base: `/modules/mfe-${name}/0123456789ab/`,
  integrity: `sha384-${'A'.repeat(64)}`,
  previous: null,
  disabled: false,
  cards: [],
  permissions: [],
  collections: [],
  withheld: null,
  signature: null,
  ...change,
})
const registryOf = (...modules: RegistryModule[]): Registry => ({ generation: 1, shell: null, modules })

describe('the navigation of a person', () => {
  const section = (path: string, order: number, permission?: string | string[]) =>
    module(path, {
      nav: [{ path: `/admin/${path}`, label: label(path), icon: 'modules', order, permission, children: [] }],
    })

  test('holds what the person may open, in the order of the sections', () => {
    const registry = registryOf(
      section('users', 50, 'users.view'),
      section('transfers', 10, 'transfers.view'),
      section('cases', 20),
    )
    const seen = (...permissions: string[]) => buildNavigation(registry, permissions).map(({ path }) => path)
    expect(seen('users.view', 'transfers.view')).toEqual(['/admin/transfers', '/admin/cases', '/admin/users'])
    expect(seen('users.view')).toEqual(['/admin/cases', '/admin/users'])
  })

  test('hides a module whose own permission is missing', () => {
    const registry = registryOf(module('transfers', { permission: ['transfers.view', 'cohorts.create'] }))
    expect(buildNavigation(registry, [])).toEqual([])
    expect(buildNavigation(registry, ['cohorts.create'])).toHaveLength(1)
  })

  test('leads a section to its first open entry when its own page is closed', () => {
    const children = [
      { path: '/admin/users', label: label('Users'), permission: 'users.view' },
      { path: '/admin/roles', label: label('Roles'), permission: 'roles.view' },
    ]
    const registry = registryOf(
      module('users', {
        nav: [{ path: '/admin/users', label: label('Users'), icon: 'users', order: 1, children }],
      }),
    )
    const [found] = buildNavigation(registry, ['roles.view'])
    expect(found?.path).toBe('/admin/roles')
    expect(found?.children).toHaveLength(1)
  })

  test('marks the entry that holds the page most exactly', () => {
    const children = [
      { path: '/admin/transfers', label: label('Overview') },
      { path: '/admin/transfers/cohorts/list', label: label('Cohorts') },
    ]
    const navigation = buildNavigation(
      registryOf(
        module('transfers', {
          nav: [{ path: '/admin/transfers', label: label('T'), icon: 'transfers', order: 1, children }],
        }),
      ),
      [],
    )
    const at = (pathname: string) => currentEntry(navigation, pathname)?.child?.label.en
    expect(at('/admin/transfers')).toBe('Overview')
    expect(at('/admin/transfers/cohorts/12/summary')).toBe('Cohorts')
    expect(currentEntry(navigation, '/home')).toBeUndefined()
  })
})

test('several permissions mean one of them', () => {
  expect(isAllowed(undefined, [])).toBe(true)
  expect(isAllowed('a.view', ['b.view'])).toBe(false)
  expect(isAllowed(['a.view', 'b.view'], ['b.view'])).toBe(true)
})

describe('the cards of the home page', () => {
  const card = (id: string, order: number, permission?: string) => ({
    id,
    title: label(id),
    order,
    permission,
  })
  const registry = registryOf(
    module('cases', { cards: [card('overdue', 20, 'cases.manage'), card('open', 5)] }),
    module('transfers', { permission: 'transfers.view', cards: [card('approvals', 10)] }),
    module('health', { disabled: true, cards: [card('visits', 1)] }),
    module('water', { withheld: 'revoked', cards: [card('wells', 2)] }),
  )
  const seen = (...permissions: string[]) => cardsFor(registry, permissions).map(({ id }) => id)

  test('come in their order, from modules that the person may open', () => {
    expect(seen()).toEqual(['open'])
    expect(seen('transfers.view', 'cases.manage')).toEqual(['open', 'approvals', 'overdue'])
  })

  test('leave out modules that are switched off or withheld', () => {
    expect(seen('transfers.view')).not.toContain('visits')
    expect(seen('transfers.view')).not.toContain('wells')
  })
})

test('a figure of the home page leads where a module that runs shows it, and nowhere without one', () => {
  const links = [{ kind: 'school.teachers', link: '/admin/schools/{id}/users?type=teacher' }]
  const registry = registryOf(module('users'), module('schools', { links }))
  expect(linkTo(registry, 'school.teachers', 7)).toBe('/admin/schools/7/users?type=teacher')
  expect(linkTo(registry, 'list.schools')).toBeUndefined()
  expect(
    linkTo(registryOf(module('schools', { links, disabled: true })), 'school.teachers', 7),
  ).toBeUndefined()
})
