// Runs on a bare Node 20: installs what is missing, then hands over to the pinned Node.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pinnedNode, root } from './paths.mjs'
import { Sentence } from './say.mjs'

const modules = join(root, 'node_modules')
const lockFile = join(root, 'package-lock.json')
const stampFile = join(modules, '.portal-lock')

/** Installs the packages if needed, then runs `script` (below scripts/) on the pinned Node. @param {string} script */
export async function handOver(script) {
  await installMissing()
  const file = join(root, 'scripts', script)
  const wanted = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies.node
  if (process.versions.node === wanted) return void (await import(pathToFileURL(file).href))
  process.exitCode = await runPinned(file)
}

/** @param {string} file @returns {Promise<number>} */
function runPinned(file) {
  const env = { ...process.env, PATH: `${join(modules, '.bin')}${delimiter}${process.env.PATH}` }
  // With an ipc channel the child learns at once that this process was killed.
  const stdio = /** @type {const} */ (['inherit', 'inherit', 'inherit', 'ipc'])
  const child = spawn(pinnedNode, [file, ...process.argv.slice(2)], { stdio: [...stdio], env })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal))
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  })
}

async function installMissing() {
  const hash = lockHash()
  if (existsSync(pinnedNode)) {
    if (hash === undefined && existsSync(join(modules, '.package-lock.json'))) return
    if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === hash) return
    if (hash !== undefined && installedMatchesLock()) return writeFileSync(stampFile, hash)
  }
  await runNpm(hash === undefined ? 'install' : 'ci')
  if (!existsSync(pinnedNode)) {
    throw new Sentence(
      'npm installed the packages without running their install scripts, so the pinned Node is missing: remove "ignore-scripts" from your npm configuration (npm config delete ignore-scripts) and try again.',
    )
  }
  writeFileSync(stampFile, lockHash() ?? '')
}

function lockHash() {
  return existsSync(lockFile) ? createHash('sha256').update(readFileSync(lockFile)).digest('hex') : undefined
}

/** Whether a manual `npm install` has already installed exactly the versions of the lock file. */
function installedMatchesLock() {
  const hidden = join(modules, '.package-lock.json')
  if (!existsSync(hidden)) return false
  const installed = JSON.parse(readFileSync(hidden, 'utf8')).packages
  const locked = JSON.parse(readFileSync(lockFile, 'utf8')).packages
  return Object.entries(locked).every(([path, entry]) => {
    if (!path.startsWith('node_modules/')) return true
    return installed[path]
      ? installed[path].version === entry.version
      : entry.optional === true || entry.peer === true
  })
}

/** @param {'ci' | 'install'} command */
async function runNpm(command) {
  const started = Date.now()
  const seconds = () => Math.round((Date.now() - started) / 1000)
  const tty = process.stdout.isTTY
  const line = 'Installing packages with npm, once'
  process.stdout.write(tty ? `${line} …` : `${line} …\n`)
  const timer = tty ? setInterval(() => process.stdout.write(`\r${line} … ${seconds()} s`), 1000) : undefined
  // npm runs on the machine's own Node: `npm ci` removes the pinned one while it works.
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((part) => !/node_modules[\\/]\.bin[\\/]?$/.test(part))
  const windows = process.platform === 'win32'
  const child = spawn(windows ? 'npm.cmd' : 'npm', [command, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    env: { ...process.env, PATH: path.join(delimiter), NODE_ENV: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: windows,
  })
  let output = ''
  const keep = (/** @type {Buffer} */ chunk) => {
    if (output.length < 20_000) output += chunk
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      output += error.message
      resolve(1)
    })
    child.once('close', resolve)
  })
  clearInterval(timer)
  if (code !== 0) {
    if (tty) process.stdout.write('\n')
    throw new Sentence(
      `${output.trim().split('\n').slice(0, 12).join('\n')}\n\`npm ${command}\` failed: check the network and the npm registry (the lines above are npm's own) and try again.`,
    )
  }
  process.stdout.write(`${tty ? '\r' : ''}Packages installed in ${seconds()} s.${tty ? '          ' : ''}\n`)
}
