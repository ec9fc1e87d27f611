import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveAnalytics } from '../src/server.ts'

const secret = 'a'.repeat(64)
const portal = 'http://localhost:8080'
const server = createServer(serveAnalytics({ secret, dashboard: '12', ancestors: [portal] }))
let base = ''

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

type Claims = { resource?: unknown; params?: unknown; exp?: number }
const soon = () => Math.floor(Date.now() / 1000) + 600
const sign = (claims: Claims, { key = secret, alg = 'HS256' } = {}) =>
  new SignJWT(claims).setProtectedHeader({ alg, typ: 'JWT' }).sign(new TextEncoder().encode(key))
const good = (): Claims => ({ resource: { dashboard: 12 }, params: { locale: 'fr' }, exp: soon() })
const open = (token: string) => fetch(`${base}/embed/dashboard/${token}`)

describe('a good token', () => {
  test('somebody sees the survey in the language of the token, framed by the portal only', async () => {
    const answer = await open(await sign(good()))
    const page = await answer.text()
    expect(answer.status).toBe(200)
    expect(page).toContain('Bulletins du premier trimestre')
    expect(page).toMatch(/14\s276/)
    expect(page).toContain('11,4')
    expect(answer.headers.get('content-security-policy')).toContain(`frame-ancestors ${portal}`)
    expect(await (await open(await sign({ ...good(), params: { locale: 'en' } }))).text()).toContain(
      'School reports of the first term',
    )
  })

  test('the page runs no script and takes nothing from elsewhere', async () => {
    const answer = await open(await sign(good()))
    expect(await answer.text()).not.toContain('<script')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  })
})

describe('whoever brings no good token sees no figure', () => {
  const past = () => Math.floor(Date.now() / 1000) - 1
  /** The signature of one token under the claims of another. */
  const changed = async () => {
    const [head, , signature] = (await sign({ ...good(), resource: { dashboard: 13 } })).split('.')
    return [head, (await sign(good())).split('.')[1], signature].join('.')
  }
  const unsigned = () => {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    return `${part({ alg: 'none' })}.${part(good())}.`
  }
  test.each<[string, number, () => Promise<string>]>([
    ['signed with another secret', 403, () => sign(good(), { key: 'b'.repeat(64) })],
    ['that has expired', 403, () => sign({ ...good(), exp: past() })],
    ['for another dashboard', 404, () => sign({ ...good(), resource: { dashboard: 13 } })],
    ['for a question instead of a dashboard', 400, () => sign({ ...good(), resource: { question: 12 } })],
    ['without a resource', 400, () => sign({ exp: soon() })],
    ['without an expiry', 400, () => sign({ resource: { dashboard: 12 } })],
    ['that lives for a day', 400, () => sign({ ...good(), exp: soon() + 86_400 })],
    ['signed with another algorithm', 400, () => sign(good(), { alg: 'HS512' })],
    ['that is not signed at all', 400, async () => unsigned()],
    ['that is none', 400, async () => 'not-a-token'],
    ['whose claims were changed', 403, changed],
  ])('a token %s is answered with %i', async (_what, status, token) => {
    const answer = await open(await token())
    expect(answer.status).toBe(status)
    expect(await answer.text()).not.toContain('<svg')
  })

  test('another address, another method', async () => {
    expect((await fetch(`${base}/embed/question/x`)).status).toBe(404)
    expect((await fetch(`${base}/embed/dashboard/x`, { method: 'POST' })).status).toBe(405)
  })
})
