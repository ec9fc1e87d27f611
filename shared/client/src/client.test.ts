import { endpoint } from '@portal/contracts/endpoint'
import { done } from '@portal/contracts/fields'
import { storage } from '@portal/contracts/storage'
import { beforeEach, expect, test, vi } from 'vitest'
import { createClient } from './client.ts'
import { Problem } from './problem.ts'
import { change, failure, json, read, serving } from './test-server.ts'

const signIn = endpoint({ method: 'POST', path: '/login', access: 'public', answer: done })

beforeEach(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: what the api sets
  document.cookie = 'XSRF-TOKEN=old%2Btoken%3D'
})

test('a reading carries the marker, the language and a query without empty values', async () => {
  const { client, calls } = serving([json(200, { name: 'Term 1' })])
  const answer = await client.call(read, { params: { id: 7 }, query: { page: 2, search: '' } })
  expect(answer).toEqual({ name: 'Term 1' })
  expect(calls[0]?.url).toBe('/api/admin/cohorts/7?page=2')
  expect(Object.fromEntries(calls[0]!.headers)).toEqual({
    'X-Requested-With': 'XMLHttpRequest',
    Accept: 'application/json',
    'Accept-Language': 'fr',
  })
})

test('a change sends the CSRF token as it is decoded, and its body as JSON', async () => {
  const { client, calls } = serving([json(200, { message: 'Saved' })])
  await client.call(change, { params: { id: 7 }, body: { from: '2026-11-01' } })
  expect(calls[0]!.headers.get('x-xsrf-token')).toBe('old+token=')
  expect(calls[0]!.headers.get('content-type')).toBe('application/json')
  expect(calls[0]!.body).toBe('{"from":"2026-11-01"}')
})

test('a change says for whom the page was opened, as far as that is known', async () => {
  let userId: number | undefined = 7
  const options = { userId: () => userId }
  const { client, calls } = serving([json(200, {}), json(200, {}), json(200, {})], options)
  const changing = { params: { id: 7 }, body: { from: '2026-11-01' } }
  await client.call(change, changing)
  await client.call(read, { params: { id: 7 } })
  userId = undefined
  await client.call(change, changing)
  expect(calls.map(({ headers }) => headers.get('x-user'))).toEqual(['7', null, null])
})

test('a call of a timer says so', async () => {
  const { client, calls } = serving([json(200, { name: 'Term 1' })])
  await client.call(read, { params: { id: 7 }, poll: true })
  expect(calls[0]!.headers.get('x-poll')).toBe('1')
})

test('419 fetches a new token once and repeats the call once', async () => {
  const session = json(200, {})
  const { client, calls } = serving([
    json(419, { message: 'Expired' }),
    session,
    json(200, { message: 'Saved' }),
  ])
  const sent = client.call(change, { params: { id: 7 }, body: { from: '2026-11-01' } })
  expect((await sent).message).toBe('Saved')
  expect(calls.map((call) => `${call.method} ${call.url}`)).toEqual([
    'PUT /api/admin/cohorts/7',
    'GET /api/session',
    'PUT /api/admin/cohorts/7',
  ])
})

test('a second 419 is told, not repeated', async () => {
  const expired = () => json(419, { message: 'Your session has expired. Reload the page and try again.' })
  const { client, calls } = serving([expired(), json(200, {}), expired()])
  const problem = await failure(client.call(change, { params: { id: 7 }, body: { from: '2026-11-01' } }))
  expect(problem.message).toBe('Your session has expired. Reload the page and try again.')
  expect(calls).toHaveLength(3)
})

test('401 tells the shell, but a refused sign-in and a quiet call do not', async () => {
  const onUnauthorized = vi.fn()
  const { client } = serving(
    [json(401, { message: 'Sign in' }), json(401, { message: 'Wrong' }), json(401, { message: 'Sign in' })],
    { onUnauthorized },
  )
  expect((await failure(client.call(read, { params: { id: 7 } }))).kind).toBe('signed-out')
  expect(onUnauthorized).toHaveBeenCalledOnce()
  await failure(client.call(signIn))
  await failure(client.call(read, { params: { id: 7 }, quiet: true }))
  expect(onUnauthorized).toHaveBeenCalledOnce()
})

test('a read whose session was replaced on its way is repeated once the new session is there, a change is not', async () => {
  const signedOut = () => json(401, { message: 'Sign in' })
  const onUnauthorized = vi.fn()
  const late = Promise.withResolvers<Response>()
  const answers = [late.promise, signedOut(), json(200, { name: 'Lycée de Kidal' })]
  const stillSignedIn = vi.fn(async () => true)
  const client = createClient({
    base: '/api',
    locale: () => 'fr',
    onUnauthorized,
    stillSignedIn,
    fetch: async () => answers.shift() ?? signedOut(),
  })
  const args = { params: { id: 7 } }
  const changed = client.call(change, { ...args, body: { from: '2026-11-01' } })
  const name = client.call(read, args)
  await vi.waitFor(() => expect(answers).toHaveLength(1))
  expect(stillSignedIn).not.toHaveBeenCalled()
  late.resolve(json(200, { message: 'Saved' }))
  expect((await changed).message).toBe('Saved')
  expect((await name).name).toBe('Lycée de Kidal')
  expect(onUnauthorized).not.toHaveBeenCalled()

  await failure(client.call(read, args))
  expect(onUnauthorized).toHaveBeenCalledOnce()
  await failure(client.call(change, { ...args, body: { from: '2026-11-01' } }))
  expect(onUnauthorized).toHaveBeenCalledTimes(2)
  expect(stillSignedIn).toHaveBeenCalledTimes(2)
})

test('a call that asks for the password is repeated once it was given, and refused when it was not', async () => {
  const asked = () => json(403, { message: 'Confirm', reauthenticate: true })
  const args = { params: { id: 7 }, body: { from: '2026-11-01' } }
  const given = serving([asked(), json(200, { message: 'Saved' })], { onReauthenticate: async () => true })
  expect((await given.client.call(change, args)).message).toBe('Saved')
  const kept = serving([asked()], { onReauthenticate: async () => false })
  expect((await failure(kept.client.call(change, args))).message).toBe('Confirm')
  const again = serving([asked(), asked()], { onReauthenticate: async () => true })
  await failure(again.client.call(change, args))
  expect(again.calls).toHaveLength(2)
})

test('a call that is refused until one-time codes are set up tells the shell', async () => {
  const onCodesNeeded = vi.fn()
  const { client } = serving(
    [json(403, { message: 'No' }), json(403, { message: 'Set them up', code: 'codes_needed' })],
    { onCodesNeeded },
  )
  await failure(client.call(read, { params: { id: 7 } }))
  expect(onCodesNeeded).not.toHaveBeenCalled()
  expect((await failure(client.call(read, { params: { id: 7 } }))).code).toBe('codes_needed')
  expect(onCodesNeeded).toHaveBeenCalledOnce()
})

test.each([
  [403, 'forbidden'],
  [404, 'missing'],
  [409, 'refused'],
  [422, 'invalid'],
  [429, 'refused'],
  [500, 'server'],
  [503, 'server'],
])('an answer %i is a problem of kind %s with the server’s words', async (status, kind) => {
  const { client } = serving([
    json(status, { message: 'Words', errors: { from: ['First', 'Second'] }, request_id: 'r1' }),
  ])
  const problem = await failure(client.call(read, { params: { id: 7 } }))
  expect(problem).toMatchObject({
    status,
    kind,
    message: 'Words',
    request_id: 'r1',
    errors: { from: ['First', 'Second'] },
  })
})

test('no answer at all is offline, and a page that is no JSON has no words', async () => {
  const { client } = serving([new TypeError('failed'), new Response('<h1>Bad gateway</h1>', { status: 502 })])
  expect(await failure(client.call(read, { params: { id: 7 } }))).toMatchObject({
    kind: 'offline',
    status: 0,
  })
  expect(await failure(client.call(read, { params: { id: 7 } }))).toMatchObject({
    kind: 'server',
    message: '',
  })
})

test('a call taken back is no problem', async () => {
  const { client } = serving([new DOMException('taken back', 'AbortError')])
  const thrown = await failure(client.call(read, { params: { id: 7 } }))
  expect(thrown).not.toBeInstanceOf(Problem)
})

test('an export that is still being written tells how far it is, then hands over the file', async () => {
  const headers = { 'content-disposition': 'attachment; filename="payroll.xlsx"' }
  const { client } = serving([json(202, { rows_done: 3, rows_total: 9 }), new Response('PK', { headers })])
  const ask = () => client.file(storage.exported, { params: { file_name: 'payroll.xlsx' } })
  expect(await ask()).toEqual({ ready: false, rows_done: 3, rows_total: 9 })
  expect(await ask()).toMatchObject({ ready: true, name: 'payroll.xlsx' })
})

test('a timer asks whether what is here still holds, and sends nothing about it otherwise', async () => {
  const tagged = (etag: string, body: unknown) =>
    new Response(JSON.stringify(body), { status: 200, headers: { etag } })
  const { client, calls } = serving([
    tagged('"one"', { name: 'Term 1' }),
    new Response(null, { status: 304 }),
    tagged('"two"', { name: 'Term 2' }),
    json(200, { name: 'Term 3' }),
  ])
  const asked = { params: { id: 7 }, query: {}, poll: true }
  expect(await client.call(read, asked)).toEqual({ name: 'Term 1' })
  expect(await client.call(read, asked)).toEqual({ name: 'Term 1' })
  expect(await client.call(read, asked)).toEqual({ name: 'Term 2' })
  expect(await client.call(read, { params: { id: 7 }, query: {} })).toEqual({ name: 'Term 3' })
  expect(calls.map(({ headers }) => headers.get('if-none-match'))).toEqual([null, '"one"', '"one"', null])
})
