import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { endpoint } from '@portal/contracts/endpoint'
import { upload } from '@portal/contracts/fields'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { conflict } from '../../src/kit/http/refusals.ts'
import { serve } from '../../src/kit/http/serve.ts'
import { makeServer } from '../../src/kit/http/server.ts'
import { migrationNames } from '../../src/migrations.ts'
import { Client } from '../client.ts'
import { startPortal, until } from '../portal.ts'

const portal = await startPortal()

/** Routes for these tests only. They do what no route of the product does, such as fail. */
const trial = {
  fails: endpoint({ method: 'GET', path: '/trial/fails', access: 'public', answer: v.object({}) }),
  lies: endpoint({
    method: 'GET',
    path: '/trial/lies',
    access: 'public',
    answer: v.object({ count: v.number() }),
  }),
  clash: endpoint({ method: 'GET', path: '/trial/clash', access: 'public', answer: v.object({}) }),
  file: endpoint({
    method: 'POST',
    path: '/trial/file',
    access: 'public',
    multipart: true,
    body: v.object({
      title: v.pipe(v.string(), v.nonEmpty('required')),
      tags: v.optional(v.array(v.string()), []),
      file: upload,
    }),
    answer: v.object({
      title: v.string(),
      tags: v.array(v.string()),
      name: v.string(),
      size: v.number(),
      sha256: v.string(),
    }),
  }),
}
const http = await makeServer(portal.context, { draining: false }, migrationNames(), (app) => {
  serve(app, trial.fails, async () => {
    throw new Error('the secret of the house')
  })
  serve(app, trial.lies, async () => ({ count: 'many' }) as unknown as { count: number })
  serve(app, trial.clash, async () => {
    throw conflict()
  })
  serve(app, trial.file, async ({ body: { title, tags, file } }) => ({
    title,
    tags,
    name: file.name,
    size: file.size,
    sha256: file.sha256.toString('hex'),
  }))
})
const browser = async () => {
  const client = new Client(http, portal.settings.apiBase)
  await client.get('/trial/clash')
  return client
}

test('a signed-out person gets 401 from every call that asks for a session or a permission', async () => {
  const stranger = new Client(portal.http, portal.settings.apiBase)
  const closed = portal.endpoints.filter(
    ({ access }) => !['public', 'invite', 'machine', 'signed'].includes(String(access)),
  )
  expect(closed.length).toBeGreaterThan(20)
  for (const { method, path } of closed) {
    const answer = await stranger.send(method, path.replace(/:\w+/g, '1'), {})
    expect.soft({ path, status: answer.status }).toEqual({ path, status: 401 })
    expect.soft(answer.body.message).toBe('Sign in to continue.')
  }
})

test('a person without a role is refused every call that asks for a permission, before its path or body is looked at', async () => {
  const nobody = await portal.signedIn()
  const guarded = portal.endpoints.filter(({ access }) => String(access).includes('.'))
  for (const { method, path } of guarded) {
    const answer = await nobody.send(method, path.replace(/:\w+/g, '1'), {})
    expect.soft({ path, status: answer.status }).toEqual({ path, status: 403 })
  }
})

test('a person’s call without a valid CSRF token gets 419, and with a valid one it works', async () => {
  const person = await portal.signedIn()
  const path = `/users/profile/update/${person.user.id}`
  const names = { first_name: 'Awa', last_name: 'Keïta' }
  for (const token of ['', 'made up', 'a.b']) {
    const refused = await person.put(path, names, { 'x-xsrf-token': token })
    expect(refused.status).toBe(419)
    expect(refused.body).toEqual({ message: 'Your session has expired. Reload the page and try again.' })
  }
  const stranger = await portal.visitor()
  const others = stranger.cookies.get('XSRF-TOKEN') ?? ''
  const stolen = await person.put(path, names, { 'x-xsrf-token': others })
  expect(stolen.status).toBe(419)
  expect((await person.put(path, names)).status).toBe(200)
})

test('a person’s change goes through although two calls at once have given her browser two CSRF tokens', async () => {
  const person = await portal.signedIn()
  const renewed = async () => {
    person.cookies.delete('XSRF-TOKEN')
    await person.get('/session')
    return decodeURIComponent(person.cookies.get('XSRF-TOKEN') ?? '')
  }
  const [first, second] = [await renewed(), await renewed()]
  expect(second).not.toBe(first)
  const names = { first_name: 'Awa', last_name: 'Keïta' }
  const changed = await person.put(`/users/profile/update/${person.user.id}`, names, {
    'x-xsrf-token': first,
  })
  expect(changed.status).toBe(200)
})

test('a person gets 404 for everything that does not exist, whatever the id looks like', async () => {
  const person = await portal.signedIn('transfers.view')
  for (const path of [
    '/nothing',
    '/users/profile/update/abc',
    '/notifications/0',
    '/notifications/1.5',
    '/notifications/99999999999999999999',
  ]) {
    const answer = await person.send(path === '/nothing' ? 'GET' : 'PUT', path, {})
    expect.soft({ path, status: answer.status }).toEqual({ path, status: 404 })
    expect.soft(answer.body.message).toMatch(/not here/)
  }
})

test('a person reads a whole sentence in her language for each missing field', async () => {
  const person = await portal.signedIn()
  const path = `/users/profile/update/${person.user.id}`
  const english = await person.put(path, { first_name: ' ' })
  expect(english.status).toBe(422)
  expect(english.body.errors).toEqual({
    first_name: ['Fill in this field.'],
    last_name: ['Fill in this field.'],
  })
  const french = await person.put(path, {}, { 'accept-language': 'fr-FR,fr;q=0.9' })
  expect(french.body.errors.last_name).toEqual(['Remplissez ce champ.'])
  expect(french.body.message).toMatch(/^Le formulaire contient des erreurs$/)
})

test('a person who asks for too large a page or an unknown sort order gets 422', async () => {
  const person = await portal.signedIn('schools.view')
  expect((await person.get('/admin/schools/list?per_page=101')).body.errors.per_page).toEqual([
    'Ask for at most 100 rows a page.',
  ])
  expect((await person.get('/admin/schools/list?sort=secret')).body.errors.sort).toEqual([
    'This list cannot be sorted that way.',
  ])
  expect((await person.get('/admin/schools/list?page=999')).body.schools).toMatchObject({
    data: [],
    current_page: 999,
    total: 0,
  })
})

test('a person whose body is not JSON, or has another content type, reads why it is refused', async () => {
  const person = await portal.signedIn()
  const path = `/users/profile/update/${person.user.id}`
  const json = { 'content-type': 'application/json' }
  expect((await person.put(path, '{"first_name":', json)).status).toBe(422)
  expect((await person.put(path, '{"__proto__":{"x":1}}', json)).status).toBe(422)
  expect(
    (await person.put(path, 'first_name=Awa', { 'content-type': 'application/x-www-form-urlencoded' }))
      .status,
  ).toBe(415)
  expect((await person.put(path, 'Awa', { 'content-type': 'text/plain' })).status).toBe(415)
  expect((await person.upload('/login', { email: 'a' })).status).toBe(415)
  expect((await person.put(path, { first_name: 'A\u0000wa', last_name: 'B' })).status).toBe(422)
})

test('a person who sends a body over 25 MB gets 413', async () => {
  const client = await browser()
  const big = new File([new Uint8Array(26 * 1024 * 1024)], 'big.bin')
  const multipart = await client.upload('/trial/file', { title: 'Big', file: big })
  expect(multipart.status).toBe(413)
  expect(multipart.body.message).toBe('What you sent is larger than 25 MB.')
  const json = await client.post('/trial/file', Buffer.alloc(26 * 1024 * 1024, 32), {
    'content-type': 'application/json',
  })
  expect(json.status).toBe(413)
})

test('a person’s form with a file arrives complete, with lists as arrays and a file name without path', async () => {
  const client = await browser()
  const file = new File(['bonjour'], '../../étc/listé.xlsx')
  const sent = await client.upload('/trial/file', { title: 'Liste', 'tags[]': ['a', 'b'], file })
  expect(sent.body).toMatchObject({ title: 'Liste', tags: ['a', 'b'], name: 'listé.xlsx', size: 7 })
  const missing = await client.upload('/trial/file', { title: '' })
  expect(missing.body.errors).toEqual({ title: ['Fill in this field.'], file: ['Choose a file.'] })
  expect((await client.post('/trial/file', { title: 'Liste' })).status).toBe(415)
})

test('a person who meets an internal error gets 500 with a request id and no internal details', async () => {
  const client = await browser()
  const failed = await client.get('/trial/fails', { 'accept-language': 'fr' })
  expect(failed.status).toBe(500)
  expect(failed.body).toEqual({
    message: 'Un problème est survenu de notre côté.',
    request_id: failed.headers['x-request-id'],
  })
  expect((await client.get('/trial/lies')).status).toBe(500)
  expect((await client.get('/trial/clash')).status).toBe(409)
})

test('a person’s poll gets 304 while nothing has changed', async () => {
  const person = await portal.signedIn()
  const first = await person.get('/notifications', { 'x-poll': '1' })
  const again = await person.get('/notifications', {
    'x-poll': '1',
    'if-none-match': first.headers.etag ?? '',
  })
  expect(first.status).toBe(200)
  expect(again.status).toBe(304)
  expect(again.bytes.length).toBe(0)
})

test('a person whose session makes more than 50 calls a second is slowed by the rate limiter', async () => {
  const person = await portal.signedIn()
  const slow = await makeServer(
    { ...portal.context, settings: { ...portal.settings, callsPerSecond: 50 } },
    { draining: false },
    [],
    (app) => {
      serve(app, { ...trial.clash, path: '/trial/session', access: 'session' }, async () => ({}))
    },
  )
  const client = new Client(slow, portal.settings.apiBase)
  for (const [name, value] of person.cookies) client.cookies.set(name, value)
  const answers = await Promise.all(Array.from({ length: 80 }, () => client.get('/trial/session')))
  const slowed = answers.filter(({ status }) => status === 429)
  expect(slowed.length).toBeGreaterThan(10)
  expect(slowed[0]?.headers['retry-after']).toBe('1')
  expect(slowed[0]?.body.message).toBe('Too many attempts. Wait 1 s and try again.')
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(50)
})

test('a person whose upload is cut off leaves no file on the server', async () => {
  const base = new URL(await http.listen({ port: 0, host: '127.0.0.1' }))
  const client = await browser()
  const temp = join(portal.settings.dataDir, 'files', 'temp')
  const token = client.cookies.get('XSRF-TOKEN')
  const socket = connect(Number(base.port), base.hostname)
  await once(socket, 'connect')
  socket.write(
    [
      `POST ${portal.settings.apiBase}/trial/file HTTP/1.1`,
      'Host: localhost',
      `Cookie: XSRF-TOKEN=${token}`,
      `X-XSRF-TOKEN: ${token}`,
      'Content-Type: multipart/form-data; boundary=cut',
      'Content-Length: 1000000',
      '',
      '--cut',
      'Content-Disposition: form-data; name="file"; filename="list.xlsx"',
      '',
      'x'.repeat(100_000),
    ].join('\r\n'),
  )
  await until(async () => readdirSync(temp).length)
  socket.destroy()
  await until(async () => readdirSync(temp).length === 0)
  await http.close()
})

test('an operator cannot start a portal with a route that does not declare its permission', async () => {
  const open = { ...trial.clash, path: '/trial/open', access: undefined as never }
  const start = makeServer(portal.context, { draining: false }, [], (app) =>
    serve(app, open, async () => ({})),
  )
  await expect(start).rejects.toThrow('GET /trial/open does not say who may call it')
})
