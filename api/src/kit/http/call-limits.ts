/**
 * How long a call may wait for the database. All calls have these limits; jobs (imports, exports, payments, mails) and
 * commands have those of `JobLimits` and the one on idle transactions, because their statements may take long (decision 73).
 */
export type CallLimits = {
  /** Connections of the process. Further calls wait for one, for as long as `connectMs`. */
  connections: number
  /** Until a connection is there. */
  connectMs: number
  /** One statement, counted by the server. */
  statementMs: number
  /** Waiting for one lock, counted by the server. */
  lockMs: number
  /** A pause between two statements of a transaction, counted by the server. */
  idleMs: number
  /** Without a sign of the server. It is longer than a statement, so that only a silent server exceeds it. */
  silentMs: number
}

/** How long a job or a command waits for a server that may be gone. */
export type Timeouts = {
  /** Until a connection is made. */
  connectMs: number
  /** Without a sign of the server, until it is asked whether it still works for this connection. */
  silentMs: number
}
/** The time-outs of a pool if its caller names none. */
export const usualTimeouts: Timeouts = { connectMs: 5_000, silentMs: 18_000 }

/** The connections of the jobs of a process, and their time-outs. Further jobs wait for one as long as it takes. */
export type JobLimits = Timeouts & { connections: number }

/** An api has no jobs. At its start it checks that the database is its own. */
const checkConnections = 2

/** The limits of jobs: their connections, and the time-outs of calls. */
export const jobLimitsOf = (
  role: 'api' | 'worker' | 'both',
  connections: number,
  { connectMs, silentMs }: CallLimits,
): JobLimits => ({
  connections: role === 'api' ? checkConnections : connections,
  connectMs,
  silentMs,
})

/** The limits in seconds, as they are configured. */
type Seconds = { connections: number; connect: number; statement: number; lock: number; idle: number }

/** Makes the limits from the settings. */
export const callLimitsOf = ({ connections, connect, statement, lock, idle }: Seconds): CallLimits => ({
  connections,
  connectMs: connect * 1000,
  statementMs: statement * 1000,
  lockMs: lock * 1000,
  idleMs: idle * 1000,
  silentMs: (statement + 3) * 1000,
})
