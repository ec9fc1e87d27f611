import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Bucket, openBucket } from '@portal/registry/bucket'
import { freePort } from './debian-postgres.ts'
import { Program } from './shape/program.ts'

type Listed = { bucket: string; key: string; size: number }

const run = promisify(execFile)
const needed = {
  'ceph-mon': 'ceph-mon',
  'ceph-osd': 'ceph-osd',
  radosgw: 'radosgw',
  ceph: 'ceph-common',
  rclone: 'rclone',
}

/** Caps of the programs, in the one keyring that all of them read. */
const keyring = [
  ['mon.', '--cap', 'mon', 'allow *'],
  ['client.admin', '--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *'],
  ['osd.0', '--cap', 'mon', 'allow profile osd', '--cap', 'osd', 'allow *'],
  ['client.rgw', '--cap', 'mon', 'allow rw', '--cap', 'osd', 'allow rwx'],
]

/** One copy of everything, and a disk of 4 GB in a file that grows as it is used. No host name is asked. */
const configOf = (folder: string, fsid: string, monitor: string, port: number) => `[global]
fsid = ${fsid}
mon_host = ${monitor}
public_addr = 127.0.0.1
ms_bind_msgr1 = false
osd_pool_default_size = 1
osd_pool_default_min_size = 1
mon_allow_pool_size_one = true
osd_crush_chooseleaf_type = 0
osd_pool_default_pg_num = 8
osd_pool_default_pg_autoscale_mode = off
mon_max_pg_per_osd = 1000
mon_data_avail_crit = 1
run_dir = ${folder}
admin_socket =
log_file = ${folder}/$name.log
keyring = ${folder}/keyring
mon_data = ${folder}/mon
osd_data = ${folder}/osd
osd_objectstore = bluestore
bluestore_block_size = 4294967296
[client.rgw]
rgw_data = ${folder}/rgw
rgw_frontends = beast endpoint=127.0.0.1:${port}
`

/**
 * Starts Debian's Ceph: a monitor, a disk and the gateway that speaks S3, on free ports of this machine. Buckets are made
 * with the portal's own signature, and looked into with rclone.
 */
export async function startCeph(parent: string, atEnd: (end: () => Promise<unknown>) => void) {
  const missing = Object.entries(needed).find(([program]) => !existsSync(`/usr/bin/${program}`))
  if (missing) throw new Error(`${missing[0]} is missing: apt-get install ${Object.values(needed).join(' ')}`)
  const folder = join(parent, 'ceph')
  for (const name of ['', 'mon', 'osd', 'rgw']) mkdirSync(join(folder, name))
  const [monitorPort, port] = [await freePort(), await freePort()]
  const monitor = `[v2:127.0.0.1:${monitorPort}]`
  const fsid = randomUUID()
  const config = join(folder, 'ceph.conf')
  writeFileSync(config, configOf(folder, fsid, monitor, port))
  const tool = async (name: string, ...words: string[]) => (await run(name, ['-c', config, ...words])).stdout
  const program = (name: string, command: string, words: string[], isUp: () => Promise<boolean>) => {
    const made = new Program({
      name,
      command,
      args: ['-c', config, ...words, '-f'],
      log: join(folder, `${name}.out`),
      isUp,
    })
    atEnd(() => made.stop('SIGKILL'))
    made.start()
    return made.ready()
  }

  const file = join(folder, 'keyring')
  writeFileSync(file, '')
  for (const [name = '', ...caps] of keyring)
    await run('ceph-authtool', [file, '--gen-key', '-n', name, ...caps])
  const map = join(folder, 'monmap')
  await run('monmaptool', ['--create', '--fsid', fsid, '--addv', 'a', monitor, map])
  await tool('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map)
  const status = async () =>
    JSON.parse(await tool('ceph', '--connect-timeout', '5', '-s', '--format', 'json'))
  await program('monitor', 'ceph-mon', ['-i', 'a'], async () => Boolean(await status()))
  const disk = randomUUID()
  await tool('ceph', 'osd', 'new', disk)
  await tool('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', disk)
  const osd = await program(
    'disk',
    'ceph-osd',
    ['-i', '0'],
    async () => (await status()).osdmap.num_up_osds === 1,
  )
  const admin = (...words: string[]) => tool('radosgw-admin', '-n', 'client.rgw', ...words)
  const [key, secret] = [randomBytes(10).toString('hex'), randomBytes(20).toString('hex')]
  await admin(
    'user',
    'create',
    '--uid',
    'portal',
    '--display-name',
    'Portal',
    '--access-key',
    key,
    '--secret',
    secret,
  )
  const endpoint = `http://127.0.0.1:${port}`
  const gateway = await program(
    'gateway',
    'radosgw',
    ['-n', 'client.rgw'],
    async () => (await fetch(endpoint)).ok,
  )

  const bucketOf = (bucket: string): Bucket => ({
    ...{ endpoint, bucket, region: 'us-east-1', key, secret, pathStyle: true },
  })
  async function makeBucket(name: string, { versioned = false } = {}): Promise<Bucket> {
    const bucket = bucketOf(name)
    const { send } = openBucket(bucket)
    const versions = '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>'
    const made = [await send('', { method: 'PUT' })]
    if (versioned) made.push(await send('?versioning', { method: 'PUT', body: versions }))
    for (const answer of made) if (!answer.ok) throw new Error(`${name}: ${await answer.text()}`)
    return bucket
  }
  const rcloneSettings = {
    RCLONE_CONFIG: '/dev/null',
    RCLONE_S3_PROVIDER: 'Ceph',
    RCLONE_S3_ENDPOINT: endpoint,
    RCLONE_S3_ACCESS_KEY_ID: key,
    RCLONE_S3_SECRET_ACCESS_KEY: secret,
  }
  const rclone = async (...words: string[]) =>
    (await run('rclone', words, { env: { PATH: process.env.PATH, ...rcloneSettings } })).stdout
  return {
    version: /ceph version (\S+)/.exec(await tool('ceph', '--version'))?.[1] ?? '',
    endpoint,
    key,
    secret,
    gateway,
    osd,
    makeBucket,
    /** Lets a bucket have at most so many objects, or as many as there is room for. */
    async quota(bucket: string, objects: number | null) {
      const of = ['--quota-scope', 'bucket', '--bucket', bucket]
      if (objects !== null) await admin('quota', 'set', ...of, '--max-objects', String(objects))
      await admin('quota', objects === null ? 'disable' : 'enable', ...of)
    },
    rclone,
    rcloneSettings,
    /** The last lines of the gateway's log, for a test that fails. */
    log: () => readFileSync(join(folder, 'client.rgw.log'), 'utf8').split('\n').slice(-20).join('\n'),
    /** The objects of a bucket, and the uploads in parts that were begun there. */
    async held(bucket: string) {
      const listed = JSON.parse(await rclone('lsjson', '-R', '--files-only', `:s3:${bucket}`))
      const begun = JSON.parse(await rclone('backend', 'list-multipart-uploads', `:s3:${bucket}`))
      const objects = listed.map(({ Path, Size }: { Path: string; Size: number }) => ({
        bucket,
        key: Path,
        size: Size,
      }))
      return {
        objects: objects.sort((one: Listed, other: Listed) => (one.key < other.key ? -1 : 1)) as Listed[],
        uploads: (begun[bucket] ?? []).map(({ Key }: { Key: string }) => Key).sort() as string[],
      }
    },
  }
}
