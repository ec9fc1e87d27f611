import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openRegistry } from '@portal/registry'
import { makeKey } from '@portal/registry/release-key'
import { integrityOf, signBuild } from '@portal/registry/signing'
import { diskStore } from '@portal/registry/store'
import type { Probe } from '../faults/probe.ts'

/** A build as it is published: a probe, or what a team's tools have built. */
export type Publishable = Pick<Probe, 'record' | 'text'> & { files: Record<string, string | Buffer> }

const id = 'partner-of-journeys'
export const partner = 'A partner'
/** The partner's key, and its modules: several of them may be live at one time. */
type Owner = { jwk: ReturnType<typeof makeKey>; modules: string[] }

/**
 * The partner's key with one more module. It is kept beside the portal: after a test that failed the others go on in a
 * process of their own, and what was published before stays signed.
 */
function ownerOf(folder: string, module: string): Owner {
  const file = join(folder, `${id}.json`)
  const { jwk, modules }: Owner = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { jwk: makeKey(), modules: [] }
  const owner = { jwk, modules: [...new Set([...modules, module])] }
  writeFileSync(file, JSON.stringify(owner))
  return owner
}

/** The registry of a portal's data folder. */
export const registryOf = (folder: string) => openRegistry({ store: diskStore(join(folder, 'registry')) })

/**
 * Publishes a build in the portal of a data folder, signed by a key that owns its module. It waits for admission. This file
 * knows nothing of the portal of the run, because the set-up uses it before there is one.
 */
export async function publishInto(folder: string, { record, text, files }: Publishable): Promise<void> {
  const registry = registryOf(folder)
  const { name, version, build, base } = record
  const { jwk, modules } = ownerOf(folder, name)
  const half = { kty: 'OKP', crv: 'Ed25519', x: String(jwk.x) } as const
  await registry.keys.replace({
    ...{ id, person: partner, name: 'journeys', public: half, modules },
    may: ['publish', 'promote'],
    retired: false,
  })
  for (const [file, content] of Object.entries({ ...files, 'build.json': text }))
    await registry.store.replace(`${base.slice(1)}${file}`, content)
  const signed = { name, version, build, integrity: integrityOf(text) }
  await registry.builds.publish({
    ...signed,
    ...{
      signature: await signBuild({ id, jwk }, signed),
      key: id,
      person: partner,
      at: new Date().toISOString(),
    },
    ...{ release: false, checks: [{ gate: 'conformance', ok: true, text: 'All passed.' }] },
  })
}
