import type { Offer } from '@portal/sdk/majors'
import { describe, expect, test } from 'vitest'
import type { PortalRegistry } from '../src/registry.ts'
import { publishRelease } from '../src/release.ts'
import { makeKey } from '../src/release-key.ts'
import { type Built, build, buildProduct, type Publisher, startRegistry } from './test-registry.ts'

const next: Offer = { contract: '2.0.0' }
const nextWithAdapter: Offer = { contract: '2.0.0', carries: ['1.5.0'], until: { '1.5.0': '2028-11-30' } }
const react = '19.3.1'

/** A build of the module for the contract of tomorrow. */
const forNext = (version: string) =>
  build(version, {
    contract: '^2.0.0',
    shared: { react, 'react-dom': react, '@portal/sdk': '2.0.0' },
  })

/** A portal of contract 1.x, where 1.0.0 of the module is live. */
async function portalWithModule() {
  const started = await startRegistry()
  const [awa, moussa] = [await started.person('Awa'), await started.person('Moussa')]
  const promote = (version: string, more = {}) => moussa.change('mfe-health', 'promote', { version, ...more })
  const goLive = async (built: Built) => {
    expect((await awa.publish(built)).status).toBe(201)
    return promote(built.details.version)
  }
  await goLive(build())
  const key = { id: 'release-next', jwk: makeKey() }
  /** The operator installs a portal with another contract, or the one before again. */
  const install = (shell: string, version: string, contract?: Offer) =>
    publishRelease(started.registry, buildProduct(shell, version), key, contract)
  return { ...started, awa, moussa, promote, goLive, install }
}

const entryOf = async (registry: PortalRegistry) =>
  (await registry.verified()).modules.find(({ name }) => name === 'mfe-health')

const rollback = (person: Publisher, more = {}) => person.change('mfe-health', 'rollback', more)

describe('a team on the day before the next contract', () => {
  test('makes a build for it live beside the one that people use, which stays as it is', async () => {
    const { registry, goLive, app } = await portalWithModule()
    const made = await goLive(forNext('2.0.0'))
    expect(made.status, made.body.message).toBe(200)
    expect(made.body.message).toMatch(/2\.0\.0 .*waits for a portal of contract \^2\.0\.0/)
    expect(await entryOf(registry)).toMatchObject({ version: '1.0.0', beside: [{ version: '2.0.0' }] })
    const { modules } = (await app.inject('/registry/status')).json()
    expect(modules).toContainEqual(
      expect.objectContaining({
        version: '1.0.0',
        beside: [expect.objectContaining({ version: '2.0.0', contract: '^2.0.0' })],
      }),
    )
    const [latest] = await registry.history('mfe-health')
    expect(latest).toMatchObject({ what: 'promote', version: '2.0.0' })
  })

  test('is refused while nothing of it fits the portal of today', async () => {
    const { person } = await startRegistry()
    const refused = await (await person('Awa')).publishOnly(forNext('2.0.0'))
    expect(refused.status).toBe(422)
    expect(refused.body.checks).toContainEqual(
      expect.objectContaining({
        gate: 'contract',
        ok: false,
        text: expect.stringMatching(/publish a build for it first/),
      }),
    )
  })

  test('cannot give it to a tenth of the people, because nobody could open it', async () => {
    const { awa, promote } = await portalWithModule()
    await awa.publish(forNext('2.0.0'))
    const refused = await promote('2.0.0', { canary: { percent: 10 } })
    expect(refused.status).toBe(409)
    expect(refused.body.message).toMatch(/without --canary/)
  })

  test('goes on with patches for the contract of today, and takes back only the build that waits', async () => {
    const { registry, goLive, moussa } = await portalWithModule()
    await goLive(forNext('2.0.0'))
    expect((await goLive(build('1.0.1'))).status).toBe(200)
    expect(await entryOf(registry)).toMatchObject({
      version: '1.0.1',
      previous: { version: '1.0.0' },
      beside: [{ version: '2.0.0' }],
    })
    expect((await rollback(moussa, { contract: 2 })).status).toBe(200)
    const entry = await entryOf(registry)
    expect([entry?.version, entry?.beside ?? []]).toEqual(['1.0.1', []])
  })
})

describe('the operator who installs a portal of the next contract', () => {
  test('finds the build for it live at once, and the other one again after going back', async () => {
    const { registry, goLive, install } = await portalWithModule()
    await goLive(forNext('2.0.0'))
    await install('bbbbbbbbbbbb', '0.2.0', next)
    expect(await entryOf(registry)).toMatchObject({
      version: '2.0.0',
      withheld: null,
      beside: [{ version: '1.0.0' }],
    })
    await install('aaaaaaaaaaaa', '0.1.0')
    expect(await entryOf(registry)).toMatchObject({ version: '1.0.0', beside: [{ version: '2.0.0' }] })
  })

  test('keeps a module of the contract before running where the portal carries it', async () => {
    const { registry, goLive, install, moussa } = await portalWithModule()
    await install('bbbbbbbbbbbb', '0.2.0', nextWithAdapter)
    expect(await entryOf(registry)).toMatchObject({ version: '1.0.0' })
    // Its team repairs it, and then comes along with the next contract; open tabs still run the shell before.
    expect((await goLive(build('1.0.1'))).status).toBe(200)
    const made = await goLive(forNext('2.0.0'))
    expect(made.status, made.body.message).toBe(200)
    expect(await entryOf(registry)).toMatchObject({
      version: '2.0.0',
      previous: { version: '1.0.1' },
      beside: [{ version: '1.0.1' }],
    })
    // A repair for those who stay behind does not touch what everybody else has.
    await goLive(build('1.0.2'))
    expect(await entryOf(registry)).toMatchObject({ version: '2.0.0', beside: [{ version: '1.0.2' }] })
    expect((await rollback(moussa)).status).toBe(200)
    const entry = await entryOf(registry)
    expect([entry?.version, entry?.beside ?? []]).toEqual(['1.0.2', []])
  })

  test('sees which modules run by the adapter and until when, and their teams are warned by the gate', async () => {
    const { registry, awa, install, goLive } = await portalWithModule()
    const stateOf = async () => (await registry.status()).modules.find(({ name }) => name === 'mfe-health')
    expect(await stateOf()).toMatchObject({ carried_until: null })
    await install('bbbbbbbbbbbb', '0.2.0', nextWithAdapter)
    expect(await stateOf()).toMatchObject({ version: '1.0.0', carried_until: '2028-11-30' })
    const { body } = await awa.publish(build('1.0.1'))
    expect(body.checks).toContainEqual(
      expect.objectContaining({
        ...{ gate: 'contract', ok: true, warns: true },
        text: expect.stringMatching(/by an adapter until 2028-11-30.*portal-module upgrade/),
      }),
    )
    await goLive(forNext('2.0.0'))
    expect(await stateOf()).toMatchObject({ version: '2.0.0', carried_until: null })
  })

  test('reads which modules have nothing for it', async () => {
    const { registry, install } = await portalWithModule()
    await install('bbbbbbbbbbbb', '0.2.0', next)
    const named = (await registry.log.read()).filter(({ what }) => what === 'contract')
    expect(named).toMatchObject([
      { message: expect.stringMatching(/^mfe-health 1\.0\.0 asks for \^1\.\d+\.\d+.* has 2\.0\.0/) },
    ])
  })

  test('is told by the gates that a build for a contract that no portal carries any more cannot go live', async () => {
    const { awa, install, goLive } = await portalWithModule()
    await goLive(forNext('2.0.0'))
    await install('bbbbbbbbbbbb', '0.2.0', next)
    await install('cccccccccccc', '0.3.0', next)
    const refused = await awa.publishOnly(build('1.0.1'))
    expect(refused.status).toBe(422)
  })
})
