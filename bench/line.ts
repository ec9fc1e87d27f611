import type { Page } from 'playwright-core'

/** Slow 3G, in ms and bytes a second. */
const slow3G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }
/** The processor is this many times slower than the one that the walk runs on. */
const slower = 4

/** What was on a page's line since it was last asked. */
export type Line = { restart(): void; report(): string[] }

type Sent = { path: string; began: number; ended: number; bytes: number }

/** Makes a page as slow as a cheap phone on slow 3G, and watches what it fetches. */
export async function watchLine(page: Page, onBytes: (bytes: number) => void): Promise<Line> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', slow3G)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slower })
  const sent = new Map<string, Sent>()
  let since = performance.now()
  session.on('Network.requestWillBeSent', ({ requestId, request: { method, url } }) => {
    if (!/^https?:/.test(url)) return
    const { pathname } = new URL(url)
    sent.set(requestId, { path: `${method} ${pathname}`, began: performance.now(), ended: 0, bytes: 0 })
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    onBytes(encodedDataLength)
    const one = sent.get(requestId)
    if (one) Object.assign(one, { ended: performance.now(), bytes: encodedDataLength })
  })
  const at = (time: number) => ((time - since) / 1000).toFixed(1)
  return {
    restart() {
      since = performance.now()
    },
    report() {
      return [...sent.values()]
        .filter(({ ended }) => ended === 0 || ended > since)
        .map(
          ({ path, began, ended, bytes }) =>
            `${at(began)} to ${ended ? at(ended) : '…'} s ${path}, ${bytes} B`,
        )
    },
  }
}
