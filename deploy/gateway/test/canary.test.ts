import { describe, expect, test } from 'vitest'
import { forge, live, onPage, release, start, startLiveGateway } from './live-gateway.ts'

startLiveGateway()

describe('a canary', () => {
  const tried = async (share: { percent: number } | { roles: string[] }) => {
    await release('1.1.0')
    await live.registry.change({ name: 'mfe-users', action: 'rollback', generation: 2, by: 'administrator' })
    await live.registry.changes.promote({
      by: 'Awa',
      name: 'mfe-users',
      generation: 3,
      version: '1.1.0',
      canary: share,
    })
  }
  const versionFor = async (id: number, ...roles: string[]) => {
    live.who = { id, roles: roles.map((name) => ({ name })) }
    return (await onPage()).modules[0].version
  }

  test('goes to about the given share of people, and always to the same ones', async () => {
    await tried({ percent: 20 })
    const first = new Map<number, string>()
    for (let id = 1; id <= 400; id += 1) first.set(id, await versionFor(id))
    const share = [...first.values()].filter((version) => version === '1.1.0').length / 400
    expect(share).toBeGreaterThan(0.14)
    expect(share).toBeLessThan(0.26)
    await live.app.close()
    await start()
    for (const id of [1, 2, 3, 50, 99, 200, 333]) expect(await versionFor(id)).toBe(first.get(id))
  })

  test('for a role goes to people with that role, and to nobody else', async () => {
    await tried({ roles: ['School Officer'] })
    expect(await versionFor(1, 'Auditor', 'School Officer')).toBe('1.1.0')
    expect(await versionFor(1, 'Auditor')).toBe('1.0.0')
    live.who = null
    expect((await onPage()).modules[0].version).toBe('1.0.0')
    expect((await live.app.inject('/modules.json')).json().modules[0].version).toBe('1.0.0')
  })

  test('with an invalid signature goes to nobody', async () => {
    await tried({ roles: ['School Officer'] })
    const { modules } = await live.registry.now()
    const canary = modules[0]?.canary
    if (canary) await forge({ canary: { ...canary, module: { ...canary.module, signature: null } } })
    expect(await versionFor(1, 'School Officer')).toBe('1.0.0')
  })
})
