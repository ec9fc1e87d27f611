import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import type { Permission } from '@portal/contracts/permissions'
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keyRing } from '../../src/kit/secrets/keys.ts'
import { followModules } from '../../src/modules/permissions.service.ts'
import { publicKeys } from '../../src/modules/vouchers.service.ts'
import { startPortal } from '../portal.ts'
import { release, tryCanary } from './modules.ts'

const portal = await startPortal({ backendHosts: [], backendMs: 2000 })
const view = 'health.view' as Permission
const record = 'health.record' as Permission
const items = '/modules/mfe-health/backend/stock/items'
const odd = '/modules/mfe-health/backend/odd'

/** The example server of `deploy/examples`, as a team runs it, below a path of its host. */
const base = await portal.listen()
const stock = spawn(process.execPath, ['deploy/examples/stock-server/server.mjs'], {
  env: {
    PORTAL_URL: portal.settings.publicUrl,
    PORTAL_KEYS: `${base}/modules/keys.json`,
    AUDIENCE: 'mfe-health/stock',
    BASE: '/api',
    PORT: '0',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const [line] = (await once(createInterface(stock.stdout), 'line')) as [string]
const stockUrl = `${line.replace('Listening at ', '')}/api`

/** A server that does what the test says, and remembers what it was asked. */
let answer: (response: ServerResponse) => void = () => {}
let asked: { url: string; headers: Record<string, unknown>; body: string }
const oddServer = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  asked = { url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() }
  answer(response)
})
oddServer.listen(0, '127.0.0.1')
await once(oddServer, 'listening')
const oddUrl = `http://127.0.0.1:${(oddServer.address() as AddressInfo).port}/deep`
const json = (status: number, body: unknown) => {
  answer = (response) => response.writeHead(status).end(JSON.stringify(body))
}

afterAll(async () => {
  stock.kill()
  oddServer.closeAllConnections()
  oddServer.close()
})

const health = {
  name: 'mfe-health',
  permissions: [
    { name: view, label: { en: 'View visits', fr: 'Voir les visites' } },
    { name: record, label: { en: 'Record visits', fr: 'Saisir des visites' } },
  ],
}

beforeAll(async () => {
  portal.settings.backendHosts.push(new URL(stockUrl).host, new URL(oddUrl).host)
  await release(portal.context.registry, {
    ...health,
    version: '1.0.0',
    backends: [
      { name: 'stock', url: stockUrl, read: [view, record], write: record },
      { name: 'odd', url: oddUrl, read: view, write: record },
      { name: 'inside', url: 'https://127.0.0.1:9', read: view, write: record },
      { name: 'local', url: `https://localhost:${new URL(oddUrl).port}`, read: view, write: record },
      { name: 'plain', url: 'http://stock.test', read: view, write: record },
    ],
  })
  await followModules(portal.context)()
})

test('a nurse saves and reads at her team’s own server, which knows her by the portal’s word', async () => {
  const nurse = await portal.signedIn(view, record)
  const saved = await nurse.post(items, { school: 'Coura', count: 12 })
  expect(saved).toMatchObject({ status: 200, body: { item: { count: 12, by: String(nurse.user.id) } } })
  await nurse.post(items, { school: 'Kati & Fana', count: 3 })
  const found = await nurse.get(`${items}?school=Kati+%26+Fana`)
  expect(found.body.items).toMatchObject([{ school: 'Kati & Fana', count: 3 }])
  const refused = await nurse.post(items, { school: 'Coura', count: 'many' })
  expect(refused).toMatchObject({
    status: 422,
    body: { message: 'The count is wrong.', errors: { count: ['Give a whole number.'] } },
  })
  expect((await nurse.get(`${items}/none`)).body.message).toBe('There is no such page.')
  const { rows } = await portal.owner.query(
    `select a.event, v.new_values from audits a join audit_values v on v.audit_id = a.id
     where a.auditable_type = 'module' and a.user_id = $1 order by a.id`,
    [nurse.user.id],
  )
  expect(rows).toHaveLength(3)
  expect(rows[0]).toMatchObject({
    event: 'sent to its server',
    new_values: { module: 'mfe-health', backend: 'stock', method: 'POST', path: 'items' },
  })
})

test('a reader cannot write, and a person without either permission cannot call at all', async () => {
  const reader = await portal.signedIn(view)
  expect((await reader.get(items)).status).toBe(200)
  expect((await reader.post(items, { school: 'Coura', count: 1 })).status).toBe(403)
  const other = await portal.signedIn('schools.view')
  expect((await other.get(items)).status).toBe(403)
  const stranger = await portal.visitor()
  expect((await stranger.get(items)).status).toBe(401)
  for (const path of ['/modules/mfe-health/backend/none/items', '/modules/mfe-none/backend/stock/items'])
    expect((await reader.get(path)).status).toBe(404)
})

test('nobody but the portal reaches the team’s server, and a token cannot be used for another call', async () => {
  // What else she may is none of the team's business.
  const nurse = await portal.signedIn(view, record, 'cases.view')
  json(200, {})
  await nurse.get(`${odd}/items?school=Coura`)
  const authorization = String(asked.headers.authorization)
  expect(decodeJwt(authorization.slice(7))).toMatchObject({
    aud: 'mfe-health/odd',
    sub: String(nurse.user.id),
    permissions: [record, view],
    request: { method: 'GET', path: '/items?school=Coura', body: null },
  })
  expect(asked.headers.cookie).toBeUndefined()
  expect((await fetch(`${stockUrl}/items`)).status).toBe(401)
  expect((await fetch(`${stockUrl}/items?school=Coura`, { headers: { authorization } })).status).toBe(401)
})

test('a team verifies tokens with the published keys, also while the portal’s secret is rotated', async () => {
  const nurse = await portal.signedIn(view)
  json(200, {})
  await nurse.get(`${odd}/items`)
  const token = String(asked.headers.authorization).slice(7)
  const published = (await (await portal.visitor()).get('/modules/keys.json')).body
  expect(JSON.stringify(published)).not.toContain('"d"')
  const expected = { issuer: portal.settings.publicUrl, audience: 'mfe-health/odd' }
  const { payload } = await jwtVerify(token, createLocalJWKSet(published), expected)
  expect(Number(payload.exp) - Number(payload.iat)).toBe(60)
  const [first, second] = ['one secret of this test', 'another secret of this test']
  const before = publicKeys(keyRing({ current: first }))
  const during = publicKeys(keyRing({ current: second, former: first }))
  expect(during).toEqual(expect.arrayContaining(before))
  expect(new Set(during.map(({ kid }) => kid)).size).toBe(2)
})

test('a nurse reads a sentence with her team’s address when its server fails, whatever it answers', async () => {
  const nurse = await portal.signedIn(view, record)
  const faults: [string, (response: ServerResponse) => void][] = [
    ['an error', (response) => response.writeHead(500).end('boom')],
    ['a page', (response) => response.end('<html>')],
    ['no permission of the portal', (response) => response.writeHead(401).end('{}')],
    ['a redirect', (response) => response.writeHead(302, { location: `${base}/session` }).end()],
    ['too much', (response) => response.end(JSON.stringify('x'.repeat(1_100_000)))],
    ['nothing', (response) => response.destroy()],
  ]
  for (const [what, does] of faults) {
    answer = does
    const { status, body } = await nurse.get(`${odd}/items`)
    expect({ what, status, message: body.message }).toEqual({
      what,
      status: 502,
      message: expect.stringMatching(/^The server of “mfe-health” .* team: team@portal\.example$/),
    })
  }
  json(429, { message: 'Too many' })
  const many = await nurse.get(`${odd}/items`)
  expect({ status: many.status, after: many.headers['retry-after'] }).toEqual({ status: 429, after: '5' })
  json(403, { message: { en: 'x' } })
  expect((await nurse.get(`${odd}/items`)).body.message).toBe('The server of this module has refused this.')
  json(200, { message: { text: 'Hello' } })
  expect((await nurse.get(`${odd}/items`)).body).toEqual({ message: { text: 'Hello' } })
})

test('no path leaves the address that an administrator has admitted', async () => {
  const nurse = await portal.signedIn(view)
  json(200, {})
  for (const rest of ['..', '../x', 'a/../../x', '%2e%2e/x', 'a//b', '.', ''])
    expect([rest, (await nurse.get(`${odd}/${rest}`)).status]).toEqual([rest, 404])
  expect((await nurse.get(`${odd}/a%2fb%3fc/d?e=1`)).status).toBe(200)
  expect(asked.url).toMatch(/^\/deep\/a(\/|%2[fF])b%3[fF]c\/d\?e=1$/)
})

test('a server inside of the portal’s network, or without https, is not called unless the operator listed it', async () => {
  const nurse = await portal.signedIn(view)
  for (const backend of ['inside', 'plain'])
    expect(await nurse.get(`/modules/mfe-health/backend/${backend}/items`)).toMatchObject({
      status: 502,
      body: { message: expect.stringContaining('its address is inside of the network, or has no https') },
    })
  let connections = 0
  oddServer.on('connection', () => connections++)
  const local = await nurse.get('/modules/mfe-health/backend/local/items')
  expect(local.body.message).toContain('does not answer')
  expect(connections).toBe(0)
})

test('a server that does not answer is given up, and too many calls at once are turned away', async () => {
  const nurse = await portal.signedIn(view)
  const waiting: ServerResponse[] = []
  let full: () => void = () => {}
  const everybody = new Promise<void>((done) => {
    full = done
  })
  answer = (response) => {
    if (waiting.push(response) === 16) full()
  }
  const calls = Array.from({ length: 16 }, () => nurse.get(`${odd}/items`))
  await everybody
  const turned = await nurse.get(`${odd}/items`)
  expect({ status: turned.status, after: turned.headers['retry-after'] }).toEqual({ status: 503, after: '2' })
  expect(turned.body.code).toBe('server_busy')
  for (const response of waiting.slice(1)) response.end('{}')
  const ended = await Promise.all(calls)
  expect(ended.map(({ status }) => status).sort()).toEqual([...Array(15).fill(200), 504])
})

test('a nurse who tries the next version reaches the servers of that version, and everybody else those of the live one', async () => {
  answer = (response) => response.end(JSON.stringify({ path: asked.url }))
  const build = (version: string, backends: { name: string; url: string }[]) => ({
    ...{ name: 'mfe-canary', version },
    backends: backends.map((each) => ({ ...each, read: view, write: record })),
  })
  const { registry } = portal.context
  await release(registry, build('1.0.0', [{ name: 'moved', url: `${oddUrl}/old` }]))
  const nurse = await portal.signedIn(view, record)
  const trying = await portal.signedIn(view, record)
  const { rows } = await portal.owner.query(
    'select r.name from roles r join user_roles u on u.role_id = r.id where u.user_id = $1',
    [trying.user.id],
  )
  const next = [
    { name: 'moved', url: `${oddUrl}/new` },
    { name: 'added', url: `${oddUrl}/added` },
  ]
  await tryCanary(registry, build('1.1.0', next), [rows[0].name])
  const at = async (person: typeof nurse, backend: string) => {
    const { status, body } = await person.get(`/modules/mfe-canary/backend/${backend}/items`)
    return status === 200 ? body.path : status
  }
  expect([await at(nurse, 'moved'), await at(nurse, 'added')]).toEqual(['/deep/old/items', 404])
  expect([await at(trying, 'moved'), await at(trying, 'added')]).toEqual([
    '/deep/new/items',
    '/deep/added/items',
  ])
  const saved = await trying.post('/modules/mfe-canary/backend/added/items', { count: 1 })
  expect(saved.body.path).toBe('/deep/added/items')
})

test('a version that is tried opens no server to a person whom the live one keeps out', async () => {
  answer = (response) => response.end(JSON.stringify({ path: asked.url }))
  const build = (version: string, read: Permission) => ({
    ...{ name: 'mfe-closed', version },
    backends: [{ name: 'files', url: oddUrl, read, write: record }],
  })
  const { registry } = portal.context
  await release(registry, build('1.0.0', record))
  const [reader, nurse] = [await portal.signedIn(view), await portal.signedIn(view, record)]
  const { rows } = await portal.owner.query(
    'select r.name from roles r join user_roles u on u.role_id = r.id where u.user_id = any($1)',
    [[reader.user.id, nurse.user.id]],
  )
  const roles = rows.map(({ name }) => name)
  await tryCanary(registry, build('1.1.0', view), roles)
  const path = '/modules/mfe-closed/backend/files/items'
  expect([(await reader.get(path)).status, (await nurse.get(path)).status]).toEqual([403, 200])
})

test('who reads a token of the team’s server on its way can use it for no other call, and not once more', async () => {
  const nurse = await portal.signedIn(view, record)
  // The calls for the example server arrive at one that notes their tokens.
  const between = { name: 'stock', url: oddUrl.replace('/deep', '/api'), read: view, write: record }
  await release(portal.context.registry, { ...health, version: '1.1.0', backends: [between] })
  json(200, {})
  const tokenOf = async (call: Promise<unknown>) => {
    await call
    return { authorization: String(asked.headers.authorization) }
  }
  const at = async (path: string, init: RequestInit) => (await fetch(`${stockUrl}${path}`, init)).status
  const reads = await tokenOf(nurse.get(`${items}?school=Coura`))
  expect(await at('/items', { headers: reads })).toBe(401)
  expect(await at('/items?school=Coura', { headers: reads, method: 'POST' })).toBe(401)
  expect(await at('/items?school=Coura', { headers: reads })).toBe(200)
  expect(await at('/items?school=Coura', { headers: reads })).toBe(401)
  const writes = await tokenOf(nurse.post(items, { school: 'Coura', count: 1 }))
  const send = (count: number) =>
    at('/items', { headers: writes, method: 'POST', body: JSON.stringify({ school: 'Coura', count }) })
  expect([await send(900), await send(1), await send(1)]).toEqual([401, 200, 401])
})
