import { connect, createServer, type Socket } from 'node:net'
import { afterAll } from 'vitest'

/** What happens to connections: they work, they are refused and cut, or nothing passes while they stay open. */
type State = 'open' | 'away' | 'silent'

/** A TCP proxy in front of the database, for what a network or a machine may do to its connections. */
export async function startProxy(databaseUrl: string) {
  const server = new URL(databaseUrl)
  let state: State = 'open'
  let cutAfter: string | undefined
  const pairs = new Set<[Socket, Socket]>()
  const lost = new WeakSet<Socket>()

  const proxy = createServer((near) => {
    if (state === 'away') return void near.destroy()
    const far = connect(Number(server.port || 5432), server.hostname)
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    let cut = false
    near.on('data', (bytes) => {
      if (state === 'silent' || lost.has(near)) return
      if (cutAfter && bytes.includes(cutAfter)) cut = true
      far.write(bytes)
    })
    far.on('data', (bytes) => {
      if (state === 'silent') return
      if (!cut) return void near.write(bytes)
      // The server has done what it was sent, and its answer is lost.
      cutAfter = undefined
      near.destroy()
    })
    for (const [one, other] of [pair, [far, near]] as const) {
      one.on('error', () => {})
      one.on('close', () => {
        // Whoever is gone with its machine closes nothing.
        if (!lost.has(other)) other.destroy()
        pairs.delete(pair)
      })
    }
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const end = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
  }
  afterAll(() => {
    end()
    proxy.close()
  })
  const { port } = proxy.address() as { port: number }
  return {
    url: Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(port) }).toString(),
    /** Lets connections work again. Those that were silent have lost bytes, so they are cut. */
    open() {
      if (state === 'silent') end()
      state = 'open'
    },
    away() {
      state = 'away'
      end()
    },
    silent() {
      state = 'silent'
    },
    /** The machine behind all open connections is gone without a word. New ones lead to the machine that took its place. */
    lose() {
      for (const [near, far] of pairs) {
        lost.add(near)
        far.destroy()
      }
    },
    /** Loses the answer to the next statement with this text, after the server has done it. */
    loseAnswerTo(statement: string) {
      cutAfter = statement
    },
  }
}
