import { join } from 'node:path'
import { openRegistry } from '@portal/registry'
import { makeKey } from '@portal/registry/release-key'
import { type PublisherKey, rights } from '@portal/registry/schemas'
import { authorize, integrityOf, type SigningKey, signBuild } from '@portal/registry/signing'
import { diskStore } from '@portal/registry/store'
import { place } from '../stage/place.ts'
import type { Probe } from './probe.ts'

/** The folder of the registry of the run, which an operator may open and an attacker may damage. */
export const registryFolder = join(place.folder, 'registry')

/** The registry as its operator has it, beside the portal that serves it. */
export const operator = openRegistry({ store: diskStore(registryFolder) })

const checks = [{ gate: 'conformance', ok: true, text: 'All passed.' }]
let people = 0

/** Somebody with a key of their own, who publishes over HTTP as `portal-module` does. */
export async function publisher(
  person: string,
  modules: string[],
  may: PublisherKey['may'] = [...rights],
  address = place.url,
) {
  people += 1
  const key: SigningKey = { id: `faults-${people}-${Date.now()}`, jwk: makeKey() }
  const half = { kty: 'OKP', crv: 'Ed25519', x: String(key.jwk.x) } as const
  await operator.keys.add({ id: key.id, person, name: key.id, public: half, modules, may, retired: false })

  async function call(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) {
    const given = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await fetch(`${address}${path}`, {
      method,
      headers: {
        authorization: await authorize(key, { method, path, body: given }),
        ...(given && { 'content-type': 'application/octet-stream' }),
      },
      ...(given && { body: given }),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, string> }
  }
  const signed = ({ record, text }: Probe) => {
    const { name, version, build } = record
    return signBuild(key, { name, version, build, integrity: integrityOf(text) })
  }
  const change = async (name: string, act: string, fields: Record<string, unknown> = {}) =>
    call('POST', `/registry/modules/${name}/${act}`, { generation: await liveGeneration(), ...fields })

  async function announce(probe: Probe) {
    const { name, build } = probe.record
    const announcement = { record: probe.text, signature: await signed(probe), checks }
    const announced = await call('POST', '/registry/uploads', announcement)
    if (announced.status !== 201) return announced
    for (const [file, text] of Object.entries(probe.files)) {
      const sent = await call('PUT', `/registry/uploads/${name}/${build}/files/${file}`, text)
      if (sent.status !== 201) return sent
    }
    return announced
  }
  const commit = ({ record: { name, build } }: Probe) =>
    call('POST', `/registry/uploads/${name}/${build}/commit`)
  /** Publishes a build that nobody has admitted yet. */
  async function publishOnly(probe: Probe) {
    const announced = await announce(probe)
    return announced.status === 201 ? commit(probe) : announced
  }
  /** Publishes a build, and the operator admits it as an administrator would. */
  async function publish(probe: Probe) {
    const answer = await publishOnly(probe)
    if (answer.status === 201) await admit(probe)
    return answer
  }
  return { key, call, signed, change, announce, commit, publish, publishOnly }
}
export type Publisher = Awaited<ReturnType<typeof publisher>>

/** Admits a build, by default to the portal's page, so that it can be promoted. */
export const admit = ({ record: { name, build } }: Pick<Probe, 'record'>, trusted = true) =>
  operator.admit({ by: 'operator', name, build, trusted })

/** The generation that a person sees who asks now. */
export const liveGeneration = async (): Promise<number> => (await operator.now()).generation

/** Two people of one team: what one has signed the other lets in. */
export async function team(module: string) {
  const [awa, moussa] = [await publisher('Awa', [module]), await publisher('Moussa', [module])]
  return {
    ...{ awa, moussa },
    /** From a finished build to live. */
    async release(probe: Probe) {
      const { name, version } = probe.record
      const published = await awa.publish(probe)
      if (published.status > 201) throw new Error(`${published.status}: ${published.body.message}`)
      const promoted = await moussa.change(name, 'promote', { version })
      if (promoted.status !== 200) throw new Error(`${promoted.status}: ${promoted.body.message}`)
    },
  }
}
