import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { parse, stringify } from 'yaml'
import { freePort, postgresPrograms } from '../debian-postgres.ts'
import { until } from '../portal.ts'
import { Program } from './program.ts'

const shipped = join(import.meta.dirname, '../../../deploy/systemd')
const passwords = { superuser: 'superuser', replication: 'replication', rewind: 'rewind' }

const statusOf = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    ({ status }) => status,
    () => 0,
  )

type AtEnd = (end: () => Promise<unknown>) => void
/** A server of the pair: PostgreSQL, and Patroni which starts it. */
type Node = { patroni: Program; data: string; port: number; api: string }

/**
 * A primary and a synchronous standby by Debian's PostgreSQL, Patroni and etcd, and haproxy before them, each with its
 * file of deploy/systemd. Only addresses and folders are others, because all are on one machine.
 */
export async function startPair(folder: string, atEnd: AtEnd) {
  const [uid = 0, gid = 0] = ['-u', '-g'].map((word) => Number(execFileSync('id', [word, 'postgres'])))
  chownSync(folder, uid, gid)
  const etcd = await startEtcd(folder, atEnd)
  const nodes: Node[] = []
  for (const name of ['db1', 'db2']) {
    const node = await makeNode({ folder, name, etcd: etcd.address, account: { uid, gid } })
    // Patroni ends its PostgreSQL, unless it was killed itself.
    atEnd(() => node.patroni.stop())
    node.patroni.start()
    nodes.push(node)
  }
  await until(async () => (await Promise.all(nodes.map(isPrimary))).includes(true), 60_000)
  await until(async () => (await Promise.all(nodes.map(isSynchronous))).includes(true), 90_000)
  const proxy = await startHaproxy(folder, nodes, atEnd)
  const address = (user: string, password: string, name: string) =>
    `postgresql://${user}:${password}@127.0.0.1:${proxy.port}/${name}`
  const superuser = new pg.Client({
    connectionString: address('postgres', passwords.superuser, 'postgres'),
  })
  await superuser.connect()
  await superuser.query("create role portal_owner login password 'owner'")
  await superuser.query("create role portal_app login password 'app'")
  await superuser.query("create database portal owner portal_owner encoding 'UTF8' template template0")
  await superuser.end()
  return {
    ownerUrl: address('portal_owner', 'owner', 'portal'),
    appUrl: address('portal_app', 'app', 'portal'),
    /** Kills the machine of the primary: PostgreSQL and Patroni. Resolves as soon as the standby is the primary. */
    async losePrimary() {
      const [first = nodes[0]] = await primaries(nodes)
      if (!first) throw new Error('There is no primary.')
      const [pid] = readFileSync(join(first.data, 'postmaster.pid'), 'utf8').split('\n')
      await first.patroni.stop('SIGKILL')
      const at = performance.now()
      process.kill(Number(pid), 'SIGKILL')
      const others = nodes.filter((node) => node !== first)
      await until(async () => (await primaries(others)).length === 1, 90_000)
      return { node: first, at }
    },
    /** Starts a machine again. Resolves once it is the synchronous standby. */
    async bringBack(node: Node) {
      node.patroni.start()
      await until(() => isSynchronous(node), 120_000)
    },
  }
}

const isPrimary = async ({ api }: Node) => (await statusOf(`${api}/primary`)) === 200
const isSynchronous = async ({ api }: Node) => (await statusOf(`${api}/sync`)) === 200

async function primaries(nodes: readonly Node[]): Promise<Node[]> {
  const found = await Promise.all(nodes.map(async (node) => ((await isPrimary(node)) ? [node] : [])))
  return found.flat()
}

async function startEtcd(folder: string, atEnd: AtEnd) {
  const [port, peers] = [await freePort(), await freePort()]
  const address = `127.0.0.1:${port}`
  const words = {
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': `http://${address}`,
    'advertise-client-urls': `http://${address}`,
    'listen-peer-urls': `http://127.0.0.1:${peers}`,
  }
  const program = new Program({
    name: 'etcd (apt-get install etcd-server)',
    command: '/usr/bin/etcd',
    args: Object.entries(words).map(([name, value]) => `--${name}=${value}`),
    log: join(folder, 'etcd.log'),
    isUp: async () => (await statusOf(`http://${address}/health`)) === 200,
  })
  atEnd(() => program.stop('SIGKILL'))
  program.start()
  await program.ready()
  return { address }
}

type Place = { folder: string; name: string; etcd: string; account: { uid: number; gid: number } }

async function makeNode({ folder, name, etcd, account }: Place): Promise<Node> {
  const [port, apiPort] = [await freePort(), await freePort()]
  const file = parse(readFileSync(join(shipped, 'patroni.yml'), 'utf8'))
  const data = join(folder, name)
  Object.assign(file, { name, etcd3: { hosts: [etcd] } })
  Object.assign(file.restapi, { listen: `127.0.0.1:${apiPort}`, connect_address: `127.0.0.1:${apiPort}` })
  // The archive needs a repository, which the drill has and this pair does not.
  Object.assign(file.bootstrap.dcs.postgresql.parameters, { archive_command: '/bin/true' })
  Object.assign(file.postgresql, {
    listen: `127.0.0.1:${port}`,
    connect_address: `127.0.0.1:${port}`,
    data_dir: data,
    bin_dir: postgresPrograms(),
    pgpass: join(folder, `pgpass-${name}`),
    parameters: { unix_socket_directories: folder },
    pg_hba: file.postgresql.pg_hba.map((line: string) => line.replace('10.0.0.0/24', '127.0.0.1/32')),
  })
  for (const [role, password] of Object.entries(passwords))
    file.postgresql.authentication[role].password = password
  const place = join(folder, `${name}.yml`)
  writeFileSync(place, stringify(file))
  const api = `http://127.0.0.1:${apiPort}`
  const patroni = new Program({
    name: 'Patroni (apt-get install patroni)',
    command: '/usr/bin/patroni',
    args: [place],
    account,
    log: join(folder, `${name}.log`),
    isUp: async () => (await statusOf(`${api}/health`)) === 200,
  })
  return { patroni, data, port, api }
}

async function startHaproxy(folder: string, [first, second]: readonly Node[], atEnd: AtEnd) {
  const port = await freePort()
  const lines = readFileSync(join(shipped, 'haproxy.cfg'), 'utf8')
    .replace('bind 127.0.0.1:5000', `bind 127.0.0.1:${port}`)
    .replace(/server db1 .*/, `server db1 ${addressOf(first)}`)
    .replace(/server db2 .*/, `server db2 ${addressOf(second)}`)
  mkdirSync(join(folder, 'haproxy'))
  const file = join(folder, 'haproxy/haproxy.cfg')
  writeFileSync(file, lines)
  const log = join(folder, 'haproxy.log')
  const program = new Program({
    name: 'haproxy (apt-get install haproxy)',
    command: '/usr/sbin/haproxy',
    args: ['-db', '-f', file],
    log,
    // Until its first check it takes both servers for the primary.
    isUp: async () => /server database\/db\d is down/i.test(readFileSync(log, 'utf8')),
  })
  atEnd(() => program.stop('SIGKILL'))
  program.start()
  await program.ready()
  return { port }
}

const addressOf = (node: Node | undefined) =>
  `127.0.0.1:${node?.port} check port ${new URL(node?.api ?? '').port}`
