import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../api/src/kit/database/db.ts'
import { type Figure, seconds } from './figures.ts'
import { addSchools, sendStudents, studentsFile } from './nation.ts'
import { closeAtEnd, onStage } from './stage.ts'
import { signInAdministrator, type Visitor } from './visitor.ts'
import { startWatchedWorker } from './watched.ts'

const aims = { seconds: 10, megabytes: 400, loopMs: 100 }
const schools = 200

/** Time of preview and import of 15,000 students in one file, and the worker's memory and event-loop delay. */
export function measureStudentsImport(scale: number): Promise<Figure[]> {
  const count = Math.round(15_000 * scale)
  return onStage(async ({ context, startApi, vacuum }) => {
    await addSchools(context.db, schools)
    await vacuum()
    const visitor = await signInAdministrator(context, await startApi())
    const worker = startWatchedWorker(context)
    return closeAtEnd(worker.stop, async () => {
      // Warm-up: the first import also loads code.
      await run(context.db, visitor, studentsFile(50, schools), 50)
      worker.start()
      const file = studentsFile(count, schools)
      const { preview, write } = await run(context.db, visitor, file, count)
      const again = await run(context.db, visitor, file, count)
      const used = await worker.used()
      const megabytes = Math.round(used.peakBytes / 1024 / 1024)
      const total = (preview + write) / 1000
      const figure = `Import of ${count.toLocaleString('en-US')} students of 20 columns`
      const command = 'npm run bench -- students-import'
      return [
        {
          figure: `${figure}, end to end`,
          measured: `${total.toFixed(1)} s (preview ${seconds(preview)}, written ${seconds(write)}; the same file again ${seconds(again.preview)} and ${seconds(again.write)})`,
          aim: `≤ ${aims.seconds} s`,
          holds: total <= aims.seconds,
          command,
        },
        {
          figure: `${figure}, peak memory of the worker`,
          measured: `${megabytes} MB (${Math.round(used.idleBytes / 1024 / 1024)} MB before it)`,
          aim: `≤ ${aims.megabytes} MB`,
          holds: megabytes <= aims.megabytes,
          command,
        },
        {
          figure: `${figure}, longest delay of the worker's loop`,
          measured: `${Math.round(used.longestMs)} ms (p99 ${used.p99Ms.toFixed(1)} ms)`,
          aim: `≤ ${aims.loopMs} ms`,
          holds: used.longestMs <= aims.loopMs,
          command,
        },
      ]
    })
  })
}

async function run(db: Db, visitor: Visitor, file: File, count: number) {
  const began = performance.now()
  const id = await sendStudents(visitor, file, true)
  await state(db, id, 'review')
  const reviewed = performance.now()
  const answer = await fetch(`${visitor.url}/imports/${id}/confirm`, {
    method: 'POST',
    headers: { ...visitor.headers, 'content-type': 'application/json' },
    body: '{}',
  })
  if (!answer.ok) throw new Error(`The confirmation answered ${answer.status}`)
  const { rows_imported } = await state(db, id, 'imported')
  if (rows_imported !== count) throw new Error(`${rows_imported} of ${count} rows were imported`)
  return { preview: reviewed - began, write: performance.now() - reviewed }
}

/** Waits until an import has a state. */
export async function state(db: Db, id: number, wanted: string) {
  for (;;) {
    const { rows } = await sql<{ state: string; rows_imported: number }>`
      select state, rows_new + rows_changed + rows_unchanged as rows_imported from imports where id = ${id}
    `.execute(db)
    const [found] = rows
    if (found?.state === wanted) return found
    if (!found || ['imported', 'failed', 'cancelled'].includes(found.state))
      throw new Error(`Import: ${JSON.stringify(found)}`)
    await pause(10)
  }
}
