import { expect, test } from 'vitest'
import { password, startPortal } from '../portal.ts'

const portal = await startPortal({ publicUrl: 'https://portal.example' })
const plain = await startPortal({ publicUrl: 'http://127.0.0.1:4000' })

test('a person’s session over https has a cookie that no other host can set, and works', async () => {
  const account = await portal.account()
  const client = await portal.visitor()
  const signedIn = await client.post('/login', { email: account.email, password })
  expect([signedIn.headers['set-cookie']].flat()).toContainEqual(
    expect.stringMatching(/^__Host-portal_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
  )
  expect((await client.get('/sessions')).status).toBe(200)
  client.cookies.set('portal_session', client.cookies.get('__Host-portal_session') ?? '')
  client.cookies.delete('__Host-portal_session')
  expect((await client.get('/sessions')).status).toBe(401)
})

test('a person who signs in at her own machine without https gets a cookie that it accepts', async () => {
  const client = await plain.signedIn()
  expect([...client.cookies.keys()].sort()).toEqual(['XSRF-TOKEN', 'portal_session'])
  expect((await client.get('/session')).headers['strict-transport-security']).toBeUndefined()
})

test('every answer over https keeps the browser on https, and no call can be framed or read by another site', async () => {
  const client = await portal.visitor()
  const transport = { 'strict-transport-security': 'max-age=31536000' }
  for (const path of ['/session', '/sessions', '/no-such-call', '/health']) {
    expect((await client.get(path)).headers, path).toMatchObject({
      ...transport,
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    })
  }
  for (const url of ['/', '/assets/no-such-file.js', '/registry/keys'])
    expect((await portal.http.inject({ url })).headers, url).toMatchObject(transport)
})
