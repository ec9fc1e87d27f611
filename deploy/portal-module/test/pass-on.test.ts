import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { cookieHere, cookieThere, passOn } from '../src/alone/pass-on.ts'

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

const bodyOf = async (message: IncomingMessage) => Buffer.concat(await message.toArray()).toString()

/** A server that is as strict as the portal: session cookie, CSRF token in cookie and header, same origin. */
function standIn() {
  return createServer(async (asked, reply) => {
    const { headers, method, url } = asked
    const cookies = headers.cookie ?? ''
    const body = await bodyOf(asked)
    const answer = (status: number, content: object, given: string[] = []) =>
      reply
        .writeHead(status, {
          'content-type': 'application/json',
          ...(given.length && { 'set-cookie': given }),
        })
        .end(JSON.stringify({ ...content, headers }))
    if (headers['x-requested-with'] !== 'XMLHttpRequest') return answer(400, {})
    if (method === 'GET') {
      const user = cookies.includes('portal_session=awa') ? { first_name: 'Awa' } : null
      return answer(200, { user, url }, ['XSRF-TOKEN=abc; Path=/; Secure; SameSite=Lax'])
    }
    if (headers['x-xsrf-token'] !== 'abc' || !cookies.includes('XSRF-TOKEN=abc')) return answer(419, {})
    if (headers.origin !== `http://${headers.host}`) return answer(403, {})
    const { email } = JSON.parse(body)
    return answer(200, { email }, [
      'portal_session=awa; Domain=portal.example; Path=/; HttpOnly; Secure; SameSite=None',
    ])
  })
}

let portal: string
let address: string
beforeEach(async () => {
  portal = await listen(standIn())
  const server = createServer((asked, reply) => passOn(asked, reply, { portal, address }))
  address = await listen(server)
})

const asBrowser = { 'x-requested-with': 'XMLHttpRequest', accept: 'application/json' }

/** Calls as a page does. With `fetch` a test could not choose host and origin. */
function call(method: string, path: string, headers: Record<string, string> = {}, body = '') {
  return new Promise<{ status: number; cookies: string[]; body: ReturnType<typeof JSON.parse> }>(
    (resolve, reject) => {
      const sent = request(
        address + path,
        { method, headers: { ...asBrowser, ...headers } },
        async (answer) =>
          resolve({
            status: answer.statusCode ?? 0,
            cookies: answer.headers['set-cookie'] ?? [],
            body: JSON.parse(await bodyOf(answer)),
          }),
      )
      sent.on('error', reject)
      sent.end(body)
    },
  )
}

test('a developer signs in to a deployed portal from the page of a module that runs alone', async () => {
  const before = await call('GET', '/api/session?x=1')
  expect(before).toMatchObject({ status: 200, body: { user: null, url: '/api/session?x=1' } })
  expect(before.cookies).toEqual(['XSRF-TOKEN=abc; Path=/; SameSite=Lax'])

  const signedIn = await call(
    'POST',
    '/api/login',
    {
      ...{ origin: address, referer: `${address}/admin/clinics?page=2`, 'x-xsrf-token': 'abc' },
      ...{ cookie: 'XSRF-TOKEN=abc; other=secret', 'content-type': 'application/json' },
    },
    JSON.stringify({ email: 'awa@portal.example' }),
  )
  expect(signedIn).toMatchObject({ status: 200, body: { email: 'awa@portal.example' } })
  expect(signedIn.cookies).toEqual(['portal_session=awa; Path=/; HttpOnly; SameSite=Lax'])
  expect(signedIn.body.headers).toMatchObject({
    origin: portal,
    referer: `${portal}/admin/clinics?page=2`,
    cookie: 'XSRF-TOKEN=abc',
  })

  const after = await call('GET', '/api/session', { cookie: 'portal_session=awa' })
  expect(after.body.user).toEqual({ first_name: 'Awa' })
})

test('the session of a portal with https has another name here, and its own there', () => {
  const here = cookieHere('__Host-portal_session=awa; Path=/; HttpOnly; Secure; SameSite=Lax')
  expect(here).toBe('portal_session=awa; Path=/; HttpOnly; SameSite=Lax')
  expect(cookieThere('portal_session=awa', 'https://portal.example')).toBe('__Host-portal_session=awa')
  expect(cookieThere('portal_session=awa', 'http://127.0.0.1:4000')).toBe('portal_session=awa')
  expect(cookieThere('XSRF-TOKEN=abc', 'https://portal.example')).toBe('XSRF-TOKEN=abc')
})

test('a call without the token is refused by the portal, as it would be there', async () => {
  expect((await call('POST', '/api/login', { origin: address }, '{}')).status).toBe(419)
})

test.each([
  ['a page of somebody else', { origin: 'https://elsewhere.example' }],
  ['another name for this machine', { host: 'elsewhere.example' }],
])('%s speaks with no portal through it', async (_what, headers) => {
  expect(await call('GET', '/api/session', headers)).toMatchObject({
    status: 403,
    body: { message: `Only pages of ${address} are passed on to the portal.` },
  })
})

test('a portal that does not answer is named', async () => {
  portal = 'http://127.0.0.1:1'
  const { status, body } = await call('GET', '/api/session')
  expect(status).toBe(502)
  expect(body.message).toContain('http://127.0.0.1:1 does not answer')
})

test('a cookie loses what only holds at the portal', () => {
  expect(cookieHere('a=Secure; Path=/; secure; domain=.portal.example; Max-Age=5')).toBe(
    'a=Secure; Path=/; Max-Age=5',
  )
})
