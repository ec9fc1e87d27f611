import { Client } from 'undici'
import { addPeople, addRound } from '../api/test/people.ts'
import { type Figure, median } from './figures.ts'
import { onStage } from './stage.ts'
import { signInAdministrator } from './visitor.ts'

const aim = 1.2
const blocks = 20
const callsPerBlock = 100

/** The poll of a page that shows a running round. Nothing has changed since the last poll, as is mostly so. */
export function measureProgress(scale: number): Promise<Figure[]> {
  const large = Math.round(150_000 * scale)
  const small = Math.round(150 * scale)
  return onStage(async ({ context, agency, startApi, vacuum }) => {
    const { officer } = await addPeople(context.db, large, agency.url)
    const many = await addRound(context.db, officer, large, 'Many')
    const few = await addRound(context.db, officer, small, 'Few')
    await vacuum()
    const origin = await startApi()
    const visitor = await signInAdministrator(context, origin)
    const client = new Client(origin)
    const poll = async (cohort: number, etag = '') => {
      const { statusCode, headers, body } = await client.request({
        method: 'GET',
        path: `/api/admin/transfers/cohorts/${cohort}/progress`,
        headers: { ...visitor.headers, 'x-poll': '1', ...(etag && { 'if-none-match': etag }) },
      })
      await body.dump()
      if (statusCode !== (etag ? 304 : 200)) throw new Error(`The poll answered ${statusCode}`)
      return String(headers.etag)
    }
    const times = { many: [] as number[], few: [] as number[] }
    const etags = { many: await poll(many.cohort), few: await poll(few.cohort) }
    const block = async (which: 'many' | 'few', cohort: number) => {
      for (let n = 0; n < callsPerBlock; n++) {
        const began = performance.now()
        await poll(cohort, etags[which])
        times[which].push(performance.now() - began)
      }
    }
    await block('many', many.cohort)
    await block('few', few.cohort)
    times.many = []
    times.few = []
    // Alternately, so that a slow moment of the machine affects both.
    for (let n = 0; n < blocks; n++) {
      await block('many', many.cohort)
      await block('few', few.cohort)
    }
    await client.close()
    const ratio = median(times.many) / median(times.few)
    const calls = blocks * callsPerBlock
    return [
      {
        figure: `Progress poll over HTTP at ${large.toLocaleString('en-US')} entries against ${small}`,
        measured: `${ratio.toFixed(2)} × (p50 of ${calls} calls each: ${median(times.many).toFixed(2)} ms / ${median(times.few).toFixed(2)} ms)`,
        aim: `≤ ${aim} ×`,
        holds: ratio <= aim,
        command: 'npm run bench -- progress',
      },
    ]
  })
}
