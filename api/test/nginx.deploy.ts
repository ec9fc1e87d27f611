import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createApi } from 'node:http'
import { request } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { freePort } from './debian-postgres.ts'
import { until } from './portal.ts'
import { makeGateways } from './shape/gateways.ts'
import { makeNginx } from './shape/nginx.ts'
import { Person } from './shape/person.ts'

// Takes what it is sent, and is gone before it answers.
const dying = createServer((socket) => socket.once('data', () => socket.destroy()))
await new Promise<void>((listening) => dying.listen(0, '127.0.0.1', listening))
const dyingPort = (dying.address() as AddressInfo).port
const folder = mkdtempSync(join(tmpdir(), 'portal-nginx-'))
const ends: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
  dying.close()
  rmSync(folder, { recursive: true })
})

/** nginx before two apis, with its file for several servers. */
async function before(...apis: number[]) {
  const port = await freePort()
  const place = mkdtempSync(join(folder, 'one-'))
  const { program, certificate } = await makeNginx({ folder: place, logs: place, port, apis })
  program.start()
  ends.push(() => program.stop('SIGKILL'))
  await program.ready()
  const ca = readFileSync(certificate)
  return (method: string) =>
    new Promise<{ status?: number; retry?: string; text: string }>((answered, failed) => {
      const call = request({ host: 'localhost', port, path: '/schools', method, ca }, (answer) => {
        let text = ''
        answer.on('data', (part) => (text += part))
        answer.on('end', () =>
          answered({ status: answer.statusCode, retry: answer.headers['retry-after'], text }),
        )
      })
      call.on('error', failed).end(method === 'POST' ? '{}' : undefined)
    })
}

test('whoever opens or saves while both apis are gone reads that the page comes back by itself', async () => {
  const call = await before(await freePort(), await freePort())
  for (const method of ['GET', 'POST']) {
    const { status, retry, text } = await call(method)
    expect([method, status, retry]).toEqual([method, 503, '5'])
    expect(text).toContain('Le portail redémarre')
  }
})

test('whoever saves while an api is killed in the middle is not told to try again, because it may have been saved', async () => {
  const call = await before(dyingPort, await freePort())
  const [first, second] = [await call('POST'), await call('POST')]
  const answers = [first, second].map(({ status, retry }) => [status, retry])
  expect(answers).toContainEqual([502, undefined])
  expect((await call('GET')).status).toBe(503)
})

test('whoever uses the portal goes on by the other nginx when one of them dies, or its whole machine, and each of them once', async () => {
  const place = mkdtempSync(join(folder, 'two-'))
  const gateways = makeGateways(place, (end) => void ends.push(end))
  const api = createApi((call, reply) => reply.end(String(call.headers['x-forwarded-for'])))
  await new Promise<void>((listening) => api.listen(0, gateways.here, listening))
  ends.push(async () => api.close())
  const { port } = api.address() as AddressInfo
  await gateways.start([port, port])
  const certificate = readFileSync(gateways.certificate, 'utf8')
  const officer = new Person(gateways.url, certificate, undefined, gateways.address)
  ends.push(officer.close)
  const isServed = async () => (await officer.once('GET', '/schools')).text === gateways.here
  expect(await isServed()).toBe(true)
  for (const _ of ['the first', 'the second']) {
    const { machine } = await gateways.holder()
    await gateways.lose()
    await until(isServed)
    expect((await gateways.holder()).machine).not.toBe(machine)
    await gateways.bringBack()
    expect((await gateways.holder()).machine).not.toBe(machine)
  }
  const { nginx } = await gateways.holder()
  await nginx.kill()
  await until(isServed)
}, 60_000)
