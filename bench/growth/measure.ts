import { readFileSync, statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { median } from '../figures.ts'
import type { Visitor } from '../visitor.ts'
import type { Call } from './calls.ts'

/** What a call took: the median of its times, or the status with which it was refused. */
export type Timed = { call: Call; ms: number; calls: number; refused?: number; plans: string }

const most = 7
/** A call that takes seconds is not repeated as often. */
const longestMs = 6000

/** Times a call, after one call that warms it up. */
export async function measure(visitor: Visitor, call: Call, log?: string): Promise<Timed> {
  const from = log ? statSync(log).size : 0
  const times: number[] = []
  const began = performance.now()
  const once = () => (call.body ? exportOnce(visitor, call) : readOnce(visitor, call))
  let refused: number | undefined
  for (let n = 0; n <= most && !refused && (n < 2 || performance.now() - began < longestMs); n++) {
    const start = performance.now()
    refused = await once()
    // An export has nothing to warm up, and takes long.
    if (n > 0 || call.body) times.push(performance.now() - start)
    if (call.body) break
  }
  const plans = log ? firstOfEach(readFileSync(log).subarray(from).toString()) : ''
  return {
    call,
    ms: refused ? Number.NaN : median(times),
    calls: times.length,
    ...(refused && { refused }),
    plans,
  }
}

async function readOnce({ url, headers }: Visitor, { path }: Call): Promise<number | undefined> {
  const answer = await fetch(url + path, { headers })
  await answer.arrayBuffer()
  return answer.ok ? undefined : answer.status
}

/** Asks for an export and waits for its file, or for a report and waits until it is counted. */
async function exportOnce(
  { url, headers }: Visitor,
  { path, body, counted: place }: Call,
): Promise<number | undefined> {
  const asked = await fetch(url + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!asked.ok) return asked.status
  while (place) {
    const answer = await fetch(url + place, { headers })
    const { counted } = (await answer.json()) as { counted: { state: string } | null }
    if (!answer.ok) return answer.status
    if (!counted || counted.state === 'ready') return undefined
    if (counted.state === 'failed') return 500
    await pause(100)
  }
  const { file_name } = (await asked.json()) as { file_name: string }
  for (;;) {
    const answer = await fetch(`${url}/storage/exports/${file_name}`, { headers })
    await answer.arrayBuffer()
    if (answer.status === 200) return undefined
    if (answer.status !== 202) return answer.status
    await pause(100)
  }
}

/** The plans in the log of the database, one of each statement. */
function firstOfEach(log: string): string {
  const plans = log.split(/\n(?=\d{4}-\d\d-\d\d )/).filter((entry) => entry.includes('plan:'))
  return [
    ...new Map(plans.map((plan) => [/Query Text:([\s\S]*?)\n\t?\S+ .*cost=/.exec(plan)?.[1], plan])).values(),
  ].join('\n')
}

/** One line, with the plans below it. */
export function printed({ call, ms, refused, plans, calls }: Timed): string {
  const late = call.aimMs && !(ms <= call.aimMs) ? `  ✗ aim ${call.aimMs} ms` : ''
  const took = refused
    ? `refused with ${refused}`
    : `${ms.toFixed(1)} ms${calls > 1 ? ` (p50 of ${calls})` : ''}`
  return `${call.name}: ${took}${late}${plans && `\n${plans}`}`
}
