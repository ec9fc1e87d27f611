import { timingSafeEqual } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { deriveKey, hmac } from '../kit/seal.ts'
import type { Settings } from '../kit/settings.ts'

/** How far sending had come when a worker last looked; instants as milliseconds of the database's clock. */
const Mark = v.object({
  installation: v.string(),
  counter: v.number(),
  /** Of the PostgreSQL server: its identifier, its timeline, the position of its log. */
  server: v.string(),
  timeline: v.string(),
  lsn: v.number(),
  at: v.number(),
  /** How many changes of address or account of each agency were confirmed, by its id. */
  changes: v.optional(v.record(v.string(), v.number()), {}),
})
export type Mark = v.InferOutput<typeof Mark>

/** The mark outside of the database: there, not there, or not to be trusted. */
export type MarkFile = { kind: 'read'; mark: Mark } | { kind: 'missing' } | { kind: 'unreadable' }

type Place = Pick<Settings, 'dataDir' | 'secret'>

const fileOf = ({ dataDir }: Place) => join(dataDir, 'sending-mark.json')
const signatureOf = ({ secret }: Place, text: string) => hmac(deriveKey(secret, 'sending mark'), text)

/** Reads the file; whatever was not signed by this portal is unreadable. */
export async function readMarkFile(place: Place): Promise<MarkFile> {
  let text: string
  try {
    text = await readFile(fileOf(place), 'utf8')
  } catch (error) {
    return { kind: (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'unreadable' }
  }
  const [body = '', signature = ''] = text.split('\n')
  const expected = signatureOf(place, body)
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return { kind: 'unreadable' }
  const read = v.safeParse(Mark, JSON.parse(body))
  return read.success ? { kind: 'read', mark: read.output } : { kind: 'unreadable' }
}

/** Writes the file whole or not at all, and waits until it is on the disk. */
export async function writeMarkFile(place: Place, mark: Mark): Promise<void> {
  const body = JSON.stringify(mark)
  const unfinished = `${fileOf(place)}.${process.pid}`
  const file = await open(unfinished, 'w', 0o600)
  try {
    await file.writeFile(`${body}\n${signatureOf(place, body).toString('base64url')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(unfinished, fileOf(place))
}

/** Why sending cannot simply go on. */
export const holdReasons = [
  'behind',
  'timeline',
  'server',
  'mark_missing',
  'mark_unreadable',
  'absence',
  'clock',
  'moved',
] as const
export type HoldReason = (typeof holdReasons)[number]

/** The database's own side; `counter` and `at` as its last mark has them, `now` by its clock. */
export type DatabaseSide = Omit<Mark, 'installation' | 'at'> & { at: number | null; now: number }

/** How this process saw time pass since it last looked: by the database's clock, and by its own that nobody sets. */
export type Elapsed = { database: number; own: number }

const minute = 60_000
const longestAbsence = 24 * 60 * minute
/** What time services correct in small steps is no jump. */
const clockTolerance = 5 * minute

/** Agencies whose address or account changed in the database that was lost: what went there cannot be asked for here. */
export function movedAgencies(file: MarkFile, { changes }: Pick<Mark, 'changes'>): number[] {
  const marked = file.kind === 'read' ? Object.entries(file.mark.changes) : []
  return marked.filter(([id, count]) => count > (changes[id] ?? 0)).map(([id]) => Number(id))
}

/** Compares both sides; nothing found means that the database goes on from the mark. */
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
