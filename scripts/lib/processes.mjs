// Pid files and the processes behind them. A pid alone proves nothing, because the system reuses the numbers.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Whether a process with this pid runs. @param {number} pid */
export function alive(pid) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPERM') return false
  }
  return !/^\S+ \(.*\) Z/s.test(proc(pid, 'stat') ?? '')
}

/** The command line of a process, '' when it cannot be read. @param {number} pid */
export function commandLine(pid) {
  return proc(pid, 'cmdline')?.replaceAll('\0', ' ').trim() ?? ps(pid, 'command=')
}

/** The start time of a process. It differs when the pid has been given to another process. @param {number} pid */
export function startMark(pid) {
  const stat = proc(pid, 'stat')
  return stat ? (stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '') : ps(pid, 'lstart=')
}

/** The parent's pid, 0 when unknown. @param {number} pid */
export function parentOf(pid) {
  const stat = proc(pid, 'stat')
  return Number(stat ? stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] : ps(pid, 'ppid=')) || 0
}

/** @param {number} pid @param {string} file */
function proc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return undefined
  }
}

/** @param {number} pid @param {string} column */
function ps(pid, column) {
  if (process.platform === 'linux' || process.platform === 'win32') return ''
  try {
    return execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}

/** @param {string} file @param {number} pid */
export function writePid(file, pid) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${pid}\n`)
}

/** The pid in a pid file, undefined without one. @param {string} file */
export function readPid(file) {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || undefined
  } catch {
    return undefined
  }
}

/** @param {string} file */
export function removeFile(file) {
  rmSync(file, { force: true })
}

/** Waits until `done` answers true; false after `ms`. @param {() => boolean} done @param {number} ms */
export async function until(done, ms) {
  const end = Date.now() + ms
  while (!done()) {
    if (Date.now() > end) return false
    await sleep(25)
  }
  return true
}

/**
 * Ends one process: SIGTERM, then SIGKILL after `graceMs`.
 * @param {number} pid @param {number} [graceMs]
 */
export async function end(pid, graceMs = 10_000) {
  signal(pid, 'SIGTERM')
  if (await until(() => !alive(pid), graceMs)) return
  signal(pid, 'SIGKILL')
  await until(() => !alive(pid), 5_000)
}

/** Sends a signal. A process that has already ended is no error. @param {number} pid @param {NodeJS.Signals} name */
export function signal(pid, name) {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error
  }
}
