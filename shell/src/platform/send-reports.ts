import { antiForgeryToken } from '@portal/client/request'
import type { ModuleReport } from '@portal/contracts/modules'
import type { BuildRef } from './builds.ts'

/** Something that happened to a module in this browser, before it is written as the api wants it. */
export type Happened =
  | { kind: 'load'; ref: BuildRef; page: string; from: number; to: number }
  | {
      kind: 'error'
      ref: BuildRef
      reason: string
      reference: string
      message: string
      path: string
      stack?: string
    }

/** The bytes that were transferred for a build in that time. Files from the browser's cache count as none. */
function bytesOf(base: string, from: number, to: number): number {
  const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  return entries
    .filter(
      ({ name, startTime }) =>
        startTime >= from && startTime <= to && new URL(name).pathname.startsWith(base),
    )
    .reduce((sum, { transferSize }) => sum + transferSize, 0)
}

/**
 * The lines of a stack that say where in the code it was, without the message, which may name somebody, and with files of
 * the module by their name alone.
 */
export const linesOf = (stack: string, base: string): string =>
  stack
    .split('\n')
    .filter((line) => /:\d+:\d+\)?$/.test(line.trim()))
    .map((line) => line.trim().replaceAll(globalThis.location.origin, '').replaceAll(base, ''))
    .join('\n')
    .slice(0, 2000)

function written(happened: Happened): ModuleReport {
  const { name: module, version, build, base } = happened.ref
  if (happened.kind === 'load') {
    const { page, from, to } = happened
    const cost = { ms: Math.round(to - from), bytes: bytesOf(base, from, to) }
    return { kind: 'load', module, version, build, page: page.slice(0, 200), ...cost }
  }
  const { kind, reason, reference, message, path, stack = '' } = happened
  const short = { message: message.slice(0, 300), path: path.slice(0, 200), stack: linesOf(stack, base) }
  return { kind, module, version, build, reason: reason as 'crash', reference, ...short }
}

/** How often the queue is sent. */
const every = 4000

/**
 * The most bytes of reports that are sent at the same time. A browser refuses requests that may outlive their page if they have more
 * than 64 KiB together, and the server refuses a body above 64 KiB. One report has at most some 15 KB.
 */
const mostBytes = 60_000

/** Sends the queued reports from time to time and when the page is left. Reports above `mostBytes` wait until earlier ones have arrived. */
export function sendFrom(waiting: Happened[]): void {
  let underWay = 0
  const flush = () => {
    const reports: string[] = []
    let bytes = 0
    for (const happened of waiting) {
      const report = JSON.stringify(written(happened))
      const more = new TextEncoder().encode(report).length + 1
      if (underWay + bytes + more > mostBytes) break
      bytes += more
      reports.push(report)
    }
    waiting.splice(0, reports.length)
    if (reports.length === 0) return
    underWay += bytes
    const rest = waiting.length > 0
    void send(`{"reports":[${reports}]}`).finally(() => {
      underWay -= bytes
      if (rest) flush()
    })
  }
  setInterval(flush, every)
  window.addEventListener('pagehide', flush)
  flush()
}

/** A report that does not arrive is lost: nothing on the page depends on it. */
function send(body: string): Promise<unknown> {
  const token = antiForgeryToken()
  return fetch('/api/modules/reports', {
    method: 'POST',
    keepalive: true,
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json',
      'X-Requested-With': 'XMLHttpRequest',
      // A report does not prolong the session.
      'X-Poll': '1',
      ...(token && { 'X-XSRF-TOKEN': token }),
    },
    body,
  }).catch(() => {})
}
