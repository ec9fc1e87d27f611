import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { instant } from '../fields.ts'

/** The queues of jobs, in the order in which a person asks for them. The page has words for each. */
export const queueNames = [
  'import',
  'import-records',
  'export',
  'donor-report',
  'statement',
  'messages',
  'mail',
  'password-reset',
] as const
export type QueueName = (typeof queueNames)[number]

const count = v.number()

/** How the portal is, for an administrator without a monitor. */
export const SystemStatus = v.object({
  versions: v.object({
    node: v.string(),
    database: v.string(),
    /** The latest migration of the database. */
    migration: v.string(),
    /** The generation of the modules, and when it went live; null if their store does not answer. */
    modules: v.nullable(count),
    released_at: v.nullable(instant),
  }),
  queues: v.array(
    v.object({
      name: v.string(),
      /** Jobs that could run now, and the age of the oldest in seconds. */
      due: count,
      oldest: v.nullable(count),
      /** Jobs that failed for good within a day. */
      failed: count,
    }),
  ),
  /** Letters that no mail server took: those that are tried again, and those of a week that were given up. */
  letters: v.object({ waiting: count, failed: count }),
  agencies: v.array(
    v.object({
      id: v.number(),
      name: v.string(),
      /** Payments of open rounds. */
      open: count,
      unknown: count,
      /** There are open payments, and none settles. */
      stalled: v.boolean(),
    }),
  ),
  /** A person has to release sending. */
  held: v.boolean(),
  files: v.object({
    place: v.picklist(['disk', 's3']),
    /** The bucket answers; true where files are on the disk. */
    reached: v.boolean(),
    /** Free space of the data folder of the machine that answered. */
    free: count,
    enough: v.boolean(),
  }),
  /** Age in seconds of the oldest audit entry that is not linked yet. */
  audit_waits: count,
  /** The latest run of the ledger check; null if there was none. */
  ledger: v.nullable(
    v.object({
      at: instant,
      /** A run of every night is missing. */
      late: v.boolean(),
      lists: count,
      payments: count,
      events: count,
      /** How many lists of agencies were compared, too; null if none was asked for. */
      agencies: v.nullable(count),
      /** How many differences it found. */
      differences: count,
    }),
  ),
  /** The latest backup that told the portal of itself; null if none did. */
  backup: v.nullable(
    v.object({
      at: instant,
      /** A backup of every night is missing. */
      late: v.boolean(),
      bytes: count,
      maker: v.string(),
    }),
  ),
  /** Approved erasures that were not carried out yet, and how many of them are older than two days. */
  erasures: v.object({ open: count, overdue: count }),
  /** The latest failures of jobs. */
  errors: v.array(v.object({ queue: v.string(), at: instant, message: v.string() })),
})
export type SystemStatus = v.InferOutput<typeof SystemStatus>

export const system = {
  read: endpoint({ method: 'GET', path: '/admin/system', access: 'system.view', answer: SystemStatus }),
}
