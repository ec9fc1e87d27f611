import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createApi, request as requestPlain } from 'node:http'
import { request } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { until } from '../portal.ts'
import { freePort } from './debian-postgres.ts'
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

test.each(['systemd/nginx.conf', 'systemd/nginx-servers.conf', 'compose/nginx.conf'] as const)(
  'a link that lets in whoever has it is in no log of nginx with deploy/%s, however it is written, and whether an api answers or not',
  async (of) => {
    const [port, place] = [await freePort(), mkdtempSync(join(folder, 'logs-'))]
    const api = createApi((_, reply) => reply.end('here'))
    await new Promise<void>((listening) => api.listen(0, '127.0.0.1', listening))
    const apis = Array<number>(2).fill((api.address() as AddressInfo).port)
    const { program, certificate, plainPort } = await makeNginx({
      folder: place,
      logs: place,
      port,
      apis,
      of,
    })
    program.start()
    ends.push(() => program.stop('SIGKILL'))
    await program.ready()
    const token = 'w7ZkQ2-secret'
    const options = {
      host: 'localhost',
      headers: { referer: `https://portal.example.org/external/cases/${token}` },
    }
    const ask = (path: string, secure = true) =>
      new Promise<number | undefined>((answered, failed) => {
        const call = secure
          ? request({ ...options, port, path, ca: readFileSync(certificate) })
          : requestPlain({ ...options, port: plainPort, path })
        call.on('response', (answer) => answer.resume().on('end', () => answered(answer.statusCode)))
        call.on('error', failed).end()
      })
    const links = [
      ...[
        `/external/cases/${token}`,
        `/api/external/cases/${token}`,
        `/api/external/cases/${token}/more?of=it`,
      ],
      ...[`/password/reset/${token}`, `/api/password/reset/${token}`, `/PASSWORD//reset/${token}`],
      ...[`/external/%63ases/${token}`, `/external%2fcases%2F${token}`, `/external/cases/%0A${token}`],
      ...[`/external/%2563ases/${token}`, `/external/cases/file/${token}`],
    ]
    const others = [
      '/schools?search=',
      '/api/external/cases/file',
      '/api/external/cases/resolve',
      '/password/reset',
    ]
    for (const path of [...links, ...others]) expect([path, await ask(path)]).toEqual([path, 200])
    for (const path of links) expect([path, await ask(path, false)]).toEqual([path, 301])
    api.closeAllConnections()
    await new Promise((closed) => api.close(closed))
    for (const path of links) expect([path, await ask(path)]).toEqual([path, 503])

    const logged = () => readFileSync(join(place, 'nginx-access.log'), 'utf8')
    await until(async () => logged().split(' 503 ').length > links.length)
    for (const name of readdirSync(place).filter((each) => each.endsWith('.log')))
      expect(readFileSync(join(place, name), 'utf8'), name).not.toContain(token)
    for (const path of ['/external/cases/***', '/password/reset/***', '/***', '/schools', ...others.slice(1)])
      expect(logged()).toContain(`"GET ${path} HTTP/1.1" 200 `)
  },
)

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
