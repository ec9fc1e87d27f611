import { join } from 'node:path'
import { openRegistry } from '@portal/registry'
import { makeKey } from '@portal/registry/release-key'
import { integrityOf, signBuild } from '@portal/registry/signing'
import { diskStore } from '@portal/registry/store'
import type { Probe } from './faults/probe.ts'
import { place } from './stage/place.ts'

const key = { id: 'partner-of-journeys', jwk: makeKey() }
const person = 'A partner'

const open = (folder = place.folder) => openRegistry({ store: diskStore(join(folder, 'registry')) })

/** Publishes a build in the portal of the run or of a data folder, signed by a key that owns its module. It waits for admission. */
export async function publishBuild({ record, text, files }: Probe, folder?: string): Promise<void> {
  const registry = open(folder)
  const { name, version, build, base } = record
  const half = { kty: 'OKP', crv: 'Ed25519', x: String(key.jwk.x) } as const
  await registry.keys.replace({
    ...{ id: key.id, person, name: 'journeys', public: half, modules: [name] },
    may: ['publish', 'promote'],
    retired: false,
  })
  for (const [file, content] of Object.entries({ ...files, 'build.json': text }))
    await registry.store.replace(`${base.slice(1)}${file}`, content)
  const signed = { name, version, build, integrity: integrityOf(text) }
  await registry.builds.publish({
    ...signed,
    ...{ signature: await signBuild(key, signed), key: key.id, person, at: new Date().toISOString() },
    ...{ release: false, checks: [{ gate: 'conformance', ok: true, text: 'All passed.' }] },
  })
}

/** Makes a build that was admitted live, as its team does. */
export async function promoteBuild({ record: { name, version } }: Probe): Promise<void> {
  const registry = open()
  const { generation } = await registry.now()
  await registry.changes.promote({ by: person, name, version, generation })
}

/** Makes a build live: what a partner's publishing ends in. */
export async function makeLive(probe: Probe): Promise<void> {
  await publishBuild(probe)
  const { name, build } = probe.record
  await open().admit({ by: 'administrator of journeys', name, build })
  await promoteBuild(probe)
}
