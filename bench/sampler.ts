import { setTimeout as pause } from 'node:timers/promises'
import type { Visitor } from './visitor.ts'

/** The quantiles of a call's duration in ms, and how often it was made. */
export type Quantiles = { p50: number; p99: number; most: number; calls: number }

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

/** One person who opens the same pages, one after the other, while something else goes on. */
export function browse<Name extends string>(visitor: Visitor, pages: Record<Name, string>) {
  const times = new Map<Name, number[]>()
  let over = false
  const walk = async () => {
    while (!over) {
      for (const [name, path] of Object.entries(pages) as [Name, string][]) {
        const ms = await timeCall(visitor, path)
        times.set(name, [...(times.get(name) ?? []), ms])
      }
      await pause(25)
    }
  }
  const walked = walk()
  // Whoever stops it is told of a call that failed.
  walked.catch(() => {})
  return async (): Promise<Map<Name, Quantiles>> => {
    over = true
    await walked
    return new Map([...times].map(([name, each]) => [name, quantiles(each)]))
  }
}

/** Duration of one call in ms, to its last byte. Throws if it is refused. */
export async function timeCall({ url, headers }: Visitor, path: string): Promise<number> {
  const began = performance.now()
  const answer = await fetch(url + path, { headers })
  const body = await answer.text()
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${body}`)
  return performance.now() - began
}
