// Supervises child processes: pid files, logs, restarts with back-off, an orderly shutdown.
import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { alive, commandLine, end, readPid, removeFile, writePid } from './processes.mjs'
import { say } from './say.mjs'

/** @typedef {{ name: string, script: string, nodeArgs?: string[], env: NodeJS.ProcessEnv }} ChildPlan `script` is absolute */

const firstWait = 200
const longestWait = 15_000
const steadyAfter = 5_000
const largestLog = 20 * 1024 * 1024

/** The argument by which children of a data folder are recognised. @param {string} dataDir */
const mark = (dataDir) => `--data-dir=${dataDir}`

/** @param {string} dataDir @param {string} name */
export const pidFile = (dataDir, name) => join(dataDir, 'run', `${name}.pid`)

/** @param {string} dataDir @param {string} name */
export const logFile = (dataDir, name) => join(dataDir, 'logs', `${name}.log`)

/** Path of a log file. A file of more than 20 MB is renamed to `.1` first. @param {string} dataDir @param {string} name */
export function openLog(dataDir, name) {
  const file = logFile(dataDir, name)
  mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o700 })
  if (existsSync(file) && statSync(file).size > largestLog) renameSync(file, `${file}.1`)
  return openSync(file, 'a', 0o600)
}

/** The last lines of a log. @param {string} dataDir @param {string} name */
export function lastLines(dataDir, name) {
  const file = logFile(dataDir, name)
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').slice(-5).join('\n') : ''
}

/** Ends children that a killed start command left behind. @param {string} dataDir @param {string[]} names */
export async function endOrphans(dataDir, names) {
  await Promise.all(
    names.map(async (name) => {
      const file = pidFile(dataDir, name)
      const pid = readPid(file)
      if (pid && alive(pid) && `${commandLine(pid)} `.includes(`${mark(dataDir)} `)) await end(pid)
      removeFile(file)
    }),
  )
}

/** @param {string} dataDir @param {number} [graceMs] how long a child may take to end after it has drained */
export function createSupervisor(dataDir, graceMs = 10_000) {
  /** @type {Map<string, { child: import('node:child_process').ChildProcess, drainMs: number }>} */
  const running = new Map()
  /** @type {Map<string, number>} */
  const deaths = new Map()
  let stopping = false

  /** @param {ChildPlan} plan */
  function start(plan) {
    if (stopping) return
    const output = openLog(dataDir, plan.name)
    const started = Date.now()
    // In its own session, a child gets no Ctrl-C. This process ends the children, in the right order.
    const child = spawn(process.execPath, [...(plan.nodeArgs ?? []), plan.script, mark(dataDir)], {
      detached: true,
      env: plan.env,
      stdio: ['ignore', output, output],
    })
    closeSync(output)
    running.set(plan.name, { child, drainMs: Number(plan.env.PORTAL_DRAIN_SECONDS || 0) * 1000 })
    if (child.pid) writePid(pidFile(dataDir, plan.name), child.pid)
    child.once('error', (error) => say(`${plan.name}: ${error.message}`))
    child.once('exit', (code, signal) => {
      running.delete(plan.name)
      if (stopping) return
      const steady = Date.now() - started > steadyAfter
      const count = steady ? 1 : (deaths.get(plan.name) ?? 0) + 1
      deaths.set(plan.name, count)
      const wait = Math.min(firstWait * 2 ** (count - 1), longestWait)
      say(`${plan.name} ended (${signal ?? `code ${code}`}); starting it again in ${wait / 1000} s`)
      setTimeout(() => start(plan), wait)
    })
  }

  return {
    start,
    /** How often in a row a child died soon after its start. @param {string} name */
    failures: (name) => deaths.get(name) ?? 0,
    /** Ends all children. Each may serve for PORTAL_DRAIN_SECONDS, and then has 10 s for its open calls and jobs. */
    async stop() {
      stopping = true
      await Promise.all(
        [...running].map(async ([name, { child, drainMs }]) => {
          if (child.pid) await end(child.pid, drainMs + graceMs)
          removeFile(pidFile(dataDir, name))
        }),
      )
    },
  }
}
