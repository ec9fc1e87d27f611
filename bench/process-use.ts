import { readdirSync, readFileSync } from 'node:fs'

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

/** Resident memory of a process in MiB. */
export function residentMib(pid: number): number {
  const [, kib = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) / 1024
}
