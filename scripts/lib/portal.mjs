// Starts the portal and restarts what fails. `npm start` and `npm run dev` share this file.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { analyticsScript, analyticsSettings } from './analytics.mjs'
import { watchedDatabase } from './database.mjs'
import { dataDir, root } from './paths.mjs'
import { end } from './processes.mjs'
import { launcherGone, releaseLock, takeLock } from './run-lock.mjs'
import { Sentence, say } from './say.mjs'
import { demoSecret, prepareDataDir, readSettings, requireFreePort } from './settings.mjs'
import { createSupervisor, endOrphans, lastLines, logFile } from './supervisor.mjs'

const accounts = ['admin', 'officer', 'approver', 'school', 'reviewer', 'auditor']
const password = 'portal-demo-2026'

/** Node options of the worker. An idle worker grows to 300 MB with V8's default semi-space, and stays at 170 MB with this one. */
export const workerArgs = ['--max-semi-space-size=4']

/**
 * Resolves when all processes have stopped after Ctrl-C, SIGTERM, or the end of the process that launched us.
 * @param {{ api?: string[], extra?: { name: string, script: string }[] }} [options]
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
 *   database: ReturnType<typeof watchedDatabase>, api: string[], extra: { name: string, script: string }[] }} parts
 */
async function bringUp({ settings, supervisor, database, api, extra }) {
  const began = Date.now()
  await endOrphans(dataDir, ['api', 'worker', 'agency', 'analytics', ...extra.map(({ name }) => name)])
  await requireFreePort('PORT', settings.port, settings.host)
  if (settings.demo) await requireFreePort('SANDBOX_AGENCY_PORT', settings.agencyPort, '127.0.0.1')
  const analytics = await analyticsSettings(settings)
  await build()
  await step('deploy/registry/src/command.ts', settings.env, 'The modules could not be published', [
    'release',
  ])
  const env = await database.start(settings.env)
  if (settings.demo) env.PORTAL_SECRET ||= demoSecret()
  const script = (/** @type {string} */ file) => join(root, file)
  if (analytics) {
    Object.assign(env, analytics)
    supervisor.start({ name: 'analytics', script: script(analyticsScript), env })
  }
  if (settings.demo) {
    // The agency starts before the demo data is made, because past rounds are also written to the agency's ledger.
    const agencyEnv = { ...env, SANDBOX_AGENCY_SEED: 'yes' }
    supervisor.start({ name: 'agency', script: script('deploy/sandbox-agency/src/main.ts'), env: agencyEnv })
    await answers(`http://127.0.0.1:${settings.agencyPort}/ledger/summary`, 'agency', supervisor)
  }
  await step('api/src/commands/prepare.ts', env, 'The database could not be prepared')
  for (const role of ['api', 'worker']) {
    const roleEnv = { ...env, PORTAL_ROLE: role }
    supervisor.start({
      name: role,
      script: script('api/src/main.ts'),
      nodeArgs: role === 'worker' ? [...api, ...workerArgs] : api,
      env: roleEnv,
    })
  }
  for (const child of extra) supervisor.start({ name: child.name, script: script(child.script), env })
  const host = ['0.0.0.0', '::'].includes(settings.host) ? '127.0.0.1' : settings.host
  await answers(`http://${host}:${settings.port}${env.PORTAL_API_BASE || '/api'}/health`, 'api', supervisor)
  welcome(settings, env, began)
}

/** @param {import('./settings.mjs').Settings} settings @param {NodeJS.ProcessEnv} env @param {number} began */
function welcome({ url, demo }, env, began) {
  const lines = ['', `The portal is ready after ${((Date.now() - began) / 1000).toFixed(1)} s:  ${url}`, '']
  if (demo) {
    lines.push(`Demo accounts, password ${password}:`)
    lines.push(...accounts.map((name) => `  ${name}@portal.example`))
  }
  if (!env.SMTP_URL) lines.push(`E-mails are written to ${join(dataDir, 'outbox')}`)
  lines.push(`Logs are in ${join(dataDir, 'logs')}. Ctrl-C stops everything.`, '')
  say(lines.join('\n'))
}

/** Builds into dist/ what has changed. */
export function build() {
  return step('shared/build/src/build-all.ts', process.env, 'The build failed')
}

/** @type {import('node:child_process').ChildProcess | undefined} */
let stepNow

/**
 * Runs one of our commands until it ends, with its output on the terminal.
 * @param {string} file @param {NodeJS.ProcessEnv} env @param {string} failure @param {string[]} [args]
 */
async function step(file, env, failure, args = []) {
  const child = spawn(process.execPath, [join(root, file), ...args], {
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
  if (code !== 0) throw new Sentence(`${failure} (${file} ended with ${code}): see the lines above.`)
}

async function endStep() {
  if (stepNow?.pid) await end(stepNow.pid)
}

/**
 * @param {string} url @param {'api' | 'agency'} name
 * @param {ReturnType<typeof createSupervisor>} supervisor
 */
async function answers(url, name, supervisor) {
  const end = Date.now() + 60_000
  while (Date.now() < end && supervisor.failures(name) < 3) {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
    if (response?.ok) return
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
