// Starts the portal and restarts what fails. `npm start` and `npm run dev` share this file.
import { spawn } from 'node:child_process'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { analyticsSettings } from './analytics.mjs'
import { watchedDatabase } from './database.mjs'
import { dataDir, root } from './paths.mjs'
import { end } from './processes.mjs'
import { answers, programs } from './programs.mjs'
import { launcherGone, releaseLock, takeLock } from './run-lock.mjs'
import { Sentence, say } from './say.mjs'
import { demoSecret, prepareDataDir, readSettings, requireFreePort } from './settings.mjs'
import { createSupervisor, endOrphans, lastLines, logFile } from './supervisor.mjs'

const accounts = ['admin', 'officer', 'approver', 'school', 'reviewer', 'auditor']
const password = 'portal-demo-2026'

/** @typedef {{ name: string, script: string, at?: string }} Extra `at` is its address */

/**
 * Resolves when all processes have stopped after Ctrl-C, SIGTERM, or the end of the process that launched us.
 * @param {{ api?: string[], extra?: Extra[] }} [options]
 *   Node options of the api and the worker, and further children
 */
export async function runPortal({ api = [], extra = [] } = {}) {
  const settings = readSettings()
  prepareDataDir()
  await takeLock(dataDir, settings.url)
  const supervisor = createSupervisor(dataDir)
  const database = watchedDatabase()
  const asked = stopAsked()
  try {
    await Promise.race([bringUp({ settings, supervisor, database, api, extra }), asked])
    await asked
  } finally {
    await endStep()
    await supervisor.stop()
    await database.stop()
    releaseLock(dataDir)
  }
}

/**
 * @param {{ settings: import('./settings.mjs').Settings, supervisor: ReturnType<typeof createSupervisor>,
 *   database: ReturnType<typeof watchedDatabase>, api: string[], extra: Extra[] }} parts
 */
async function bringUp({ settings, supervisor, database, api, extra }) {
  const began = Date.now()
  await endOrphans(dataDir, ['api', 'worker', 'agency', 'analytics', ...extra.map(({ name }) => name)])
  await requireFreePort('PORT', settings.port, settings.host)
  if (settings.demo) await requireFreePort('SANDBOX_AGENCY_PORT', settings.agencyPort, '127.0.0.1')
  const analytics = await analyticsSettings(settings)
  await build()
  await step('release', settings.env, 'The modules could not be published')
  const env = await database.start(settings.env)
  if (settings.demo && !env.PORTAL_SECRET_FILE) env.PORTAL_SECRET ||= demoSecret()
  const start = (
    /** @type {import('./programs.mjs').ProgramName} */ name,
    variables = {},
    nodeArgs = /** @type {string[]} */ ([]),
  ) => {
    const { script, nodeArgs: own, env: ownEnv } = programs[name]
    supervisor.start({
      name,
      script,
      nodeArgs: [...nodeArgs, ...own],
      env: { ...env, ...variables, ...ownEnv },
    })
  }
  if (analytics) {
    Object.assign(env, analytics)
    start('analytics')
  }
  if (settings.demo) {
    // The agency starts before the demo data is made, because past rounds are also written to the agency's ledger.
    start('agency', { SANDBOX_AGENCY_SEED: 'yes' })
    await comesUp(`http://127.0.0.1:${settings.agencyPort}/ledger/summary`, 'agency', supervisor)
  }
  await step('prepare', env, 'The database could not be prepared')
  start('api', {}, api)
  start('worker', {}, api)
  for (const { name, script } of extra) supervisor.start({ name, script: join(root, script), env })
  const host = ['0.0.0.0', '::'].includes(settings.host) ? '127.0.0.1' : settings.host
  await comesUp(`http://${host}:${settings.port}${env.PORTAL_API_BASE || '/api'}/health`, 'api', supervisor)
  welcome(settings, env, began, extra)
}

/**
 * @param {import('./settings.mjs').Settings} settings @param {NodeJS.ProcessEnv} env @param {number} began
 * @param {Extra[]} extra
 */
function welcome({ url, demo }, env, began, extra) {
  const lines = ['', `The portal is ready after ${((Date.now() - began) / 1000).toFixed(1)} s:  ${url}`, '']
  if (demo) {
    lines.push(`Demo accounts, password ${password}:`)
    lines.push(...accounts.map((name) => `  ${name}@portal.example`))
  }
  for (const { name, at } of extra) if (at) lines.push(`The ${name} is at ${at}`)
  if (!env.SMTP_URL) lines.push(`E-mails are written to ${join(dataDir, 'outbox')}`)
  lines.push(`Logs are in ${join(dataDir, 'logs')}. Ctrl-C stops everything.`, '')
  say(lines.join('\n'))
}

/** Builds into dist/ what has changed. */
export function build() {
  return runStep(join(root, 'shared/build/src/build-all.ts'), [], process.env, 'The build failed')
}

/** @type {import('node:child_process').ChildProcess | undefined} */
let stepNow

/** @param {'release' | 'prepare'} name @param {NodeJS.ProcessEnv} env @param {string} failure */
const step = (name, env, failure) => runStep(programs[name].script, programs[name].args, env, failure)

/**
 * Runs one of our commands until it ends, with its output on the terminal.
 * @param {string} file @param {string[]} args @param {NodeJS.ProcessEnv} env @param {string} failure
 */
async function runStep(file, args, env, failure) {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  stepNow = child
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(signal ?? code))
  })
  stepNow = undefined
  if (code !== 0)
    throw new Sentence(`${failure} (${relative(root, file)} ended with ${code}): see the lines above.`)
}

async function endStep() {
  if (stepNow?.pid) await end(stepNow.pid)
}

/**
 * @param {string} url @param {'api' | 'agency'} name
 * @param {ReturnType<typeof createSupervisor>} supervisor
 */
async function comesUp(url, name, supervisor) {
  const end = Date.now() + 60_000
  while (Date.now() < end && supervisor.failures(name) < 3) {
    if (await answers(url)) return
    await sleep(100)
  }
  throw new Sentence(
    `${lastLines(dataDir, name)}\nThe ${name} does not start: its log is ${logFile(dataDir, name)}.`,
  )
}

/** Resolves at the first signal to stop. Further signals are ignored, because stopping takes 10 s at most. */
function stopAsked() {
  return new Promise((resolve) => {
    let asked = false
    const ask = () => {
      if (!asked) say('Stopping …')
      asked = true
      resolve(undefined)
    }
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, ask)
    process.on('disconnect', ask)
    setInterval(() => launcherGone() && ask(), 500).unref()
  })
}
