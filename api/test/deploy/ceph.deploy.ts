import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openRegistry } from '@portal/registry'
import { publishRelease } from '@portal/registry/release'
import { makeKey } from '@portal/registry/release-key'
import { s3Store } from '@portal/registry/s3-store'
import { describe, expect, test } from 'vitest'
import { storeContract } from '../../../deploy/registry/test/store-contract.ts'
import { build, buildProduct, startRegistry } from '../../../deploy/registry/test/test-registry.ts'
import { filesContract } from '../server/files-contract.ts'
import { filesStage } from '../server/files-stage.ts'
import { startCeph } from './ceph.ts'
import { makePlace } from './shape/place.ts'

const mebibyte = 1024 ** 2
const { folder, atEnd } = makePlace()
const began = performance.now()
const ceph = await startCeph(folder, atEnd)
process.stdout.write(`Ceph ${ceph.version} in ${((performance.now() - began) / 1000).toFixed(0)} s\n`)

const releaseKey = { id: 'release-test', jwk: makeKey() }

/** A bucket for modules, made if it is not there, as one more machine sees it. */
const modulesIn = async (name: string) =>
  s3Store({ ...(await ceph.makeBucket(name)), cache: mkdtempSync(join(folder, 'cache-')) })

const stage = await filesStage({
  bucket: await ceph.makeBucket('files', { versioned: true }),
  // The smallest part of S3 but the last.
  partBytes: 5 * mebibyte,
  held: () => ceph.held('files'),
  lose: (key) => ceph.rclone('deletefile', `:s3:files/${key}`),
  full: (isFull) => ceph.quota('files', isFull ? 1 : null),
})
describe('files in Ceph', () => filesContract(stage))

let buckets = 0
describe('modules in Ceph', () => {
  storeContract(() => modulesIn(`modules-${++buckets}`))

  test('of two releases at the same moment none is lost, and both teams’ files are served', async () => {
    await ceph.makeBucket('releases')
    const machines = await Promise.all(['a', 'b'].map(() => modulesIn('releases')))
    const dists = [buildProduct('aaaaaaaaaaaa'), buildProduct('bbbbbbbbbbbb', '0.2.0')]
    const registries = machines.map((store) => openRegistry({ store }))
    const live = await Promise.all(
      registries.map((registry, at) => publishRelease(registry, dists[at] ?? '', releaseKey)),
    )
    expect(live.map(({ generation }) => generation).sort()).toEqual([1, 2])
    const shells: unknown[] = []
    for await (const { shell } of openRegistry({ store: await modulesIn('releases') }).generations.down())
      shells.push(shell)
    expect(shells.sort()).toEqual(['aaaaaaaaaaaa', 'bbbbbbbbbbbb'])
  })

  test('a team publishes a module, and of two people who promote at the same moment one is told to look again', async () => {
    const store = await modulesIn('partners')
    const { person, registry } = await startRegistry(() => store)
    const [awa, moussa, fatou] = [await person('Awa'), await person('Moussa'), await person('Fatou')]
    for (const version of ['1.0.0', '1.1.0']) expect((await awa.publish(build(version))).status).toBe(201)
    const promoted = await Promise.all([
      fatou.change('mfe-health', 'promote', { version: '1.0.0' }),
      moussa.change('mfe-health', 'promote', { version: '1.1.0' }),
    ])
    expect(promoted.map(({ status }) => status).sort()).toEqual([200, 409])
    const winner = promoted[0]?.status === 200 ? '1.0.0' : '1.1.0'
    expect((await registry.status()).modules).toMatchObject([{ name: 'mfe-health', version: winner }, {}])
    const elsewhere = await modulesIn('partners')
    const built = build(winner)
    const path = await elsewhere.file(`${built.details.base.slice(1)}page.js`)
    expect(path && readFileSync(path, 'utf8')).toBe(built.files['page.js'])
  })

  test('an operator whose bucket of modules has versioning is told to turn it off, because Ceph then overwrites', async () => {
    const bucket = await ceph.makeBucket('versioned', { versioned: true })
    const store = s3Store({ ...bucket, cache: folder })
    await expect(store.probe?.()).rejects.toThrow(
      /of two changes at the same time one would be lost.*turn it off/,
    )
    await expect((await modulesIn('unversioned')).probe?.()).resolves.toBeUndefined()
  })

  test('a release into a bucket above its quota says that there is no space, and a team that publishes as well', async () => {
    const store = await modulesIn('small')
    const { person, registry } = await startRegistry(() => store)
    const awa = await person('Awa')
    await ceph.quota('small', 1)
    await expect(store.probe?.()).rejects.toThrow(
      /^The store of the modules has no space left: it answered 403/,
    )
    expect(await awa.publish(build())).toMatchObject({ status: 507 })
    await ceph.quota('small', null)
    expect(await registry.builds.list('mfe-health')).toEqual([])
    expect((await awa.publish(build())).status).toBe(201)
  })
})
