// The settings of the start command. The api checks its settings with its own schema.
import { randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { dataDir } from './paths.mjs'
import { portTaken } from './ports.mjs'
import { Sentence } from './say.mjs'

/** @typedef {{ port: number, agencyPort: number, host: string, demo: boolean, url: string, env: NodeJS.ProcessEnv }} Settings */

/** @returns {Settings} */
export function readSettings() {
  const own = process.env
  const port = portNumber('PORT', own.PORT || '8080')
  const agencyPort = portNumber('SANDBOX_AGENCY_PORT', own.SANDBOX_AGENCY_PORT || String(port + 1))
  if (own.NODE_ENV === 'production' && !own.PORTAL_DEMO) {
    throw new Sentence(
      'NODE_ENV is production, where npm start makes no demo by itself: set PORTAL_DEMO=false, or PORTAL_DEMO=true if a demo is what you want.',
    )
  }
  const demo = (own.PORTAL_DEMO || 'true') === 'true'
  const host = own.HOST || '127.0.0.1'
  const url = own.PORTAL_PUBLIC_URL || `http://localhost:${port}`
  const env = {
    ...own,
    PORT: String(port),
    HOST: host,
    PORTAL_DATA_DIR: dataDir,
    PORTAL_DEMO: String(demo),
    PORTAL_PUBLIC_URL: url,
    SANDBOX_AGENCY_PORT: String(agencyPort),
    ...(demo && {
      PORTAL_FOUR_EYES: own.PORTAL_FOUR_EYES || 'false',
      PORTAL_MODULE_OVERRIDE: own.PORTAL_MODULE_OVERRIDE || 'yes',
      PORTAL_AGENCY_HOSTS: own.PORTAL_AGENCY_HOSTS || `127.0.0.1:${agencyPort},localhost:${agencyPort}`,
    }),
  }
  return { port, agencyPort, host, demo, url, env }
}

/** @param {string} name @param {string} text */
export function portNumber(name, text) {
  const port = Number(text)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw new Sentence(`${name} is "${text}", which is no port: set a number from 1 to 65535.`)
}

/** Makes the data folder, checks that it can be written, and closes it to other accounts. Fails with a sentence that says what to do. */
export function prepareDataDir() {
  const probe = join(dataDir, `.write-${process.pid}`)
  try {
    makeFolder(dataDir)
    accessSync(dataDir, constants.W_OK)
    writeFileSync(probe, '')
    rmSync(probe)
    closeToOthers(dataDir)
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    throw new Sentence(
      `The data folder ${dataDir} cannot be written (${code}): make it writable, or set PORTAL_DATA_DIR to another folder.`,
    )
  }
}

/**
 * Nobody else may list the data folder or read what is in it, also what an earlier version made. As root the database
 * server has an account of its own, which may pass through. The server's folder is its own.
 * @param {string} folder
 */
function closeToOthers(folder) {
  const passing = process.getuid?.() === 0 ? statSync(folder).mode & 0o011 : 0
  chmodSync(folder, 0o700 | passing)
  closeFiles(folder)
  if (existsSync(join(folder, 'logs'))) closeFiles(join(folder, 'logs'))
}

/** Closes the folders and files in a folder, but for the database's. @param {string} folder */
function closeFiles(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name.startsWith('postgres') && entry.isDirectory()) continue
    if (entry.isDirectory()) chmodSync(join(folder, entry.name), 0o700)
    else if (entry.isFile()) chmodSync(join(folder, entry.name), 0o600)
  }
}

/** Makes a folder and its parents. mkdir's `recursive` never returns for a folder below /proc. @param {string} folder */
function makeFolder(folder) {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder)
}

/** The demo's secret, which is made once. Outside the demo the api's settings require PORTAL_SECRET. */
export function demoSecret() {
  const file = join(dataDir, 'secret')
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600 })
  return readFileSync(file, 'utf8').trim()
}

/** @param {string} variable @param {number} port @param {string} host */
export async function requireFreePort(variable, port, host) {
  let taken
  try {
    taken = await portTaken(port, host)
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    throw new Sentence(
      `Port ${port} on ${host} cannot be used (${code}): choose another with ${variable}, for example ${variable}=${port + 1000} npm start.`,
    )
  }
  if (!taken) return
  throw new Sentence(
    `Port ${port} is taken by another program: stop that program, or choose another port, for example ${variable}=${port + 1000} npm start.`,
  )
}
