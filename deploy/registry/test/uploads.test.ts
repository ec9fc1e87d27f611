import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { PortalRegistry } from '../src/registry.ts'
import { publishRelease } from '../src/release.ts'
import { makeKey } from '../src/release-key.ts'
import { type Built, build, buildProduct, type Publisher, startRegistry } from './test-registry.ts'

describe('an upload that nobody commits', () => {
  /** Announces and sends a build, and dates the upload `hours` back. */
  async function begun(registry: PortalRegistry, awa: Publisher, built: Built, hours: number) {
    await awa.announce(built)
    await awa.send(built)
    const folder = `uploads/mfe-health/${built.details.build}`
    const key = `${folder}/upload.json`
    const upload = JSON.parse(String(await registry.store.read(key)))
    const at = new Date(Date.parse(upload.at) - hours * 3_600_000).toISOString()
    await registry.store.replace(key, JSON.stringify({ ...upload, at }))
    return folder
  }

  test('is removed after a day, when somebody starts another', async () => {
    const { person, registry } = await startRegistry()
    const [awa, moussa] = [await person('Awa'), await person('Moussa')]
    const old = await begun(registry, awa, build('1.0.0'), 25)
    const recent = await begun(registry, awa, build('1.1.0'), 23)
    expect((await moussa.announce(build('2.0.0'))).status).toBe(201)
    expect(await registry.store.list(old)).toEqual([])
    expect(await registry.store.list(recent)).toHaveLength(3)
  })

  test('is removed after a day, when the portal starts, and can be sent again', async () => {
    const { person, registry } = await startRegistry()
    const awa = await person('Awa')
    const old = await begun(registry, awa, build(), 25)
    await publishRelease(registry, buildProduct(), { id: 'release-test-2', jwk: makeKey() })
    expect(await registry.store.list(old)).toEqual([])
    expect((await awa.publish(build())).status).toBe(201)
  })
})

describe('a full disk', () => {
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })

  test.each(['uploads/', 'modules/', 'builds/'])(
    'while %s is written is a 507, and nothing is visible',
    async (where) => {
      let room = true
      const { person, registry, folder } = await startRegistry((store) => {
        const guarded = async <T>(key: string, act: () => Promise<T>): Promise<T> => {
          if (!room && key.startsWith(where) && key.includes('mfe-health') && !key.endsWith('upload.json'))
            throw full
          return act()
        }
        return { ...store, create: (key, data) => guarded(key, () => store.create(key, data)) }
      })
      const [awa, moussa] = [await person('Awa'), await person('Moussa')]
      room = false
      const refused = await awa.publish(build())
      expect(refused.status).toBe(507)
      expect(refused.body.message).toMatch(/store is full: nothing of mfe-health .* was kept/)
      expect(await registry.builds.list('mfe-health')).toEqual([])
      for (const place of ['uploads', 'modules', 'builds'])
        expect(
          existsSync(join(folder, place, 'mfe-health')) &&
            readdirSync(join(folder, place, 'mfe-health')).length > 0,
        ).toBe(false)
      room = true
      expect((await awa.publish(build())).status).toBe(201)
      expect((await moussa.change('mfe-health', 'promote', { version: '1.0.0' })).status).toBe(200)
    },
  )
})
