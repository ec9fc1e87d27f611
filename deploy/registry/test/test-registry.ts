import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Check } from '@portal/sdk/gates/candidate'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { contractVersion, mapsFile } from '@portal/sdk/registry'
import Fastify, { type FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import { registryService } from '../src/http/service.ts'
import { openRegistry, type PortalRegistry } from '../src/registry.ts'
import { publishRelease } from '../src/release.ts'
import { makeKey } from '../src/release-key.ts'
import { rights } from '../src/schemas.ts'
import { authorize, integrityOf, type SigningKey, signBuild } from '../src/signing.ts'
import { diskStore, type Store } from '../src/store.ts'

/** Also for tests of programs that call a registry from outside. */
export { integrityOf, makeKey, signBuild }

const react = '19.3.1'
const label = (text: string) => ({ en: text, fr: text })

/** A build on the publisher's machine, before it is uploaded. */
export type Built = { details: ModuleBuild; record: string; files: Record<string, string> }

/** A build that passes every gate, apart from `change`. */
export function build(
  version = '1.0.0',
  change: Partial<ModuleBuild> = {},
  more: Record<string, string> = {},
): Built {
  const name = change.name ?? 'mfe-health'
  const files: Record<string, string> = {
    'remoteEntry.js': `/* entry of ${name} ${version} */`,
    'page.js': `/* page of ${name} ${version} */`,
    ...more,
  }
  const { [mapsFile]: maps, ...served } = files
  const id = integrityOf(JSON.stringify([version, change, more]))
    .replace(/[^a-f0-9]/g, '')
    .padEnd(12, '0')
    .slice(0, 12)
  const details: ModuleBuild = {
    name,
    title: label('School health'),
    owner: { name: 'Health team', contact: 'health@partner.example' },
    contract: `^${contractVersion}`,
    routes: ['/admin/health'],
    permission: 'health.view',
    nav: [],
    cards: [],
    permissions: [{ name: 'health.view', label: label('See visits') }],
    collections: [],
    version,
    build: id,
    base: `/modules/${name}/${id}/`,
    entry: 'remoteEntry.js',
    files: Object.fromEntries(
      Object.entries(served).map(([path, text]) => [path, integrityOf(text, 'sha256')]),
    ),
    preloads: { '*': [], en: [], fr: [], '/admin/health': ['page.js'] },
    shared: { react, 'react-dom': react, '@portal/sdk': contractVersion },
    words: { en: ['abc123'], fr: ['abc123'], same: 0 },
    sources: ['@portal/ui', name],
    ...(maps && { maps: integrityOf(maps, 'sha256') }),
    ...change,
  }
  return { details, record: JSON.stringify(details), files }
}

export const passed: Check[] = [{ gate: 'conformance', ok: true, text: 'All passed.' }]

/** Writes the output of a build of the product: a shell and one module. */
export function buildProduct(
  shell = 'aaaaaaaaaaaa',
  version = '0.1.0',
  title = 'Users',
  routes = ['/admin/users'],
): string {
  const dist = mkdtempSync(join(tmpdir(), 'registry-dist-'))
  onTestFinished(() => rmSync(dist, { recursive: true, force: true }))
  const { details, record, files } = build(version, {
    name: 'mfe-users',
    title: label(title),
    routes,
    permission: 'users.view',
    permissions: [],
    words: { en: ['users.greeting'], fr: ['users.greeting'], same: 0 },
  })
  const folder = join(dist, details.base)
  mkdirSync(folder, { recursive: true })
  for (const [path, text] of Object.entries({ ...files, 'build.json': record }))
    writeFileSync(join(folder, path), text)
  mkdirSync(join(dist, 'shell'))
  writeFileSync(
    join(dist, 'shell/early.json'),
    JSON.stringify({ en: { '/home': '', '/attendance': '', '*': '' }, fr: {} }),
  )
  const module = { ...details, integrity: integrityOf(record), previous: null, signature: null }
  writeFileSync(join(dist, 'modules.json'), JSON.stringify({ generation: 1, shell, modules: [module] }))
  return dist
}

/** A person with a key, who calls over HTTP. */
export type Publisher = Awaited<ReturnType<typeof publisherOf>>

async function publisherOf(app: FastifyInstance, registry: PortalRegistry, key: SigningKey) {
  async function call(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) {
    const payload = body === undefined ? '' : Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
    const headers = {
      authorization: await authorize(key, { method, path, body: payload }),
      ...(payload.length && { 'content-type': 'application/octet-stream' }),
    }
    const answer = await app.inject({ method, url: path, payload: payload || undefined, headers })
    return { status: answer.statusCode, body: answer.json() }
  }
  const change = async (name: string, action: string, more: Record<string, unknown> = {}) =>
    call('POST', `/registry/modules/${name}/${action}`, { generation: await generation(app), ...more })
  async function announce({ details, record }: Built, checks: Check[] = passed) {
    const { name, version, build } = details
    const signature = await signBuild(key, { name, version, build, integrity: integrityOf(record) })
    return call('POST', '/registry/uploads', { record, signature, checks })
  }
  async function send(built: Built) {
    const { name, build } = built.details
    for (const [path, text] of Object.entries(built.files)) {
      const answer = await call('PUT', `/registry/uploads/${name}/${build}/files/${path}`, Buffer.from(text))
      if (answer.status !== 201) return answer
    }
    return null
  }
  const commit = ({ details: { name, build } }: Built) =>
    call('POST', `/registry/uploads/${name}/${build}/commit`)
  /** Publishes a build that nobody has admitted yet. */
  async function publishOnly(built: Built, checks: Check[] = passed) {
    const announced = await announce(built, checks)
    if (announced.status !== 201) return announced
    return (await send(built)) ?? (await commit(built))
  }
  /** Publishes a build, and an administrator of the portal admits it. */
  async function publish(built: Built, checks: Check[] = passed) {
    const answer = await publishOnly(built, checks)
    const { name, build } = built.details
    if (answer.status === 201) await registry.admit({ by: 'administrator Fatou', name, build })
    return answer
  }
  return { key, call, change, announce, send, commit, publish, publishOnly }
}

export const generation = async (app: FastifyInstance): Promise<number> =>
  (await app.inject('/registry/status')).json().generation

export type TestRegistry = {
  app: FastifyInstance
  registry: PortalRegistry
  folder: string
  /** Makes a person with a new key. */
  person(name: string, modules?: string[], may?: readonly (typeof rights)[number][]): Promise<Publisher>
}

/** A registry with one live release. `wrap` may wrap its store, for example to simulate faults. */
export async function startRegistry(
  wrap: (store: Store) => Store = (store) => store,
  errors?: (module: string) => Promise<object[]>,
  usage?: (module: string) => Promise<{ weeks: object[]; pages: object[] }>,
): Promise<TestRegistry> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-'))
  const registry = openRegistry({ store: wrap(diskStore(folder)) })
  await publishRelease(registry, buildProduct(), { id: 'release-test', jwk: makeKey() })
  const app = Fastify()
  await app.register(registryService, {
    ...{ prefix: '/registry', registry },
    ...(errors && { errors }),
    ...(usage && { usage }),
  })
  onTestFinished(async () => {
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    app,
    registry,
    folder,
    async person(name, modules = ['mfe-health'], may = rights) {
      const id = name.toLowerCase().replace(/\W+/g, '-')
      const jwk = makeKey()
      const { kty, crv, x } = jwk
      await registry.keys.add({
        id,
        person: name,
        name: id,
        public: { kty, crv, x },
        modules,
        may: [...may],
        retired: false,
      })
      return publisherOf(app, registry, { id, jwk })
    },
  }
}
