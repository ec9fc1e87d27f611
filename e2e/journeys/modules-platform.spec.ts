import type { Page } from '@playwright/test'
import type { Registry } from '@portal/sdk/manifest'
import { federationName } from '@portal/sdk/registry'
import { expect, goBy, install, makeProbe, test } from '../faults/test.ts'

const named = (word: string) =>
  makeProbe({ name: `mfe-${word.toLowerCase()}`, title: { en: word, fr: word } })

const liveNow = async (page: Page): Promise<Registry> => (await page.request.get('/modules.json')).json()

test('a person who does not open a module downloads no byte of it', async ({ person, line }) => {
  const probe = named('Unvisited')
  install(line, { probe })
  const admin = await person('admin')
  line.forget()
  await admin.goto('/admin/users')
  await expect(admin.getByRole('table', { name: 'Users' })).toBeVisible()
  await expect(admin.getByRole('link', { name: 'Unvisited', exact: true })).toBeVisible()
  // Whatever is fetched ahead has been by then, also where the browser does not say that a request has ended.
  await admin.waitForLoadState('networkidle', { timeout: 20_000 }).catch(() => {})
  const modules = line.asked.filter(({ path }) => path.startsWith('/modules/'))
  expect(modules.length).toBeGreaterThan(3)
  expect(modules.filter(({ path }) => !path.startsWith('/modules/mfe-users/'))).toEqual([])

  line.forget()
  await goBy(admin, 'Unvisited')
  await expect(admin.getByRole('heading', { name: 'Probe list' })).toBeVisible()
  const octets = line.asked
    .filter(({ path }) => path.startsWith(probe.record.base))
    .reduce((sum, entry) => sum + entry.octets, 0)
  expect(octets).toBeGreaterThan(1000)
})

test('two modules and the shell share the same instances of React, router and facade', async ({
  person,
  line,
}) => {
  install(line, { probe: named('One') }, { probe: named('Two') })
  const admin = await person('admin')
  const { modules } = await liveNow(admin)
  const containers = modules.map(({ name, build }) => federationName(name, build))
  await admin.addInitScript(recordScopes, containers)
  await admin.goto('/admin/users')
  await expect(admin.getByRole('table', { name: 'Users' })).toBeVisible()
  for (const word of ['One', 'Two']) {
    await goBy(admin, word)
    // Who is signed in comes through the facade's context: the shell has put it there.
    await expect(admin.getByText('admin@portal.example')).toBeVisible()
    await admin.getByRole('button', { name: 'Count 0' }).click()
    await expect(admin.getByRole('button', { name: 'Count 1' })).toBeVisible()
  }
  const found = await admin.evaluate(() => {
    type Scope = Record<string, Record<string, { get(): () => unknown }>>
    type Held = { given: Record<string, unknown>; scope: Scope; driven: boolean }
    const page = globalThis as unknown as { probes: Record<string, Held>; scopes: Scope[] }
    const [one, two] = Object.values(page.probes) as [Held, Held]
    const libraries = Object.keys(one.given)
    return {
      libraries,
      versions: libraries.map((name) => Object.keys(one.scope[name] ?? {}).length),
      same: libraries.map((name) => one.given[name] === two.given[name]),
      // Modules of the product, built by a bundler, were given the same scope.
      scopes: page.scopes.length > 0 && page.scopes.every((scope) => scope === one.scope),
      driven: [one.driven, two.driven],
    }
  })
  expect(found).toEqual({
    libraries: expect.arrayContaining([
      'react',
      'react/jsx-runtime',
      'react-dom',
      'react-router-dom',
      '@portal/sdk',
    ]),
    versions: found.libraries.map(() => 1),
    same: found.libraries.map(() => true),
    scopes: true,
    driven: [true, true],
  })
})

/** Keeps what each container is given when it starts. */
function recordScopes(names: string[]) {
  type Container = { init(scope: object): unknown; get(name: string): unknown }
  const scopes: object[] = []
  Object.assign(globalThis, { scopes })
  for (const name of names) {
    let wrapped: Container | undefined
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get: () => wrapped,
      set(container: Container) {
        wrapped = {
          get: (exposed) => container.get(exposed),
          init(scope) {
            scopes.push(scope)
            return container.init(scope)
          },
        }
      },
    })
  }
}

/** Every address that a person may type: those without a session, those of the shell, those of every module. */
async function everyPage(page: Page): Promise<string[]> {
  const { modules } = await liveNow(page)
  const ofModules = modules.flatMap(({ routes, nav }) => [
    ...routes,
    ...nav.flatMap((item) => [item.path, ...item.children.map((child) => child.path)]),
  ])
  const shell = ['/home', '/home/attendance', '/home/messages', '/home/survey', '/profile', '/admin/modules']
  const open = [
    '/',
    '/login',
    '/password/forgot',
    '/password/reset/abc',
    '/external/cases/abc',
    '/admin/none',
  ]
  return [...new Set([...open, ...shell, ...ofModules])]
}

test('a developer of a module finds the remotes of the page in the federation dev tools', async ({
  person,
}) => {
  const admin = await person('admin')
  await admin.route('**/admin/users', async (route) => {
    if (route.request().resourceType() !== 'document') return route.continue()
    const answer = await route.fetch()
    // What the gateway does in development.
    const body = (await answer.text()).replace('<html ', '<html data-development ')
    await route.fulfill({ response: answer, body })
  })
  await admin.goto('/admin/users')
  await expect(admin.getByRole('table', { name: 'Users' })).toBeVisible()
  const shown = await admin.evaluate(() => {
    type Tools = {
      __FEDERATION__: { moduleInfo: Record<string, { remoteEntry?: string; modules?: object[] }> }
    }
    return Object.entries((globalThis as unknown as Tools).__FEDERATION__.moduleInfo)
      .filter(([, { modules }]) => modules?.length)
      .map(([name, { remoteEntry }]) => `${name} ${remoteEntry}`)
  })
  expect(shown).toEqual([expect.stringMatching(/^mfe_users_[0-9a-f]{12}.* remoteEntry\.js$/)])
})

test('every page forbids inline scripts and styles, and has none', async ({ person }) => {
  const admin = await person('admin')
  const pages = await everyPage(admin)
  expect(pages.length).toBeGreaterThan(20)
  for (const path of pages) {
    const answer = await admin.request.get(path)
    expect(answer.status(), path).toBe(200)
    const { 'content-security-policy': policy = '', ...headers } = answer.headers()
    const rules = Object.fromEntries(policy.split('; ').map((rule) => rule.split(/ (.*)/s)))
    expect(rules, path).toMatchObject({
      ...{ 'default-src': "'none'", 'script-src': "'self'", 'style-src': "'self'", 'object-src': "'none'" },
      ...{ 'base-uri': "'none'", 'frame-ancestors': "'none'", 'form-action': "'self'" },
    })
    expect(policy, path).not.toMatch(/unsafe|data: *;.*script/)
    // Each isolated module has a host of its own, in frames only.
    expect(policy.match(/\S*\*\S*/g), path).toEqual([expect.stringMatching(/^http:\/\/\*\.localhost:\d+;?$/)])
    expect(rules['frame-src'], path).toContain('//*.localhost:')
    expect(headers['x-frame-options'], path).toBe('DENY')
    const html = await answer.text()
    const scripts = [...html.matchAll(/<script\b([^>]*)>/g)].map(([, attributes = '']) => attributes)
    expect(
      scripts.filter((each) => !/\bsrc="\//.test(each) && !/application\/json/.test(each)),
      path,
    ).toEqual([])
    expect(html, path).not.toMatch(/<style|\son[a-z]+=|javascript:/i)
  }
})

test('a script that an attacker injects into a page does not run', async ({ person, expected }) => {
  expected.push(/Content Security Policy|The policy forbids|Integrity-Policy/)
  const admin = await person('admin')
  await admin.route('**/admin/users', async (route) => {
    const answer = await route.fetch()
    const smuggled = `<script>globalThis.smuggled = 'inline'</script><style>body { display: none }</style>
      <script src="/modules/mfe-users/other.js"></script><script src="https://elsewhere.example/x.js"></script>`
    const body = (await answer.text()).replace('</body>', `${smuggled}</body>`)
    await route.fulfill({ response: answer, body })
  })
  await admin.goto('/admin/users')
  await expect(admin.getByRole('table', { name: 'Users' })).toBeVisible()
  const found = await admin.evaluate(async () => {
    const script = document.createElement('script')
    script.textContent = "globalThis.smuggled = 'added'"
    document.body.append(script)
    const button = document.createElement('button')
    button.setAttribute('onclick', "globalThis.smuggled = 'handler'")
    document.body.append(button)
    button.click()
    // Later, as code of the page: what the test itself calls may evaluate.
    const evaluated = await new Promise((resolve) =>
      setTimeout(() => {
        try {
          resolve(new Function('return "evaluated"')())
        } catch {
          resolve('refused')
        }
      }, 10),
    )
    return { evaluated, smuggled: (globalThis as { smuggled?: string }).smuggled }
  })
  expect(found).toEqual({ evaluated: 'refused', smuggled: undefined })
})
