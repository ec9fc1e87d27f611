import { join } from 'node:path'
import { openRegistry } from '@portal/registry'
import { publishRelease } from '@portal/registry/release'
import { diskStore } from '@portal/registry/store'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  builds,
  built,
  forge,
  key,
  live,
  publishOnly,
  release,
  start,
  startLiveGateway,
  type Version,
  write,
} from './live-gateway.ts'

startLiveGateway()

describe('files of a module', () => {
  const policyOf = ({ headers }: { headers: Record<string, unknown> }) =>
    String(headers['content-security-policy'])
  const file = (version: Version, name = 'remoteEntry.js') =>
    live.app.inject(`/modules/mfe-users/${builds[version]}/${name}`)
  const statusOf = async (version: Version, name?: string) => (await file(version, name)).statusCode

  test('cannot act when somebody opens one of them: no scripts, no forms, no origin', async () => {
    const picture = await file('1.0.0', 'picture.svg')
    expect(picture.headers['content-type']).toMatch(/^image\/svg\+xml/)
    expect(policyOf(picture)).toBe(
      "default-src 'none'; script-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
    )
    expect(policyOf(await file('1.0.0', 'build.json'))).toMatch(/script-src 'none'; .*sandbox$/)
    expect(policyOf(await file('1.0.0', 'gone.css'))).toMatch(/sandbox$/)
    const script = await file('1.0.0')
    expect(script.headers['content-type']).toMatch(/^text\/javascript/)
    expect(policyOf(script)).not.toContain('sandbox')
    expect(await file('1.0.0', 'page.html')).toMatchObject({ statusCode: 404 })
    expect(await file('1.0.0', 'sources.map')).toMatchObject({ statusCode: 404 })
  })

  test('are sent of what is live or was live before, and of nothing that was only built', async () => {
    built('1.1.0')
    expect(await statusOf('1.1.0')).toBe(404)
    await release('1.1.0')
    expect([await statusOf('1.0.0'), await statusOf('1.1.0')]).toEqual([200, 200])
  })

  test('of a revoked build are gone at once, also in its open tabs', async () => {
    await release('1.1.0')
    expect(await statusOf('1.0.0', 'build.json')).toBe(200)
    const why = { by: 'operator', name: 'mfe-users', reason: 'it leaks' }
    await live.registry.changes.revoke({ ...why, version: '1.0.0' })
    for (const name of ['remoteEntry.js', 'build.json', 'picture.svg'])
      expect([name, await statusOf('1.0.0', name)]).toEqual([name, 404])
    expect(await statusOf('1.1.0')).toBe(200)
    await live.registry.changes.revoke({ ...why, version: '1.1.0' })
    expect(await statusOf('1.1.0')).toBe(404)
  })

  test('signed with a revoked key are gone at once', async () => {
    expect(await statusOf('1.0.0')).toBe(200)
    await live.registry.revocations.revokeKey(key.id, { by: 'operator', at: '', reason: 'stolen' })
    await forge({})
    expect(await statusOf('1.0.0')).toBe(404)
  })

  test('stay for the tabs that were open when their build was replaced, for thirty days', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    await release('1.1.0')
    await release('1.2.0')
    vi.setSystemTime(Date.now() + 29 * 86_400_000)
    expect(await statusOf('1.0.0')).toBe(200)
    vi.setSystemTime(Date.now() + 2 * 86_400_000)
    expect(await statusOf('1.0.0')).toBe(404)
    expect([await statusOf('1.1.0'), await statusOf('1.2.0')]).toEqual([200, 200])
    await live.app.close()
    await start()
    expect([await statusOf('1.0.0'), await statusOf('1.1.0')]).toEqual([404, 200])
  })

  test('of a canary are sent to its people and to nobody else', async () => {
    await publishOnly('1.1.0')
    const canary = { by: 'Awa', name: 'mfe-users', version: '1.1.0', canary: { roles: ['School Officer'] } }
    await live.registry.changes.promote({ ...canary, generation: 1 })
    const statusFor = async (...roles: string[]) => {
      live.who = { id: 1, roles: roles.map((name) => ({ name })) }
      return file('1.1.0')
    }
    const seen = await statusFor('School Officer')
    expect(seen.statusCode).toBe(200)
    expect(seen.headers['cache-control']).toMatch(/^private/)
    expect((await statusFor('Auditor')).statusCode).toBe(404)
    live.who = null
    expect(await statusOf('1.1.0')).toBe(404)
    expect((await file('1.0.0')).headers['cache-control']).toMatch(/^public/)
  })

  test('are found by a machine that has not seen the newest generation yet', async () => {
    await live.app.close()
    live.registry = openRegistry({ store: { ...diskStore(join(live.folder, 'registry')), near: false } })
    await start()
    expect(await statusOf('1.0.0')).toBe(200)
    const other = openRegistry({ store: diskStore(join(live.folder, 'registry')) })
    built('1.1.0')
    await publishRelease(other, join(live.folder, 'dist'), key)
    expect(await statusOf('1.1.0')).toBe(200)
  })

  test('and the page of a frame are found by a machine that has not seen a new module yet', async () => {
    await live.app.close()
    const store = join(live.folder, 'new')
    live.registry = openRegistry({ store: { ...diskStore(store), near: false } })
    write('dist/shell/isolated.en.html', '<html lang="en"><body>__INLINE__</body></html>')
    write('dist/shell/assets/frame.0123456789abcdef.js', '/* the program of frames */')
    await start(false, 'http://*.modules.test')
    const headers = { host: 'mfe-users.modules.test' }
    const statusAt = async (url: string) => (await live.app.inject({ url, headers })).statusCode
    const program = '/assets/frame.0123456789abcdef.js'
    expect(await statusAt(program)).toBe(404)
    // A person whose page came from another machine is led to this one.
    await publishRelease(openRegistry({ store: diskStore(store) }), join(live.folder, 'dist'), key)
    expect([await statusAt(program), await statusAt(`/frame/mfe-users/${builds['1.0.0']}`)]).toEqual([
      200, 200,
    ])
    built('1.1.0')
    await publishRelease(openRegistry({ store: diskStore(store) }), join(live.folder, 'dist'), key)
    expect(await statusAt(`/frame/mfe-users/${builds['1.1.0']}`)).toBe(200)
  })
})
