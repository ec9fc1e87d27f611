// A lock file allows one start command per data folder. A run is an orphan when npm, or the Node that launched it, was
// killed. The next start kills an orphan and takes its database over.
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { alive, commandLine, parentOf, signal, startMark, until } from './processes.mjs'
import { Sentence } from './say.mjs'

/** @typedef {{ pid: number, mark: string }} Process */
/** @typedef {{ self: Process, above: Process[], url: string }} Run */

/** @param {number} pid @returns {Process} */
const identify = (pid) => ({ pid, mark: startMark(pid) })

/** @param {Process} process */
const same = ({ pid, mark }) => alive(pid) && startMark(pid) === mark

/** npm and the processes between it and this one; empty when npm did not start it. */
function launchers() {
  const found = []
  for (let pid = process.ppid; pid > 1 && found.length < 5; pid = parentOf(pid)) {
    found.push(identify(pid))
    if (/^npm |npm-cli/.test(commandLine(pid))) return found
  }
  return process.channel ? found.slice(0, 1) : []
}

const above = launchers()

/** Whether npm, or the Node that launched us, has ended. npm passes SIGTERM on to its shell only, so we have to look. */
export const launcherGone = () => !above.every(same)

/**
 * Takes the folder's lock. Fails with the address of the portal if it runs already.
 * @param {string} dataDir @param {string} url
 */
export async function takeLock(dataDir, url) {
  const file = join(dataDir, 'run', 'start.json')
  mkdirSync(join(dataDir, 'run'), { recursive: true })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, JSON.stringify({ self: identify(process.pid), above, url }))
  try {
    for (;;) {
      try {
        // Making a link is atomic: the file is complete, and only one of two concurrent starts succeeds.
        linkSync(draft, file)
        return
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
      }
      await endOrphanedRun(file)
      rmSync(file, { force: true })
    }
  } finally {
    rmSync(draft, { force: true })
  }
}

/** @param {string} file */
async function endOrphanedRun(file) {
  /** @type {Run} */
  let run
  try {
    run = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return
  }
  if (!same(run.self)) return
  if (run.above.every(same)) {
    throw new Sentence(
      `The portal is running already at ${run.url} (process ${run.self.pid}): use it, or stop it there with Ctrl-C first.`,
    )
  }
  signal(run.self.pid, 'SIGKILL')
  for (const each of run.above)
    if (same(each) && /scripts/.test(commandLine(each.pid))) signal(each.pid, 'SIGKILL')
  await until(() => !alive(run.self.pid), 5_000)
}

/** @param {string} dataDir */
export function releaseLock(dataDir) {
  rmSync(join(dataDir, 'run', 'start.json'), { force: true })
}
