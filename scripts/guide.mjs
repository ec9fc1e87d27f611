// Runs the commands of the partners' guide as written, from an empty folder, with a new portal: node scripts/guide.mjs.
// Exits with 1 at the first block that fails, and prints its output. Needs npm's registry for the module's packages.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { partnersEnvironment } from './lib/partner.mjs'
import { root } from './lib/paths.mjs'
import { freePort } from './lib/ports.mjs'

/** The guide, and what comes after it. */
const pages = ['docs/partners.md', 'docs/partners-life.md']
const place = mkdtempSync(join(tmpdir(), 'portal-guide-'))
const home = join(place, 'home')
const port = Number(process.env.PORT) || (await freePort())
const address = `http://localhost:${port}`
const data = join(place, 'data')
const portalLog = join(place, 'portal.log')
/** @type {import('node:child_process').ChildProcess[]} */
const running = []

/** The code blocks to run, in order. `background` blocks run until the end. @param {string} text */
const blocksOf = (text) =>
  [...text.matchAll(/^```sh( background)?\n(.*?)^```$/gms)].map(([, background, script = '']) => ({
    background: Boolean(background),
    script,
  }))

/** Hands variables and working folder of a block on to the next one, as in one terminal. @param {string} script */
const inOneTerminal = (script) => `set -e
[ -f "$GUIDE_STATE" ] && . "$GUIDE_STATE"
set -o pipefail
${script}
{ export -p; printf 'cd %q\\n' "$PWD"; } > "$GUIDE_STATE"`

const environment = {
  ...partnersEnvironment(),
  HOME: home,
  GUIDE_STATE: join(place, 'state.sh'),
  PORTAL_SOURCE: root,
  PORTAL_URL: address,
  PORTAL_DATA_DIR: data,
  npm_config_cache: process.env.npm_config_cache ?? join(process.env.HOME ?? place, '.npm'),
}

/** @param {string} script @param {string} log */
function start(script, log) {
  const out = openSync(log, 'w')
  const child = spawn('bash', ['-c', inOneTerminal(script)], {
    cwd: home,
    env: environment,
    stdio: ['ignore', out, out],
    detached: true,
  })
  running.push(child)
  return child
}

/** @param {import('node:child_process').ChildProcess} child @returns {Promise<number>} */
const ended = (child) =>
  child.exitCode !== null
    ? Promise.resolve(child.exitCode)
    : new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))

/** @param {() => Promise<boolean> | boolean} holds @param {number} seconds @param {string} what */
async function until(holds, seconds, what) {
  const end = Date.now() + seconds * 1000
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`${what} did not happen within ${seconds} s.`)
    await sleep(200)
  }
}

async function startPortal() {
  const out = openSync(portalLog, 'w')
  const portal = spawn(process.execPath, [join(root, 'scripts/start.mjs')], {
    cwd: root,
    env: { ...process.env, PORT: String(port), PORTAL_DATA_DIR: data, PORTAL_DEMO_SIZE: 'small' },
    stdio: ['ignore', out, out],
  })
  running.push(portal)
  const healthy = () =>
    fetch(`${address}/api/health`).then(
      (answer) => answer.ok,
      () => false,
    )
  await until(
    () => {
      if (portal.exitCode !== null) throw new Error(`The portal ended:\n${readFileSync(portalLog, 'utf8')}`)
      return healthy()
    },
    240,
    'The portal’s start',
  )
}

/** @param {{ background: boolean, script: string }} block @param {number} number */
async function follow({ background, script }, number) {
  const log = join(place, `block-${number}.log`)
  const began = Date.now()
  const child = start(script, log)
  const says = () => readFileSync(log, 'utf8')
  if (background) {
    const address = /http:\/\/localhost:\d+\//
    await until(
      () => {
        if (child.exitCode !== null) throw new Error(`$ ${script}\n${says()}`)
        return address.test(says())
      },
      90,
      `block ${number}`,
    )
  } else if ((await ended(child)) !== 0) throw new Error(`Block ${number} failed.\n$ ${script}\n${says()}`)
  const [first = ''] = script.trim().split('\n').slice(-1)
  process.stdout.write(`✓ ${number} ${first.slice(0, 90)} (${((Date.now() - began) / 1000).toFixed(1)} s)\n`)
}

/** Checks the result: the first version is live again and signed. */
async function look() {
  const registry = /** @type {{ modules: { name: string, version: string, signature: string | null }[] }} */ (
    await (await fetch(`${address}/modules.json`)).json()
  )
  const found = registry.modules.find((module) => module.name === 'mfe-clinics')
  if (found?.version !== '0.1.0' || !found.signature)
    throw new Error(`At the end mfe-clinics should be rolled back to 0.1.0, signed: ${JSON.stringify(found)}`)
}

/** @param {import('node:child_process').ChildProcess} child */
async function end(child) {
  if (child.exitCode !== null || child.pid === undefined) return
  try {
    // A block's children are in its process group. The portal ends its children itself.
    process.kill(child.spawnargs[0] === 'bash' ? -child.pid : child.pid, 'SIGTERM')
  } catch {
    return
  }
  await Promise.race([ended(child), sleep(15_000)])
}

let code = 0
try {
  mkdirSync(home)
  writeFileSync(environment.GUIDE_STATE, '')
  await startPortal()
  const blocks = pages.flatMap((page) => blocksOf(readFileSync(join(root, page), 'utf8')))
  for (const [at, block] of blocks.entries()) await follow(block, at + 1)
  await look()
  process.stdout.write(`The guide holds: ${blocks.length} blocks.\n`)
} catch (fault) {
  process.stderr.write(`${fault instanceof Error ? fault.message : fault}\n`)
  code = 1
} finally {
  await Promise.all(running.reverse().map(end))
  if (code === 0) rmSync(place, { recursive: true, force: true })
  else process.stderr.write(`What it left is in ${place}.\n`)
}
process.exit(code)
