// The data folder of the embedded PostgreSQL: how it is made, and where its port and passwords are kept.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from './ports.mjs'
import { Sentence } from './say.mjs'

/**
 * @typedef {{ port: number, superuser: string, owner: string, app: string }} Connection port and three passwords
 */

/** @param {string} folder */
const connectionFile = (folder) => join(folder, 'portal-connection.json')

/** @param {string} folder @returns {Connection} */
export function readConnection(folder) {
  try {
    return JSON.parse(readFileSync(connectionFile(folder), 'utf8'))
  } catch {
    throw new Sentence(
      `The database folder ${folder} was not made by this program (portal-connection.json is missing): move it away, or set DATABASE_URL and DATABASE_OWNER_URL.`,
    )
  }
}

/** @param {string} folder @param {Connection} connection */
export function writeConnection(folder, connection) {
  writeFileSync(connectionFile(folder), JSON.stringify(connection), { mode: 0o600 })
  chmodSync(connectionFile(folder), 0o600)
}

/**
 * Runs initdb in a temporary folder and renames it at the end. So a data folder is complete or absent, even after a kill.
 * @param {string} folder @param {string} initdb @param {import('./postgres-host.mjs').Account} account
 */
export async function makeFolder(folder, initdb, account) {
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
export function cannotStart(reason) {
  const last = reason.trim().split('\n').slice(-3).join(' ')
  return new Sentence(
    `PostgreSQL cannot be started here (${last}): set DATABASE_URL and DATABASE_OWNER_URL to a PostgreSQL server of your own and try again.`,
  )
}

/**
 * @param {string} file @param {string[]} args @param {import('./postgres-host.mjs').Account} account
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
export function serverEnv() {
  const own = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('PG') && !name.startsWith('LC_'),
  )
  return { ...Object.fromEntries(own), LC_ALL: 'C', TZ: 'UTC' }
}
