import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import type { InjectOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import { base, get, hash, publish, script, served, startGateway } from './served-files.ts'

startGateway()

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
    served.unavailable = true
    const { statusCode, headers, body } = await get('/home', { 'accept-language': 'fr' })
    expect({ statusCode, wait: headers['retry-after'] }).toEqual({ statusCode: 503, wait: '5' })
    expect(headers['cache-control']).toBe('no-store')
    expect(body).toContain('<title>away.fr</title>')
    served.unavailable = false
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
    const answer = await served.app.inject({ url: '/home', headers: { 'accept-encoding': 'gzip, br' } })
    expect(answer.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(answer.rawPayload).toString()).toContain('portal.en')
    expect((await get('/home', { 'accept-encoding': 'gzip, br;q=0' })).headers['content-encoding']).toBe(
      'gzip',
    )
  })
})

describe('a file', () => {
  test('of a module is kept for a year and comes in the form compressed when it was built', async () => {
    const answer = await served.app.inject({
      url: `${base}/remoteEntry.js`,
      headers: { 'accept-encoding': 'br' },
    })
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

test('a new generation is served without a restart', async () => {
  const before = await get('/modules.json')
  expect(before.headers['cache-control']).toBe('no-store')
  expect((await get('/modules.json', { 'if-none-match': String(before.headers.etag) })).statusCode).toBe(304)
  publish(2)
  utimesSync(join(served.dist, 'modules.json'), new Date(), new Date(Date.now() + 2000))
  expect((await get('/modules.json')).json().generation).toBe(2)
  expect((await get('/home')).body).toContain('"generation":2')
})

test('calls reach the api', async () => {
  expect((await get('/api/health')).json()).toEqual({ ok: true })
})
