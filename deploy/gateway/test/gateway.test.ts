import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib'
import { modulesAddress } from '@portal/contracts/modules-address'
import { frameScript } from '@portal/sdk/frames'
import fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SessionUnavailable } from '../src/away.ts'
import { gateway } from '../src/gateway.ts'
import type { SessionAnswer } from '../src/options.ts'

const script = 'export const greeting = "hello"'
const base = '/modules/mfe-users/0123456789ab'
const hash = (letter: string) => `sha384-${letter.repeat(64)}`
const module = {
  name: 'mfe-users',
  title: { en: 'Users', fr: 'Utilisateurs' },
  owner: { name: 'A team', contact: 'team@portal.example' },
  contract: '^1.0.0',
  routes: ['/admin/users'],
  nav: [],
  version: '1.0.0',
  build: '0123456789ab',
  base: `${base}/`,
  integrity: hash('R'),
  previous: null,
  signature: null,
}
const record = {
  base: `${base}/`,
  entry: 'remoteEntry.js',
  files: { 'remoteEntry.js': hash('E'), 'page.js': hash('P') },
  preloads: { '/admin/users': ['page.js'] },
}
const page = (name: string) =>
  `<!doctype html><html lang="${name.split('.')[1]}"><head><title>${name}</title></head><body>__INLINE__</body></html>`

let dist: string
let unavailable = false
let app: FastifyInstance
const write = (path: string, content: string | Buffer) => {
  mkdirSync(join(dist, path, '..'), { recursive: true })
  writeFileSync(join(dist, path), content)
}
const publish = (generation: number) =>
  write(
    'modules.json',
    JSON.stringify({ generation, shell: null, modules: [module, { name: 'mfe-broken' }] }),
  )
const get = (url: string, headers: InjectOptions['headers'] = {}) => app.inject({ url, headers })

beforeEach(async () => {
  dist = mkdtempSync(join(tmpdir(), 'gateway-'))
  for (const name of ['landing', 'login', 'forgot', 'reset', 'portal', 'away', 'isolated']) {
    for (const language of ['en', 'fr']) write(`shell/${name}.${language}.html`, page(`${name}.${language}`))
  }
  for (const language of ['en', 'fr']) {
    const list = '{"/assets/lib.js":"sha256-lib=","loader":"sha256-first="}'
    const given = `<script type="application/json" id="given">${list}</script>`
    write(
      `shell/isolated.${language}.html`,
      page(`isolated.${language}`).replace('</head>', `${given}</head>`),
    )
  }
  write(
    'shell/early.json',
    JSON.stringify({ en: { '/home': '<link id="home">', '*': '<link id="styles">' }, fr: {} }),
  )
  write(`${base.slice(1)}/build.json`, JSON.stringify(record))
  write('shell/assets/app.js', script)
  write('external/index.html', page('external.en'))
  write(`${base.slice(1)}/remoteEntry.js`, script)
  write(`${base.slice(1)}/remoteEntry.js.br`, brotliCompressSync(script))
  write(`${base.slice(1)}/remoteEntry.js.gz`, gzipSync(script))
  publish(1)
  await start('https://modules.example')
})
afterEach(async () => {
  await app.close()
  rmSync(dist, { recursive: true })
})

async function start(modulesUrl: string) {
  app = fastify()
  app.get('/api/health', () => ({ ok: true }))
  await gateway(app, {
    distDir: dist,
    apiBase: '/api',
    publicUrl: 'https://portal.example',
    modulesAt: modulesAddress(modulesUrl),
    frameSrc: 'https://analytics.example',
    session: async () => {
      if (unavailable) throw new SessionUnavailable('5')
      return { user: { id: 1, roles: [], first_name: '</script><b>' } } as SessionAnswer
    },
  })
}

test.each([
  '/healthz',
  '/readyz',
  '/livez',
  '/metrics',
  '/health',
  '/-/ready',
  '/actuator/health',
  '/.well-known/x',
])('a monitor that tries %s gets 404 and no page', async (url) => {
  const { statusCode, headers } = await get(url)
  expect(statusCode).toBe(404)
  expect(headers['content-type']).toContain('json')
})

describe('a page', () => {
  test('whose session cannot be read says so in the person’s language, and when to come back', async () => {
    unavailable = true
    const { statusCode, headers, body } = await get('/home', { 'accept-language': 'fr' })
    expect({ statusCode, wait: headers['retry-after'] }).toEqual({ statusCode: 503, wait: '5' })
    expect(headers['cache-control']).toBe('no-store')
    expect(body).toContain('<title>away.fr</title>')
    unavailable = false
    expect((await get('/home')).statusCode).toBe(200)
  })

  test('is never stored and comes with a policy that allows no inline script or style', async () => {
    const { headers } = await get('/home')
    expect(headers['cache-control']).toBe('no-store')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("style-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain('frame-src https://analytics.example')
    expect(policy).not.toMatch(/unsafe|\*/)
    expect(headers['integrity-policy']).toBe('blocked-destinations=(script)')
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'strict-transport-security': 'max-age=31536000',
    })
  })

  test('behind the sign-in carries registry and session as data that cannot end their element', async () => {
    const { body } = await get('/home')
    const session = /id="session">(.*?)<\/script>/.exec(body)?.[1] ?? ''
    const registry = JSON.parse(/id="registry">(.*?)<\/script>/.exec(body)?.[1] ?? '')
    expect(registry).toMatchObject({ generation: 1, modules: [{ name: 'mfe-users' }] })
    expect(JSON.parse(session).user.first_name).toBe('</script><b>')
    expect(session).not.toContain('<')
  })

  test.each(['/', '/login', '/password/forgot', '/password/reset/secret', '/external/cases/secret'])(
    '%s carries no registry',
    async (url) => {
      const { body, statusCode } = await get(url)
      expect(statusCode).toBe(200)
      expect(body).not.toContain('registry')
      expect(body).not.toContain('__INLINE__')
    },
  )

  test.each(['/external/cases/secret', '/password/reset/secret'])(
    '%s never tells its address to another',
    async (url) => {
      expect((await get(url)).headers['referrer-policy']).toBe('no-referrer')
    },
  )

  test('comes in the language chosen before, else in the browser’s', async () => {
    const title = async (headers: InjectOptions['headers'], url = '/login') =>
      /<title>(.*?)</.exec((await get(url, headers)).body)?.[1]
    expect(await title({})).toBe('login.en')
    expect(await title({ 'accept-language': 'wo,fr-SN;q=0.8' })).toBe('login.fr')
    expect(await title({ 'accept-language': 'fr', cookie: 'a=b; portal_locale=en' })).toBe('login.en')
    expect(await title({}, '/login?lang=fr')).toBe('login.fr')
  })

  test('has the chosen theme on its first element', async () => {
    expect((await get('/login', { cookie: 'portal_theme=dark' })).body).toContain('<html data-theme="dark" ')
    expect((await get('/login', { cookie: 'portal_theme=evil" x="' })).body).not.toContain('data-theme')
  })

  test('of a module names what it will ask for next, with hashes', async () => {
    const { body } = await get('/admin/users')
    expect(body).toContain('<link id="styles">')
    expect(body).toContain(`as="fetch" href="${base}/build.json"`)
    expect(body).toContain(`href="${base}/remoteEntry.js" integrity="${hash('E')}"`)
    expect(body).toContain(`href="${base}/page.js" integrity="${hash('P')}"`)
    const home = (await get('/home')).body
    expect(home).toContain('<link id="home">')
    expect(home).not.toContain(`${base}/page.js"`)
  })

  test('is compressed as the browser accepts it', async () => {
    const answer = await app.inject({ url: '/home', headers: { 'accept-encoding': 'gzip, br' } })
    expect(answer.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(answer.rawPayload).toString()).toContain('portal.en')
    expect((await get('/home', { 'accept-encoding': 'gzip, br;q=0' })).headers['content-encoding']).toBe(
      'gzip',
    )
  })
})

describe('a file', () => {
  test('of a module is kept for a year and comes in the form compressed when it was built', async () => {
    const answer = await app.inject({ url: `${base}/remoteEntry.js`, headers: { 'accept-encoding': 'br' } })
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(answer.headers['content-encoding']).toBe('br')
    expect(answer.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(brotliDecompressSync(answer.rawPayload).toString()).toBe(script)
    expect((await get(`${base}/remoteEntry.js`)).body).toBe(script)
  })

  test.each(['/assets/app.js', `${base}/remoteEntry.js`, `${base}/none.svg`])(
    'is for pages of this host only: %s',
    async (path) => {
      expect((await get(path)).headers).toMatchObject({
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
      })
    },
  )

  test('lets a worker fetch from here and nowhere else', async () => {
    const { headers } = await get('/assets/app.js')
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; connect-src 'self'/,
    )
  })

  test('is not sent again to a browser that has it', async () => {
    const { headers } = await get('/assets/app.js')
    expect((await get('/assets/app.js', { 'if-none-match': String(headers.etag) })).statusCode).toBe(304)
  })

  test('comes in brotli to a browser that reads everything, and in gzip to one that refuses brotli', async () => {
    const encodingFor = async (accepted: string) =>
      (await get(`${base}/remoteEntry.js`, { 'accept-encoding': accepted })).headers['content-encoding']
    expect(await encodingFor('gzip, deflate, br, zstd')).toBe('br')
    expect(await encodingFor('gzip, br;q=0')).toBe('gzip')
    expect(await encodingFor('identity')).toBeUndefined()
  })

  test('comes in parts to a browser that goes on where it stopped', async () => {
    const { statusCode, headers, body } = await get('/assets/app.js', { range: 'bytes=7-11' })
    expect(statusCode).toBe(206)
    expect(headers['content-range']).toBe(`bytes 7-11/${script.length}`)
    expect(body).toBe(script.slice(7, 12))
  })

  test.each([
    `${base}/gone.js`,
    '/assets/gone.js',
    '/modules/mfe-gone/0123456789ab/remoteEntry.js',
    '/assets/..%2f..%2fmodules.json',
    '/modules/.hidden',
    '/api/gone',
    '/api',
    '/robots.txt',
  ])('that is not there (%s) is a 404, never a page', async (url) => {
    const { statusCode, headers, body } = await get(url)
    expect(statusCode).toBe(404)
    expect(headers['content-type']).toContain('application/json')
    expect(body).not.toContain('<html')
  })
})

describe('on the origin of isolated modules', () => {
  const host = 'modules.example'
  const frame = '/frame/mfe-users/0123456789ab'

  test('a module gets a page that only the portal may frame, without an origin, a session or anything but its files', async () => {
    const { statusCode, headers, body } = await get(frame, { host })
    expect(statusCode).toBe(200)
    const own = 'https://modules.example/assets/ https://modules.example/modules/mfe-users/0123456789ab/'
    // Those of the shell's files as its build has them, and those of the scripts that are there.
    const entry = frameScript(script, `${base}/remoteEntry.js`)
    const hash = createHash('sha256').update(entry).digest('base64')
    const hashes = `'sha256-lib=' 'sha256-first=' 'sha256-${hash}'`
    expect(String(headers['content-security-policy']).split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${own} 'wasm-unsafe-eval' ${hashes}`,
      `style-src ${own}`,
      `img-src ${own} blob: data:`,
      `font-src ${own}`,
      `connect-src ${own}`,
      'worker-src blob:',
      'frame-ancestors https://portal.example',
      "base-uri 'none'",
      "form-action 'none'",
      // In a frame inside nothing of the module runs: its scripts stand in its text.
      "sandbox allow-scripts allow-forms, script-src 'strict-dynamic' 'wasm-unsafe-eval' 'sha256-first='",
    ])
    expect(headers).toMatchObject({ 'origin-agent-cluster': '?1', 'cache-control': 'no-store' })
    expect(headers).not.toHaveProperty('set-cookie')
    expect(headers).not.toHaveProperty('x-frame-options')
    expect(body).not.toContain('first_name')
    // It asks the portal for these, and for nothing whose hash the policy does not have.
    expect(body).toContain(`id="given">["/assets/lib.js","loader","${base}/remoteEntry.js"]`)
    expect((await get(frame, { host, 'accept-language': 'fr' })).body).toContain('isolated.fr')
  })

  test('files may be fetched by a page without an origin, and on the portal’s own they may not', async () => {
    for (const file of [`${base}/remoteEntry.js`, '/assets/app.js']) {
      expect((await get(file, { host })).headers).toMatchObject({
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      })
      const { headers } = await get(file, { host: 'portal.example' })
      expect(headers).not.toHaveProperty('access-control-allow-origin')
      expect(headers['cross-origin-resource-policy']).toBe('same-origin')
    }
  })

  test('there is no page of the portal, and the portal’s own origin has no frame', async () => {
    for (const path of ['/', '/login', '/home', '/admin/users'])
      expect([path, (await get(path, { host })).statusCode]).toEqual([path, 404])
    expect((await get(frame, { host: 'portal.example' })).statusCode).toBe(404)
  })

  test('the portal may frame it, and of others only the analytics host', async () => {
    const { headers } = await get('/home', { host: 'portal.example' })
    expect(headers['content-security-policy']).toContain(
      'frame-src https://analytics.example https://modules.example;',
    )
  })
})

describe('on the hosts of isolated modules, where each has its own', () => {
  const at = (name: string) => ({ host: `${name}.modules.example` })
  const own = ['/frame/mfe-users/0123456789ab', `${base}/remoteEntry.js`]

  beforeEach(async () => {
    await app.close()
    await start('https://*.modules.example')
  })

  test('a module gets its page, its files and those of the shell, and its policy names its own host only', async () => {
    for (const url of [...own, '/assets/app.js'])
      expect([url, (await get(url, at('mfe-users'))).statusCode]).toEqual([url, 200])
    const { headers } = await get(own[0] ?? '', at('mfe-users'))
    const files = `https://mfe-users.modules.example${base}/`
    expect(headers['content-security-policy']).toContain(
      `connect-src https://mfe-users.modules.example/assets/ ${files};`,
    )
    expect(headers['content-security-policy']).not.toContain('*')
  })

  test('what is of another module is a 404 at its host, and so is everything at a host that no module has', async () => {
    const other = { ...module, name: 'mfe-cases', base: '/modules/mfe-cases/0123456789ab/' }
    write('modules.json', JSON.stringify({ generation: 3, shell: null, modules: [module, other] }))
    expect((await get('/assets/app.js', at('mfe-cases'))).statusCode).toBe(200)
    for (const url of own) expect([url, (await get(url, at('mfe-cases'))).statusCode]).toEqual([url, 404])
    for (const host of ['mfe-nobody', 'a.mfe-users', 'portal', 'MFE-nobody'])
      for (const url of [...own, '/assets/app.js', '/home', '/login'])
        expect([host, url, (await get(url, at(host))).statusCode]).toEqual([host, url, 404])
  })

  test('there is no page of the portal, and the frames of a portal at another port are not this one’s', async () => {
    for (const path of ['/', '/login', '/home', '/admin/users'])
      expect([path, (await get(path, at('mfe-users'))).statusCode]).toEqual([path, 404])
    expect((await get(own[0] ?? '', { host: 'mfe-users.modules.example:8081' })).statusCode).toBe(404)
    expect((await get(own[0] ?? '', { host: 'portal.example' })).statusCode).toBe(404)
  })

  test('the portal may frame all of them', async () => {
    const { headers } = await get('/home', { host: 'portal.example' })
    expect(headers['content-security-policy']).toContain('https://*.modules.example;')
  })
})

test('a new generation is served without a restart', async () => {
  const before = await get('/modules.json')
  expect(before.headers['cache-control']).toBe('no-store')
  expect((await get('/modules.json', { 'if-none-match': String(before.headers.etag) })).statusCode).toBe(304)
  publish(2)
  utimesSync(join(dist, 'modules.json'), new Date(), new Date(Date.now() + 2000))
  expect((await get('/modules.json')).json().generation).toBe(2)
  expect((await get('/home')).body).toContain('"generation":2')
})

test('calls reach the api', async () => {
  expect((await get('/api/health')).json()).toEqual({ ok: true })
})
