import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { callerHeader } from '@portal/contracts/backend-answers'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../packing/emit.ts'
import { makeModule, type TestModule } from './module.ts'

const port = 20_000 + (process.pid % 20_000)
const address = `http://localhost:${port}`
const view = 'clinics.view'
const record = 'clinics.write'
const nobodys = 'http://127.0.0.1:1'

/** A server that does what the test says, and remembers what it was asked. */
let answer: (reply: ServerResponse) => void = (reply) => reply.end('{}')
let asked: { url: string; headers: Record<string, unknown>; body: string }
const odd = createServer(async (request, reply) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  asked = { url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() }
  answer(reply)
})

let module: TestModule
let dev: Awaited<ReturnType<TestModule['start']>>
/** The example server of `deploy/examples`, as a team runs it, with the developer's command in the place of the portal. */
const stock = spawn(process.execPath, [join(root, 'deploy/examples/stock-server/server.mjs')], {
  env: { PORTAL_URL: address, AUDIENCE: 'mfe-clinics/stock', PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
})

beforeAll(async () => {
  const [line] = (await once(createInterface(stock.stdout), 'line')) as [string]
  odd.listen(0, '127.0.0.1')
  await once(odd, 'listening')
  module = await makeModule()
  module.change('portal.module.json', (text) => {
    const servers = ['stock', 'odd', 'live'].map((name) => ({
      ...{ name, url: `https://${name}.example.org`, read: view, write: record },
    }))
    return JSON.stringify({ ...JSON.parse(text), backends: servers })
  })
  const at = [
    `stock=${line.replace('Listening at ', '')}`,
    `odd=http://127.0.0.1:${(odd.address() as AddressInfo).port}/deep/`,
  ]
  const args = ['dev', '--alone', '--port', String(port), ...at.flatMap((each) => ['--backend', each])]
  dev = await module.start(args, nobodys, /Alone, with/)
}, 240_000)
afterAll(async () => {
  dev?.stop()
  stock.kill()
  odd.closeAllConnections()
  odd.close()
  await module?.end()
})

type Asking = { body?: unknown; headers?: Record<string, string>; permissions?: string[]; base?: string }

/** Calls as a page of the command does. With `fetch` a test could not choose host and origin, nor a path with dots. */
function call(method: string, path: string, { body, headers, permissions = [view, record] }: Asking = {}) {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  const caller = encodeURIComponent(JSON.stringify({ id: 7, permissions: [...permissions, 'users.view'] }))
  return new Promise<{
    status: number
    headers: Record<string, unknown>
    body: ReturnType<typeof JSON.parse>
  }>((resolve, reject) => {
    const sent = request(
      { host: 'localhost', port, path, method, headers: { [callerHeader]: caller, ...headers } },
      async (reply) => {
        const chunks = []
        for await (const chunk of reply) chunks.push(chunk)
        const said = Buffer.concat(chunks).toString()
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: said && JSON.parse(said) })
      },
    )
    sent.on('error', reject)
    sent.end(text)
  })
}
const items = '/api/modules/mfe-clinics/backend/stock/items'
const oddItems = '/api/modules/mfe-clinics/backend/odd/items'

test('a developer saves and reads at her own server on her machine, which knows the person by the command’s word', async () => {
  const saved = await call('POST', items, { body: { school: 'Coura', count: 12 } })
  expect(saved).toMatchObject({ status: 200, body: { item: { count: 12, by: '7' } } })
  await call('POST', items, { body: { school: 'Kati & Fana', count: 3 } })
  const found = await call('GET', `${items}?school=Kati+%26+Fana`)
  expect(found.body.items).toMatchObject([{ school: 'Kati & Fana', count: 3 }])
  expect(await call('POST', items, { body: { school: 'Coura', count: 'many' } })).toMatchObject({
    status: 422,
    body: { message: 'The count is wrong.', errors: { count: ['Give a whole number.'] } },
  })
  expect((await call('GET', `${items}/none`)).body.message).toBe('There is no such page.')
})

test('her server gets the headers and the token of a portal, and nothing else of the page', async () => {
  answer = (reply) => reply.end('{}')
  const headers = { cookie: 'portal_session=x', 'accept-language': 'fr' }
  expect((await call('POST', `${oddItems}/a%20b?c=1`, { body: { d: 1 }, headers })).status).toBe(200)
  expect(asked).toMatchObject({ url: '/deep/items/a%20b?c=1', body: '{"d":1}' })
  expect(asked.headers).toMatchObject({ 'accept-language': 'fr', 'content-type': 'application/json' })
  expect(asked.headers.cookie).toBeUndefined()
  const token = String(asked.headers.authorization).slice(7)
  const keys = createRemoteJWKSet(new URL(`${address}/api/modules/keys.json`))
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    issuer: address,
    audience: 'mfe-clinics/odd',
  })
  expect(protectedHeader.alg).toBe('ES256')
  expect(payload).toMatchObject({
    ...{ sub: '7', permissions: [view, record], jti: asked.headers['x-request-id'] },
    request: { method: 'POST', path: '/items/a%20b?c=1', body: expect.stringMatching(/^[\w-]{43}$/) },
  })
  expect(Number(payload.exp) - Number(payload.iat)).toBe(60)
})

test('what the portal would refuse is refused on her machine in the same sentences', async () => {
  answer = (reply) => reply.end('{}')
  expect((await call('POST', items, { body: { count: 1 }, permissions: [view] })).status).toBe(403)
  expect((await call('GET', items, { permissions: [] })).body.message).toMatch(/do not have the permission/)
  expect(await call('POST', oddItems, { body: { text: 'x'.repeat(262_144) } })).toMatchObject({
    ...{ status: 413, body: { message: 'What you sent is larger than 256 KB.' } },
  })
  expect((await call('GET', `${oddItems}?q=${'x'.repeat(4000)}`)).status).toBe(414)
  expect((await call('POST', oddItems, { body: '[1]' })).status).toBe(422)
  for (const rest of ['..', '../x', '%2e%2e/x', 'a//b', '%'])
    expect([rest, (await call('GET', `/api/modules/mfe-clinics/backend/odd/${rest}`)).status]).toEqual([
      rest,
      404,
    ])
  const bad: [string, (reply: ServerResponse) => void][] = [
    ['a page', (reply) => reply.end('<html>')],
    ['a redirect', (reply) => reply.writeHead(302, { location: items }).end()],
    ['no permission', (reply) => reply.writeHead(401).end('{}')],
    ['too much', (reply) => reply.end(JSON.stringify('x'.repeat(1_100_000)))],
    ['nothing', (reply) => reply.destroy()],
  ]
  for (const [what, does] of bad) {
    answer = does
    const { status, body } = await call('GET', oddItems)
    expect([what, status, body.message]).toEqual([
      what,
      502,
      expect.stringMatching(/^The server of “Clinics” /),
    ])
  }
  answer = (reply) => reply.writeHead(429, { 'retry-after': '9' }).end('{"message":"Too many"}')
  expect(await call('GET', oddItems)).toMatchObject({
    ...{ status: 429, body: { message: 'Too many' }, headers: { 'retry-after': '9' } },
  })
})

test('only her own pages call her servers, and only servers on her machine are called', async () => {
  const foreign: Record<string, string>[] = [
    { origin: 'https://elsewhere.example' },
    { host: 'elsewhere.example' },
  ]
  for (const headers of foreign) expect((await call('GET', items, { headers })).status).toBe(403)
  // One that was not named stays with the portal.
  expect((await call('GET', '/build.json')).body.own_servers).toEqual(['stock', 'odd'])
  for (const elsewhere of ['https://stock.example.org', 'http://10.0.0.1', 'stock'])
    expect(await module.run(['dev', '--alone', '--backend', `stock=${elsewhere}`])).toMatchObject({
      ...{ code: 1, output: expect.stringContaining('its address on this machine') },
    })
  expect((await module.run(['dev', '--alone', '--backend', 'stok=http://127.0.0.1:1'])).output).toContain(
    'portal.module.json has the servers stock, odd, live',
  )
})
