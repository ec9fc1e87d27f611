import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, setPriority } from 'node:os'

/** Fields of /proc/PID/stat after the name of the program. */
const fieldsOf = (pid: number | string) =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')

/** Of Linux. */
const ticksPerSecond = 100
const own = (fields: string[]) => Number(fields[11]) + Number(fields[12])
const ofEndedChildren = (fields: string[]) => Number(fields[13]) + Number(fields[14])

/** Processor time of a process in ms. */
export const cpuMs = (pid: number) => (own(fieldsOf(pid)) * 1000) / ticksPerSecond

/** Processor time in ms of a process with its children, also of those that have ended. */
export function cpuMsWithChildren(pid: number): number {
  let ticks = ofEndedChildren(fieldsOf(pid)) + own(fieldsOf(pid))
  for (const other of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = fieldsOf(other)
      if (Number(fields[1]) === pid) ticks += own(fields)
    } catch {
      // It has ended meanwhile, and is counted with its parent.
    }
  }
  return (ticks * 1000) / ticksPerSecond
}

/**
 * Watches the processor time of programs. The returned function says what each has used since, in words, and of how many
 * seconds of all processors. It says nothing on systems other than Linux.
 */
export function watchProcessors(programs: Record<string, () => number>): () => string {
  if (process.platform !== 'linux') return () => ''
  const began = performance.now()
  const before = Object.entries(programs).map(([name, used]) => ({ name, used, ms: used() }))
  return () => {
    const all = ((performance.now() - began) * availableParallelism()) / 1000
    const each = before.map(({ name, used, ms }) => `${name} ${((used() - ms) / 1000).toFixed(1)}`)
    return `${each.join(', ')} of ${all.toFixed(1)} s`
  }
}

/** Gives a process half the weight of others, as installations give their worker: people come before jobs. */
export const letPeopleFirst = (pid: number) => setPriority(pid, 3)

/** Resident memory of a process in MiB. */
export function residentMib(pid: number): number {
  const [, kib = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) / 1024
}
