import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../../test/portal.ts'
import { watchCallers } from '../kit/http/caller-gone.ts'
import { inTurn } from './in-turn.ts'

/** A server of which each call waits for its turn, and then until the test ends it. */
async function makeServer(atOnce: number, longest: number) {
  const work = inTurn(atOnce, longest)
  const [arrived, refused, closed]: [string[], string[], string[]] = [[], [], []]
  const begun = new Map<string, () => void>()
  const http = Fastify({ forceCloseConnections: true })
  watchCallers(http)
  http.get<{ Params: { name: string } }>('/:name', async ({ params: { name } }, reply) => {
    arrived.push(name)
    reply.raw.once('close', () => closed.push(name))
    try {
      await work(() => new Promise<void>((end) => begun.set(name, end)))
      return 'done'
    } catch (error) {
      refused.push(name)
      return reply.code((error as { status: number }).status).send()
    }
  })
  const address = await http.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => http.close())
  return {
    refused,
    closed,
    begun,
    /** Makes a call, and waits until it is there. */
    async call(name: string, signal: AbortSignal | null = null) {
      const answer = fetch(`${address}/${name}`, { signal }).then(({ status }) => status)
      answer.catch(() => undefined)
      await until(async () => arrived.includes(name))
      return { answer }
    },
    end: (name: string) => begun.get(name)?.(),
  }
}

test('someone whose queue is too long is told to try again, and those who wait get their turn', async () => {
  const server = await makeServer(1, 2)
  const first = await server.call('first')
  const others = [await server.call('second'), await server.call('third')]
  expect(await (await server.call('fourth')).answer).toBe(503)
  expect([...server.begun.keys()]).toEqual(['first'])
  for (const name of ['first', 'second', 'third']) {
    await until(async () => server.begun.has(name))
    server.end(name)
  }
  expect(await Promise.all([first, ...others].map(({ answer }) => answer))).toEqual([200, 200, 200])
  const later = await server.call('later')
  server.end('later')
  expect(await later.answer).toBe(200)
})

test('nothing is done for someone who left while she waited', async () => {
  const server = await makeServer(1, 2)
  await server.call('first')
  const leaving = new AbortController()
  await server.call('left', leaving.signal)
  const second = await server.call('second')
  leaving.abort()
  await until(async () => server.closed.includes('left'))
  server.end('first')
  await until(async () => server.begun.has('second'))
  server.end('second')
  expect(await second.answer).toBe(200)
  expect([server.begun.has('left'), server.refused]).toEqual([false, ['left']])
})
