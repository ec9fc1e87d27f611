import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import type { Visitor } from './visitor.ts'

/** The quantiles of a call's duration in ms, and how often it was made. */
export type Quantiles = { p50: number; p99: number; most: number; calls: number }

const pauseMs = 25

/** The quantiles of durations in ms. */
export function quantiles(times: readonly number[]): Quantiles {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), most: at(1), calls: sorted.length }
}

/** Quantiles in words: `4 ms, p99 12 ms`. */
export const inWords = ({ p50, p99, calls }: Quantiles) =>
  `${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms of ${calls} calls`

/** How long calls took by name, and by how much the pauses between them were too long: what the benchmark itself waited. */
export type Browsed = { calls: Map<string, Quantiles>; late: Quantiles }

/** One person who opens the same pages, one after the other, while something else goes on. */
export function browse<Name extends string>(visitor: Visitor, pages: Record<Name, string>) {
  const times = new Map<Name, number[]>()
  const late: number[] = []
  let over = false
  const walk = async () => {
    while (!over) {
      for (const [name, path] of Object.entries(pages) as [Name, string][]) {
        const ms = await timeCall(visitor, path)
        times.set(name, [...(times.get(name) ?? []), ms])
      }
      const paused = performance.now()
      await pause(pauseMs)
      late.push(performance.now() - paused - pauseMs)
    }
  }
  const walked = walk()
  // Whoever stops it is told of a call that failed.
  walked.catch(() => {})
  return async (): Promise<Browsed> => {
    over = true
    await walked
    const calls = new Map([...times].map(([name, each]) => [name, quantiles(each)]))
    return { calls, late: quantiles(late) }
  }
}

/** Duration of one call in ms, to its last byte. Throws if it is refused. */
export async function timeCall({ url, headers }: Visitor, path: string): Promise<number> {
  const began = performance.now()
  // Its own client takes half of the processor time of `fetch`, which is taken from those that are measured.
  const { statusCode, body } = await request(url + path, { headers })
  const text = await body.text()
  if (statusCode >= 400) throw new Error(`${path} answered ${statusCode}: ${text}`)
  return performance.now() - began
}
