import type { HoldReason } from '@portal/contracts/transfers/hold-words'
import * as v from 'valibot'
import { signedFile } from '../../kit/files/signed-file.ts'

/** How far sending had come at the last comparison. Instants are milliseconds of the database's clock. */
const Mark = v.object({
  installation: v.string(),
  counter: v.number(),
  /** Identifier and timeline of the PostgreSQL server, and its WAL position. */
  server: v.string(),
  timeline: v.string(),
  lsn: v.number(),
  at: v.number(),
  /** Number of confirmed changes of address or account, and of cohorts moved to another agency, by agency id. */
  changes: v.optional(v.record(v.string(), v.number()), {}),
})
export type Mark = v.InferOutput<typeof Mark>

/** The mark outside the database: read, missing, or unreadable. */
export type MarkFile = { kind: 'read'; mark: Mark } | { kind: 'missing' } | { kind: 'unreadable' }

const file = signedFile('sending-mark.json', 'sending mark', Mark)

/** Reads the file. A file without a valid signature of this portal is unreadable. */
export async function readMarkFile(place: Parameters<typeof file.read>[0]): Promise<MarkFile> {
  const found = await file.read(place)
  return found.kind === 'read' ? { kind: 'read', mark: found.value } : found
}

/** Writes the file atomically and waits until it is synced to disk. */
export const writeMarkFile = file.write

/** The mark in the database: `counter` and `at` of the last mark, and `now` by the database's clock. */
export type DatabaseSide = Omit<Mark, 'installation' | 'at'> & { at: number | null; now: number }

/** Time since the last comparison, by the database's clock and by the monotonic clock of this process. */
export type Elapsed = { database: number; own: number }

const minute = 60_000
const longestAbsence = 24 * 60 * minute
/** Smaller differences are normal corrections of a time service. */
const clockTolerance = 5 * minute

/**
 * Agencies whose address or account changed in the lost database, or that a cohort left there. What was sent since cannot
 * be queried from here.
 */
export function movedAgencies(file: MarkFile, { changes }: Pick<Mark, 'changes'>): number[] {
  const marked = file.kind === 'read' ? Object.entries(file.mark.changes) : []
  return marked.filter(([id, count]) => count > (changes[id] ?? 0)).map(([id]) => Number(id))
}

/** Compares both marks. An empty result means that the database continues from the mark. */
export function discontinuities(
  file: MarkFile,
  database: DatabaseSide,
  elapsed: Elapsed | null,
): HoldReason[] {
  const found = new Set<HoldReason>()
  const mark = file.kind === 'read' ? file.mark : null
  if (file.kind === 'unreadable') found.add('mark_unreadable')
  if (file.kind === 'missing' && database.counter > 0) found.add('mark_missing')
  if (mark) {
    if (mark.server !== database.server) found.add('server')
    else if (mark.timeline !== database.timeline) found.add('timeline')
    else if (mark.lsn > database.lsn) found.add('behind')
    if (mark.counter > database.counter) found.add('behind')
  }
  const last = mark?.at ?? database.at
  if (last !== null && database.now - last > longestAbsence) found.add('absence')
  if (last !== null && last - database.now > clockTolerance) found.add('clock')
  if (movedAgencies(file, database).length > 0) found.add('moved')
  if (elapsed && Math.abs(elapsed.database - elapsed.own) > clockTolerance) found.add('clock')
  return [...found]
}
