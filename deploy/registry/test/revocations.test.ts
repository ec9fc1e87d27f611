import { mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { build, startRegistry } from './test-registry.ts'
import { withTwoBuilds } from './two-builds.ts'

describe('what is live', () => {
  test('that is revoked is withheld at once and cannot be live again', async () => {
    const { awa, moussa, registry } = await withTwoBuilds()
    const revoked = await awa.change('mfe-health', 'revoke', { version: '1.1.0', reason: 'it leaks names' })
    expect(revoked).toMatchObject({ status: 200, body: { generation: 4 } })
    expect((await registry.verified()).modules[0]).toMatchObject({ version: '1.1.0', withheld: 'revoked' })
    await awa.change('mfe-health', 'rollback')
    expect((await registry.verified()).modules[0]).toMatchObject({ version: '1.0.0', withheld: null })
    const again = await moussa.change('mfe-health', 'promote', { version: '1.1.0' })
    expect(again.status).toBe(409)
    expect(again.body.message).toMatch(/was revoked by Awa \(awa\) \(it leaks names\): publish a new version/)
  })

  test('of a person whose key was revoked goes live neither by promotion nor by rollback', async () => {
    const started = await startRegistry()
    const { registry } = started
    const [awa, binta, moussa] = [
      await started.person('Awa'),
      await started.person('Binta'),
      await started.person('Moussa'),
    ]
    const promote = (version: string) => moussa.change('mfe-health', 'promote', { version })
    await awa.publish(build('1.0.0'))
    await promote('1.0.0')
    await binta.publish(build('1.1.0'))
    await promote('1.1.0')
    await awa.publish(build('1.2.0'))
    await registry.revocations.revokeKey('awa', { by: 'operator', at: '', reason: 'stolen' })
    const sentence = /was signed with the key awa, which operator revoked \(stolen\): publish a new version/
    for (const refused of [await promote('1.2.0'), await moussa.change('mfe-health', 'rollback')]) {
      expect(refused.status).toBe(409)
      expect(refused.body.message).toMatch(sentence)
    }
    expect((await registry.verified()).modules[0]).toMatchObject({ version: '1.1.0', withheld: null })
  })

  test('whose revocation broke off is withheld when the person repeats it', async () => {
    const { awa, registry, folder } = await withTwoBuilds()
    // The next generation cannot be made, as if the process died before it.
    const next = join(folder, 'generations/00000004.json')
    mkdirSync(next)
    const revoke = () =>
      awa.call('POST', '/registry/modules/mfe-health/revoke', { version: '1.1.0', reason: 'it leaks names' })
    expect((await revoke()).status).toBe(500)
    rmdirSync(next)
    // Gateways look at a build again with the next generation.
    expect(await revoke()).toMatchObject({ status: 200, body: { generation: 4 } })
    expect((await registry.verified()).modules[0]).toMatchObject({ version: '1.1.0', withheld: 'revoked' })
  })

  test('signed with a revoked key is withheld; a build of a retired key stays live', async () => {
    const { registry } = await withTwoBuilds()
    const key = await registry.keys.read('awa')
    if (!key) throw new Error('no key')
    await registry.keys.replace({ ...key, retired: true })
    expect((await registry.verified()).modules[0]).toMatchObject({
      withheld: null,
      previous: { version: '1.0.0' },
    })
    await registry.revocations.revokeKey('awa', { by: 'operator', at: '', reason: 'stolen' })
    expect((await registry.verified()).modules[0]).toMatchObject({ withheld: 'revoked', previous: null })
  })

  test('stays withheld when a bad disk has damaged the file of its revocation', async () => {
    const { awa, moussa, registry, folder } = await withTwoBuilds()
    await awa.change('mfe-health', 'revoke', { version: '1.1.0', reason: 'it leaks names' })
    const ofModule = join(folder, 'revoked/builds/mfe-health')
    for (const file of readdirSync(ofModule)) writeFileSync(join(ofModule, file), '{"by":"Aw')
    expect((await registry.verified()).modules[0]).toMatchObject({ version: '1.1.0', withheld: 'revoked' })
    await awa.change('mfe-health', 'rollback')
    expect(await moussa.change('mfe-health', 'promote', { version: '1.1.0' })).toMatchObject({ status: 409 })
    await registry.revocations.revokeKey('awa', { by: 'operator', at: '', reason: 'stolen' })
    writeFileSync(join(folder, 'revoked/keys/awa.json'), 'null')
    expect((await registry.verified()).modules[0]).toMatchObject({ withheld: 'revoked' })
  })
})
