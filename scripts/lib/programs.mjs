// What a portal is made of. `npm start` keeps these programs alive; browser tests, measurements and tests of the api start
// those that they need.
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from './paths.mjs'
import { end } from './processes.mjs'

/**
 * @typedef {{ script: string, nodeArgs: string[], args: string[], env: Record<string, string> }} Program `script` is absolute
 * @typedef {'agency' | 'wave' | 'gsma' | 'bank' | 'store' | 'analytics' | 'release' | 'prepare' | 'api' | 'worker'} ProgramName
 */

/** @param {string} script @param {Partial<Program>} [rest] @returns {Program} */
const program = (script, rest) => ({ script: join(root, script), nodeArgs: [], args: [], env: {}, ...rest })

/** @type {Record<ProgramName, Program>} */
export const programs = {
  agency: program('deploy/sandbox-agency/src/main.ts'),
  wave: program('deploy/wave-agency/src/main.ts'),
  gsma: program('deploy/gsma-agency/src/main.ts'),
  bank: program('deploy/bank-agency/src/main.ts'),
  /** A simulated S3-compatible store, for tests. */
  store: program('deploy/object-store/src/main.ts'),
  analytics: program('deploy/analytics-host/src/main.ts'),
  /** Makes the modules that were built live, and ends. */
  release: program('deploy/registry/src/command.ts', { args: ['release'] }),
  /** Migrates the database and fills the demo, and ends. */
  prepare: program('api/src/commands/prepare.ts'),
  api: program('api/src/main.ts', { env: { PORTAL_ROLE: 'api' } }),
  worker: program('api/src/main.ts', {
    env: { PORTAL_ROLE: 'worker' },
    // An idle worker grows to 300 MB with V8's default semi-space, and stays at 170 MB with this one.
    nodeArgs: ['--max-semi-space-size=4'],
  }),
}

/**
 * Starts a program without anybody who would start it again.
 * @param {ProgramName} name
 * @param {{ env: NodeJS.ProcessEnv, log?: string, stdout?: 'pipe', folder?: string }} options
 *   `folder` has the sources, these ones without it;   `log` is the file of its output, the terminal without one; `stdout: 'pipe'` hands its output to the caller
 */
export function startProgram(name, { env, log, stdout, folder = root }) {
  const { script, nodeArgs, args, env: own } = programs[name]
  if (log) mkdirSync(dirname(log), { recursive: true })
  const output = log ? openSync(log, 'a', 0o600) : 'inherit'
  const child = spawn(process.execPath, [...nodeArgs, join(folder, relative(root, script)), ...args], {
    env: { ...env, ...own },
    stdio: ['ignore', stdout ?? output, output],
  })
  if (typeof output === 'number') closeSync(output)
  const isUp = () => child.exitCode === null && child.signalCode === null
  const written = () => (log ? readFileSync(log, 'utf8') : '')
  /** @param {string} what */
  const failure = (what) =>
    new Error(
      `${name} ${what}. The last lines of its log:\n${written().trim().split('\n').slice(-12).join('\n')}`,
    )
  return {
    child,
    /** What it has written into its log. */
    output: written,
    /** Waits until `look` answers true, for a minute at most. @param {() => Promise<boolean> | boolean} look */
    async ready(look) {
      for (const until = Date.now() + 60_000; Date.now() < until && isUp(); await sleep(50))
        if (await look()) return
      throw failure('did not start')
    },
    /** Waits until it has done its work, for two minutes at most. */
    async ended() {
      for (const until = Date.now() + 120_000; Date.now() < until && isUp(); ) await sleep(25)
      if (child.exitCode !== 0) throw failure('did not do its work')
    },
    /** Ends it, by force after ten seconds. */
    stop: () => (child.pid ? end(child.pid) : Promise.resolve()),
  }
}

/** Whether a server answers 200. @param {string} address */
export const answers = (address) =>
  fetch(address, { signal: AbortSignal.timeout(2_000) }).then(
    (response) => response.ok,
    () => false,
  )
