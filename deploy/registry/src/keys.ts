import * as v from 'valibot'
import { RegistryRefusal } from './refusals.ts'
import { PublisherKey, Revocation, type Right } from './schemas.ts'
import type { Store } from './store.ts'
import { readStored } from './stored-json.ts'

const fileOf = (id: string) => `keys/${id}.json`

/** Whether the signature of a key counts for a module: also for what it signed before the module was withdrawn from it. */
export const vouchesFor = (
  { modules, former }: Pick<PublisherKey, 'modules' | 'former'>,
  name: string,
): boolean => modules.includes(name) || former.includes(name)

/** Whether a key owns a module. */
export const owns = (key: Pick<PublisherKey, 'modules'>, name: string): boolean => key.modules.includes(name)

/** The public keys of publishers. Each is a file, so that concurrent additions lose none. */
export function openKeys(store: Store) {
  const read = (id: string): Promise<PublisherKey | null> =>
    /^[\w-]{1,60}$/.test(id) ? readStored(store, fileOf(id), PublisherKey) : Promise.resolve(null)

  async function list(): Promise<PublisherKey[]> {
    const found = await Promise.all(
      (await store.list('keys')).map((key) => readStored(store, key, PublisherKey)),
    )
    return found.filter((key) => key !== null)
  }

  async function add(key: v.InferInput<typeof PublisherKey>): Promise<void> {
    const checked = v.parse(PublisherKey, key)
    if (await store.create(fileOf(checked.id), JSON.stringify(checked))) return
    throw new RegistryRefusal(
      409,
      `There is a key ${checked.id} already, of ${(await read(checked.id))?.person ?? 'somebody'}: choose another id.`,
    )
  }

  const replace = (key: v.InferInput<typeof PublisherKey>) =>
    store.replace(fileOf(key.id), JSON.stringify(v.parse(PublisherKey, key)))

  return { read, list, add, replace }
}
export type Keys = ReturnType<typeof openKeys>

/** The revoked builds and keys, by name. */
export type Revoked = { builds: { name: string; build: string }[]; keys: string[] }

/** What is known of a revocation whose file a bad disk has damaged. */
const damaged: Revocation = { by: 'somebody', at: '', reason: 'the file of its revocation is damaged' }

/**
 * Revocations of builds and of keys. Each is a file, so that concurrent revocations lose none. A damaged file revokes all the same:
 * its name says what.
 */
export function openRevocations(store: Store) {
  const ofBuild = (name: string, build: string) => `revoked/builds/${name}/${build}.json`
  const ofKey = (id: string) => `revoked/keys/${id}.json`
  const write = (key: string, revocation: Revocation) => store.create(key, JSON.stringify(revocation))
  const read = async (key: string): Promise<Revocation | null> =>
    (await readStored(store, key, Revocation)) ?? ((await store.read(key)) ? damaged : null)
  return {
    build: (name: string, build: string) => read(ofBuild(name, build)),
    key: (id: string) => read(ofKey(id)),
    /** All revoked builds and keys. */
    async list(): Promise<Revoked> {
      const revoked: Revoked = { builds: [], keys: [] }
      for (const path of await store.list('revoked')) {
        const [, kind, ...names] = path.replace(/\.json$/, '').split('/')
        const [name = '', build = ''] = names
        if (kind === 'builds') revoked.builds.push({ name, build })
        else revoked.keys.push(name)
      }
      return revoked
    },
    revokeBuild: (name: string, build: string, why: Revocation) => write(ofBuild(name, build), why),
    revokeKey: (id: string, why: Revocation) => write(ofKey(id), why),
  }
}
export type Revocations = ReturnType<typeof openRevocations>

/** Throws if a key does not have the right to an action. */
export function mayOrRefuse(key: PublisherKey, right: Right, module: string): void {
  if (!owns(key, module)) {
    const own = key.modules.join(', ') || 'no module'
    throw new RegistryRefusal(
      403,
      `The key ${key.id} is for ${own}, not for ${module}: use a key of that module's team, or ask the portal's operator to add the module to it (npm run registry -- key:grant).`,
    )
  }
  if (key.may.includes(right)) return
  throw new RegistryRefusal(
    403,
    `The key ${key.id} may ${key.may.join(', ') || 'do nothing'}, but not ${right}: use another, or ask the portal's operator for that right (npm run registry -- key:add).`,
  )
}
