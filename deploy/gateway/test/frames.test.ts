import { createHash } from 'node:crypto'
import { frameScript } from '@portal/sdk/frames'
import { beforeEach, describe, expect, test } from 'vitest'
import { base, get, module, script, served, start, startGateway, write } from './served-files.ts'

startGateway()

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
    await served.app.close()
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
