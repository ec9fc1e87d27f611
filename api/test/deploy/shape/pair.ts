import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { parse, stringify } from 'yaml'
import { until } from '../../portal.ts'
import { freePort, postgresPrograms } from '../debian-postgres.ts'
import { Program } from './program.ts'

const shipped = join(import.meta.dirname, '../../../../deploy/systemd')
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
 * A primary and a synchronous standby by Debian's PostgreSQL, Patroni and three etcds, and haproxy before them, each with its
 * file of deploy/systemd. Only addresses and folders are others, because all are on one machine.
 */
export async function startPair(folder: string, atEnd: AtEnd) {
  const [uid = 0, gid = 0] = ['-u', '-g'].map((word) => Number(execFileSync('id', [word, 'postgres'])))
  chownSync(folder, uid, gid)
  const etcds = await startEtcds(folder, atEnd)
  const nodes: Node[] = []
  for (const name of ['db1', 'db2']) {
    const node = await makeNode({ folder, name, etcds: etcds.addresses, account: { uid, gid } })
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
    haproxy: proxy.program,
    etcds: etcds.programs,
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

/** Three etcds with the file of deploy/systemd: one may be lost. */
async function startEtcds(folder: string, atEnd: AtEnd) {
  const members = await Promise.all(
    ['etcd1', 'etcd2', 'etcd3'].map(async (name, index) => ({
      name,
      host: `10.0.0.3${index + 1}`,
      clients: `127.0.0.1:${await freePort()}`,
      peers: `127.0.0.1:${await freePort()}`,
    })),
  )
  const shippedFile = readFileSync(join(shipped, 'etcd.env'), 'utf8')
  const programs = members.map(({ name, host, clients }) => {
    const own = shippedFile
      .replace(/^ETCD_NAME=.*/m, `ETCD_NAME=${name}`)
      .replace(/^(ETCD_\w+_URLS=http:\/\/)[\d.]+/gm, `$1${host}`)
      .replace(/^ETCD_DATA_DIR=.*/m, `ETCD_DATA_DIR=${join(folder, name)}`)
    const here = members.reduce(
      (text, each) =>
        text.replaceAll(`${each.host}:2379`, each.clients).replaceAll(`${each.host}:2380`, each.peers),
      own,
    )
    const env = Object.fromEntries(
      [...here.matchAll(/^(ETCD_\w+)=(.*)$/gm)].map(([, key, value]) => [key, value]),
    )
    return new Program({
      name: 'etcd (apt-get install etcd-server)',
      command: '/usr/bin/etcd',
      args: [],
      env: { PATH: process.env.PATH, ...env },
      log: join(folder, `${name}.log`),
      isUp: async () => (await statusOf(`http://${clients}/health`)) === 200,
    })
  })
  for (const program of programs) {
    atEnd(() => program.stop('SIGKILL'))
    program.start()
  }
  await Promise.all(programs.map((program) => program.ready()))
  return { addresses: members.map(({ clients }) => clients), programs }
}

type Place = { folder: string; name: string; etcds: string[]; account: { uid: number; gid: number } }

async function makeNode({ folder, name, etcds, account }: Place): Promise<Node> {
  const [port, apiPort] = [await freePort(), await freePort()]
  const file = parse(readFileSync(join(shipped, 'patroni.yml'), 'utf8'))
  const data = join(folder, name)
  Object.assign(file, { name, etcd3: { hosts: etcds } })
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
  return { port, program }
}

const addressOf = (node: Node | undefined) =>
  `127.0.0.1:${node?.port} check port ${new URL(node?.api ?? '').port}`
