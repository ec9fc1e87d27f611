import { describe, expect, test } from 'vitest'
import { live, onPage, page, start, startLiveGateway, write } from './live-gateway.ts'

startLiveGateway()

describe('a module from a developer’s own machine', () => {
  const ask = (query: string, headers = {}) => live.app.inject({ url: `/dev/override?${query}`, headers })

  test('is taken by the browser that asked for it, and by no other', async () => {
    const answer = await ask('module=mfe-users&port=5177')
    expect(answer.statusCode).toBe(302)
    expect(answer.headers.location).toBe('/admin/users')
    const [cookie = ''] = String(answer.headers['set-cookie']).split(';')
    expect(answer.headers['set-cookie']).toMatch(/; Max-Age=28800; HttpOnly; SameSite=Strict$/)
    expect((await onPage(cookie)).modules[0]).toMatchObject({
      base: 'http://localhost:5177/',
      override: true,
    })
    expect((await onPage()).modules[0].override).toBeUndefined()
    const { headers } = await live.app.inject({ url: '/home', headers: { cookie } })
    expect(headers['content-security-policy']).toContain("script-src 'self' http://localhost:5177;")
    expect(headers['content-security-policy']).toContain("connect-src 'self' http://localhost:5177;")
    expect(headers['integrity-policy']).toBe('blocked-destinations=(script)')
    expect(String((await live.app.inject('/home')).headers['content-security-policy'])).not.toContain(
      'localhost',
    )
    expect(await page(cookie)).not.toContain('/modules/mfe-users/')
    // The shell then shows the federation dev tools what it loads.
    expect(await page(cookie)).toContain('<html data-development lang="en">')
    expect(await page()).not.toContain('data-development')
    const reset = await live.app.inject('/dev/override/reset')
    expect(reset.headers['set-cookie']).toMatch(/^portal_override=; Path=\/; Max-Age=0/)
  })

  test('may be one that the portal does not have yet', async () => {
    const answer = await ask('module=mfe-health&port=5177&to=/admin/health')
    expect(answer.headers.location).toBe('/admin/health')
    const { modules } = await onPage('portal_override=mfe-health.5177')
    expect(modules[1]).toMatchObject({ name: 'mfe-health', override: true, routes: [] })
  })

  test.each([
    'module=mfe-users&port=80',
    'module=mfe-users&port=5177@evil.example',
    'module=mfe-users&port=99999',
    'module=users&port=5177',
  ])('is never elsewhere than there (%s)', async (query) => {
    const answer = await ask(query)
    expect(answer.statusCode).toBe(422)
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  test('is not taken because of a cookie or a link that somebody else made', async () => {
    expect((await ask('module=mfe-users&port=5177', { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403)
    for (const cookie of ['portal_override=mfe-users.5177@evil.example', 'portal_override=mfe-users.22'])
      expect((await onPage(cookie)).modules[0].override).toBeUndefined()
    expect((await ask('module=mfe-users&port=5177&to=//evil.example')).headers.location).toBe('/admin/users')
  })

  test('runs in a frame of the second address when the developer asks for that, with nothing but her machine open to it', async () => {
    const key = 'a'.repeat(32)
    const isolated = `module=mfe-users&port=5177&key=${key}&kind=isolated`
    expect((await ask(isolated)).json().message).toMatch(/set PORTAL_MODULES_URL/)
    await live.app.close()
    write('dist/shell/isolated.en.html', '<html lang="en"><head></head><body>__INLINE__</body></html>')
    await start(true, 'http://modules.test')
    const [cookie = ''] = String((await ask(isolated)).headers['set-cookie']).split(';')
    const base = `http://localhost:5177/${key}/`
    expect((await onPage(cookie)).modules[0]).toMatchObject({
      base,
      override: true,
      isolated: 'http://modules.test',
    })
    const host = { host: 'modules.test' }
    const frame = (from: string) =>
      live.app.inject({ url: `/frame/mfe-users/000000000000?from=${from}`, headers: host })
    const { headers, body } = await frame(`5177/${key}`)
    expect(body).toContain(`"base":"${base}"`)
    expect(headers['content-security-policy']).toContain(
      `script-src http://modules.test/assets/ ${base} 'wasm-unsafe-eval';`,
    )
    expect(headers['content-security-policy']).toContain('sandbox allow-scripts allow-forms')
    // The hosts of its images are as a manifest may name them, or none are.
    const imagesOf = async (images: string) =>
      /img-src [^;]*/.exec(
        String(
          (await frame(`5177/${key}&images=${encodeURIComponent(images)}`)).headers[
            'content-security-policy'
          ],
        ),
      )?.[0]
    expect(await imagesOf('https://tiles.example.org')).toMatch(/ data: https:\/\/tiles\.example\.org$/)
    for (const images of [
      'https://*.example.org',
      'http://localhost:5001',
      '* https://tiles.example.org',
      '; script-src *',
    ])
      expect(await imagesOf(images)).toMatch(/ data:$/)
    for (const from of [`22/${key}`, '5177/', `evil.example/${key}`, `5177/${key}/..`])
      expect((await frame(from)).statusCode).toBe(404)
    await live.app.close()
    await start(false, 'http://modules.test')
    expect((await frame(`5177/${key}`)).statusCode).toBe(404)
    await live.app.close()
    // The portal need not have the module yet; its name is that of its host.
    await start(true, 'http://*.modules.test')
    const own = (name: string, url: string) =>
      live.app.inject({ url, headers: { host: `${name}.modules.test` } }).then(({ statusCode }) => statusCode)
    const newOne = `/frame/mfe-new/000000000000?from=5177/${key}`
    expect(await own('mfe-new', newOne)).toBe(200)
    expect(await own('mfe-users', newOne)).toBe(404)
    await live.app.close()
    await start(false, 'http://*.modules.test')
    expect(await own('mfe-new', newOne)).toBe(404)
  })

  test('is refused where the portal does not allow it', async () => {
    await live.app.close()
    await start(false)
    const answer = await ask('module=mfe-users&port=5177')
    expect(answer.statusCode).toBe(403)
    expect(answer.json().message).toMatch(/PORTAL_MODULE_OVERRIDE=yes/)
    expect((await onPage('portal_override=mfe-users.5177')).modules[0].override).toBeUndefined()
  })
})
