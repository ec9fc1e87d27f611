import { beforeAll, beforeEach } from 'vitest'
import { publishRelease } from '../../../deploy/registry/src/release.ts'
import {
  type Built,
  build,
  buildProduct,
  integrityOf,
  makeKey,
  passed,
  signBuild,
} from '../../../deploy/registry/test/test-registry.ts'
import type { Portal } from '../portal.ts'

export const waiting = '/admin/modules/waiting'
export const admissions = (name: string) => `/admin/modules/${name}/admissions`

/** For tests of admissions: a partner's key, her builds, and who makes them live. Each test has an empty portal. */
export function admissionStage(portal: Portal) {
  const { registry } = portal.context
  const key = { id: 'awa', jwk: makeKey() }
  beforeAll(async () => {
    const { kty, crv, x } = key.jwk
    await registry.keys.add({
      ...{ id: key.id, person: 'Awa Keïta', name: key.id, public: { kty, crv, x } },
      ...{ modules: ['mfe-health', 'mfe-wells'], may: ['publish'], retired: false },
    })
  })
  beforeEach(() => portal.clear())

  /** Publishes a partner's build, which nobody has admitted. */
  async function publish({ details, record, files }: Built, maps = '{}', into = registry) {
    const { name, version, build } = details
    const signed = { name, version, build, integrity: integrityOf(record) }
    for (const [path, content] of Object.entries({ ...files, 'build.json': record, 'sources.map': maps }))
      await into.store.replace(`modules/${name}/${build}/${path}`, content)
    await into.builds.publish({
      ...{ ...signed, signature: await signBuild(key, signed), key: key.id, person: 'Awa Keïta' },
      ...{ at: new Date().toISOString(), release: false, checks: passed },
    })
    return { name, version, build }
  }
  async function promote({ name, version }: { name: string; version: string }) {
    const { generation } = await registry.now()
    return registry.changes.promote({ by: 'Moussa Sarr', name, version, generation })
  }
  /** Publishes the product, and makes the first build of the partner live beside it, unless it is. */
  async function firstBuildLive() {
    if ((await registry.now()).modules.length) return
    await publishRelease(registry, buildProduct(), { id: 'release-test', jwk: makeKey() })
    const made = await publish(build())
    await registry.admit({ by: 'operator', name: made.name, build: made.build })
    await promote(made)
  }
  return { publish, promote, firstBuildLive }
}
