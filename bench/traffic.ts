import type { CDPSession, Page } from 'playwright-core'

/**
 * One request of a page. `bytes` is the size of the body on the wire, 0 from the cache; `wave` counts from 1.
 * `ahead` is a prefetch for a later page, `icon` a request of the browser itself. No page waits for either.
 */
type Request = { path: string; bytes: number; wave: number; cached: boolean; role: Role }
type Role = 'blocking' | 'page' | 'ahead' | 'icon'
export type Traffic = Request[]

/** Delay of every response. With it, requests that wait for a response can be told from parallel requests. */
const latencyMs = 400

type Sent = { url: string; began: number; ended: number; head: number; bytes: number; cached: boolean }

/**
 * Records a page's requests through the DevTools protocol, on a slow connection. The wave of a request is 1 + the highest
 * wave among the responses that came before it was sent. Connecting is not counted: it depends on protocol and distance.
 */
export async function watchTraffic(page: Page): Promise<() => Promise<Traffic>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
  const sent = new Map<string, Sent>()
  listen(session, sent)
  return async () => {
    const roles = await page.evaluate(() => {
      const linked = (rel: string) =>
        [...document.querySelectorAll<HTMLLinkElement>(`link[rel=${rel}]`)].map(({ href }) => href)
      const resources = performance.getEntriesByType('resource') as (PerformanceResourceTiming & {
        renderBlockingStatus?: string
      })[]
      const blocking = resources.filter((entry) => entry.renderBlockingStatus === 'blocking')
      return {
        blocking: [location.href, ...blocking.map(({ name }) => name)],
        ahead: linked('prefetch'),
        icon: linked('icon'),
      }
    })
    const roleOf = (url: string): Role =>
      (['blocking', 'ahead', 'icon'] as const).find((role) => roles[role].includes(url)) ?? 'page'
    const ended = [...sent.values()].filter(({ ended }) => ended > 0).sort((a, b) => a.began - b.began)
    const waves = new Map<Sent, number>()
    for (const one of ended) {
      const before = ended.filter((other) => !other.cached && other.ended <= one.began)
      waves.set(one, 1 + Math.max(0, ...before.map((other) => waves.get(other) ?? 0)))
    }
    return ended.map((one) => {
      const { url, bytes, cached } = one
      const { pathname, search } = new URL(url)
      return { path: pathname + search, bytes, wave: waves.get(one) ?? 0, cached, role: roleOf(url) }
    })
  }
}

function listen(session: CDPSession, sent: Map<string, Sent>) {
  session.on('Network.requestWillBeSent', ({ requestId, request, timestamp }) => {
    if (!/^https?:/.test(request.url)) return
    const { url } = request
    sent.set(requestId, { url, began: timestamp, ended: 0, head: 0, bytes: 0, cached: false })
  })
  const cached = ({ requestId }: { requestId: string }) => {
    const one = sent.get(requestId)
    if (one) one.cached = true
  }
  session.on('Network.requestServedFromCache', cached)
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.fromDiskCache || response.fromPrefetchCache) cached({ requestId })
    const one = sent.get(requestId)
    if (one) one.head = response.encodedDataLength
  })
  session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    const one = sent.get(requestId)
    if (!one) return
    one.ended = timestamp
    if (!one.cached) one.bytes = encodedDataLength - one.head
  })
}
