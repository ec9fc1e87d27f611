import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type Browser, chromium } from '@playwright/test'
import journeys from '../playwright.config.ts'
import { place } from '../stage/place.ts'

/**
 * A browser whose every connection to the portal and to the origin of isolated modules goes over one slow line that counts.
 * What lies in a cache does not go over it. `roundTrip` is the time in milliseconds from a request to the first octet of its answer.
 */
export async function browserOnSlowLine(roundTrip: number) {
  const target = Number(new URL(place.url).port)
  const line = { octets: 0, roundTrip }
  const sockets = new Set<Socket>()
  const server = createServer((from) => {
    const to = connect(target, '127.0.0.1')
    for (const socket of [from, to]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => sockets.delete(socket))
    }
    from.on('data', (data) => setTimeout(() => to.writable && to.write(data), line.roundTrip))
    to.on('data', (data) => {
      line.octets += data.length
      from.write(data)
    })
    from.on('end', () => setTimeout(() => to.end(), line.roundTrip))
    to.on('end', () => from.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const launch = journeys.use?.launchOptions ?? {}
  const rules = ['*.localhost', '127.0.0.1'].map((host) => `MAP ${host}:${target} 127.0.0.1:${port}`)
  const browser: Browser = await chromium.launch({
    ...launch,
    args: [...(launch.args ?? []), `--host-resolver-rules=${rules.join(',')}`],
  })
  return {
    browser,
    line,
    async stop() {
      await browser.close()
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
