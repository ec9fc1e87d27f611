/**
 * How long a call may wait for the database. All calls have these limits; jobs (imports, exports, payments, mails) and
 * commands have none of them but the one on idle transactions, because their statements may take long (decision 73).
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
