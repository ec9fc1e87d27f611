import { expect, test } from 'vitest'
import { openRegistry, type PortalRegistry } from '../src/registry.ts'
import { publishRelease } from '../src/release.ts'
import { makeKey } from '../src/release-key.ts'
import { diskStore } from '../src/store.ts'
import { buildProduct } from './test-registry.ts'
import { withTwoBuilds } from './two-builds.ts'

const key = { id: 'release-test-2', jwk: makeKey() }
const by = 'administrator Fatou Sy'

/** Two processes with one store. What the first one does is stopped just before it makes its generation, and `between` is done then. */
async function interrupted<One>(
  one: (registry: PortalRegistry) => Promise<One>,
  between: (registry: PortalRegistry) => Promise<unknown>,
) {
  const { folder, registry } = await withTwoBuilds()
  const store = diskStore(folder)
  let isNext = true
  const other = openRegistry({
    store: {
      ...store,
      async create(file, data) {
        if (file.startsWith('generations/') && isNext) {
          isNext = false
          await between(registry)
        }
        return store.create(file, data)
      },
    },
  })
  const answer = await one(other).catch((refusal: Error) => refusal)
  const { modules } = await registry.now()
  const entry = (name: string) => modules.find((each) => each.name === name)
  return { answer, registry, entry }
}

const release = (registry: PortalRegistry) =>
  publishRelease(registry, buildProduct('bbbbbbbbbbbb', '0.2.0'), key)
const buildOf = async (registry: PortalRegistry, version: string) =>
  (await registry.builds.ofVersion('mfe-health', version))?.build ?? ''
const seen = async (registry: PortalRegistry) => (await registry.now()).generation

test('a module that an administrator disables while a release is published stays disabled, in its new version', async () => {
  const { answer, entry } = await interrupted(release, async (registry) =>
    registry.changes.disable({ name: 'mfe-users', generation: await seen(registry), by }),
  )
  expect(answer).toMatchObject({ what: 'release', shell: 'bbbbbbbbbbbb' })
  expect(entry('mfe-users')).toMatchObject({ version: '0.2.0', disabled: true })
})

test('a module that its team rolls back while a release is published stays rolled back', async () => {
  const { entry } = await interrupted(release, async (registry) =>
    registry.changes.rollback({ name: 'mfe-health', generation: await seen(registry), by }),
  )
  expect(entry('mfe-health')).toMatchObject({ version: '1.0.0' })
  expect(entry('mfe-users')).toMatchObject({ version: '0.2.0' })
})

test('an administrator who disables a module while its team rolls it back is told, and the module is rolled back', async () => {
  const { answer, entry } = await interrupted(
    async (registry) =>
      registry.changes.disable({ name: 'mfe-health', generation: await seen(registry), by }),
    async (registry) =>
      registry.changes.rollback({ name: 'mfe-health', generation: await seen(registry), by: 'Awa' }),
  )
  expect(answer).toMatchObject({ status: 409 })
  expect(entry('mfe-health')).toMatchObject({ version: '1.0.0', disabled: false })
})

test('a build that its team revokes while an administrator trusts it runs for nobody', async () => {
  const { registry } = await interrupted(
    async (other) =>
      other.decideTrust({ by, name: 'mfe-health', build: await buildOf(other, '1.1.0'), trusted: true }),
    (registry) =>
      registry.changes.revoke({ name: 'mfe-health', version: '1.1.0', by: 'Awa', reason: 'It leaks' }),
  )
  const { modules } = await registry.verified()
  expect(modules.find(({ name }) => name === 'mfe-health')).toMatchObject({
    version: '1.1.0',
    withheld: 'revoked',
  })
  expect(
    await registry.changes
      .promote({
        ...{ name: 'mfe-health', version: '1.1.0', by: 'Awa' },
        generation: await seen(registry),
      })
      .catch((refusal: Error) => refusal),
  ).toMatchObject({ status: 409 })
})

test('a build that is revoked while its team promotes it does not go live', async () => {
  const { answer, entry } = await interrupted(
    async (other) =>
      other.changes.promote({
        ...{ name: 'mfe-health', version: '1.0.0', by: 'Awa', downgrade: true },
        generation: await seen(other),
      }),
    (registry) =>
      registry.changes.revoke({ name: 'mfe-health', version: '1.0.0', by: 'Moussa', reason: 'It leaks' }),
  )
  expect(answer).toMatchObject({ status: 409 })
  expect(entry('mfe-health')).toMatchObject({ version: '1.1.0' })
})
