import type { Settings } from '../process/settings.ts'

/** Connections of the queue of jobs: its pool, and one that listens. */
export const queuePool = 4
const queueConnections = queuePool + 1

/** Connections of the paths for machines, on each port that has them. */
export const probeConnections = 4

/** The most connections that a process takes, for whoever has to know how many the database needs. */
export function connectionsOf({
  role,
  callLimits,
  jobLimits,
  machine,
}: Pick<Settings, 'role' | 'callLimits' | 'jobLimits' | 'machine'>): number {
  const calls = role === 'worker' ? 0 : callLimits.connections
  const queue = role === 'api' ? 0 : queueConnections
  const probes = probeConnections * (Number(machine.port !== undefined) + Number(machine.public))
  return calls + jobLimits.connections + queue + probes
}
