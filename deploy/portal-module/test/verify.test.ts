import { beforeEach, expect, test } from 'vitest'
import {
  build,
  integrityOf,
  makeKey,
  type Publisher,
  signBuild,
  startRegistry,
  type TestRegistry,
} from '../../registry/test/test-registry.ts'
import { connect } from '../src/portal.ts'
import { verifyPortal } from '../src/verify.ts'

type Entry = Awaited<ReturnType<TestRegistry['registry']['now']>>['modules'][number]

let started: TestRegistry
let awa: Publisher
let address: string
/** Changes what the portal serves, so that it differs from the registry. The command must find that. */
let served: (entry: Entry) => Entry

beforeEach(async () => {
  started = await startRegistry()
  const { app, registry } = started
  served = (entry) => entry
  app.get('/modules.json', async () => {
    const { generation, shell, modules } = await registry.now()
    return { generation, shell, modules: modules.map((entry) => served(entry)) }
  })
  app.get('/modules/*', async (request, reply) => reply.send(await registry.store.read(request.url.slice(1))))
  address = await app.listen({ port: 0, host: '127.0.0.1' })
  awa = await started.person('Awa')
  const moussa = await started.person('Moussa')
  await awa.publish(build())
  await moussa.change('mfe-health', 'promote', { version: '1.0.0' })
})

const verify = () => verifyPortal(connect(address))
const only = (change: (entry: Entry) => Partial<Entry>) => (entry: Entry) =>
  entry.name === 'mfe-health' ? { ...entry, ...change(entry) } : entry

test('a team verifies that everything is signed, and sees by whom', async () => {
  const { ok, text } = await verify()
  expect(text).toMatch(/✓ +mfe-health 1\.0\.0 +signed by awa; 2 files/)
  expect(ok).toBe(true)
})

test('a team reads which signature was tampered with', async () => {
  served = only(({ signature }) => {
    const [head, payload, end = ''] = String(signature).split('.')
    return { signature: [head, payload, (end.startsWith('A') ? 'B' : 'A') + end.slice(1)].join('.') }
  })
  const { ok, text } = await verify()
  expect(text).toMatch(/✗ +mfe-health 1\.0\.0 +not what awa signed/)
  expect(ok).toBe(false)
})

test('a team cannot use the signature of one build for another', async () => {
  served = only(() => ({ version: '1.0.1' }))
  expect((await verify()).text).toContain('not what awa signed')
})

test('a team reads that a key is unknown or does not own the module', async () => {
  const fatou = await started.person('Fatou', ['mfe-clinics'])
  const entry = (await started.registry.now()).modules.find(({ name }) => name === 'mfe-health') as Entry
  const theirs = await signBuild(fatou.key, entry)
  served = only(() => ({ signature: theirs }))
  expect((await verify()).text).toContain('signed by fatou, whose key is not for mfe-health')
  const strange = await signBuild({ id: 'stranger', jwk: makeKey() }, entry)
  served = only(() => ({ signature: strange }))
  expect((await verify()).text).toContain('signed with stranger, which the portal does not know')
  served = only(() => ({ signature: null }))
  expect((await verify()).text).toContain('nobody signed it')
})

test('a team reads which build was revoked although the portal still serves it', async () => {
  const why = { by: 'operator', at: '2026-01-01T00:00:00Z', reason: 'lost' }
  const entry = (await started.registry.now()).modules.find(({ name }) => name === 'mfe-health') as Entry
  await started.registry.revocations.revokeBuild('mfe-health', entry.build, why)
  expect((await verify()).text).toContain(`build ${entry.build} was revoked`)
  await started.registry.revocations.revokeKey('release-test', why)
  expect((await verify()).text).toMatch(/✗ +mfe-users .*whose key was revoked/)
})

test('a team reads which file differs from the signed one', async () => {
  served = only(() => ({ integrity: integrityOf('{}') }))
  expect((await verify()).text).toContain('build.json is not what was published')
})

test('anybody reads the public keys of publishers, and neither a private key nor a name', async () => {
  const { keys, builds } = (await started.app.inject('/registry/keys')).json()
  expect(builds).toEqual([])
  const [first] = keys.filter(({ id }: { id: string }) => id === 'awa')
  expect(first).toEqual({
    ...{ id: 'awa', person: null, modules: ['mfe-health'], retired: false, revoked: false },
    public: { kty: 'OKP', crv: 'Ed25519', x: expect.any(String) },
  })
})
