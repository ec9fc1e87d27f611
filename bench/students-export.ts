import { setTimeout as pause } from 'node:timers/promises'
import type { Figure } from './figures.ts'
import { addSchools, addStudents } from './nation.ts'
import { closeAtEnd, onStage } from './stage.ts'
import { signInAdministrator } from './visitor.ts'
import { startWatchedWorker } from './watched.ts'

const aim = 200

/** Time and memory of an export of all students of a country. */
export function measureStudentsExport(scale: number): Promise<Figure[]> {
  const count = Math.round(150_000 * scale)
  return onStage(async ({ context, startApi, vacuum }) => {
    await addSchools(context.db, 1500)
    await addStudents(context.db, count)
    await vacuum()
    const { url, headers } = await signInAdministrator(context, await startApi())
    const worker = startWatchedWorker(context)
    return closeAtEnd(worker.stop, async () => {
      await pause(2000)
      worker.start()
      const began = performance.now()
      const asked = await fetch(`${url}/admin/schools/students/export`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: '{}',
      })
      const { file_name } = (await asked.json()) as { file_name?: string }
      if (!file_name) throw new Error(`The export answered ${asked.status}`)
      let bytes = 0
      while (bytes === 0) {
        const answer = await fetch(`${url}/storage/exports/${file_name}`, { headers })
        if (answer.status === 200) bytes = (await answer.arrayBuffer()).byteLength
        else if (answer.status !== 202) throw new Error(`The file answered ${answer.status}`)
        else await pause(100)
      }
      const ms = performance.now() - began
      const used = await worker.used()
      const megabytes = Math.round(used.peakBytes / 1024 / 1024)
      return [
        {
          figure: `Export of ${count.toLocaleString('en-US')} students, peak memory of the worker`,
          measured: `${megabytes} MB (${Math.round(used.idleBytes / 1024 / 1024)} MB before it, ${(ms / 1000).toFixed(1)} s, file of ${(bytes / 1024 / 1024).toFixed(1)} MB, longest delay of the loop ${Math.round(used.longestMs)} ms)`,
          aim: `≤ ${aim} MB`,
          holds: megabytes <= aim,
          command: 'npm run bench -- students-export',
        },
      ]
    })
  })
}
