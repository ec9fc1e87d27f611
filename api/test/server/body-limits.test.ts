import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { asConsultant, caseStage, file, pdf } from '../cases/case-stage.ts'
import { startPortal, until } from '../portal.ts'

const portal = await startPortal({ slowestRequest: { headersMs: 1000, graceMs: 2000, bytesPerSecond: 100 } })
const address = new URL(await portal.listen())
const json = { 'content-type': 'application/json' }
const filesIn = (folder: string) => {
  try {
    return readdirSync(join(portal.settings.dataDir, 'files', folder), {
      recursive: true,
      withFileTypes: true,
    })
      .filter((entry) => entry.isFile() || folder === 'temp')
      .map(({ name }) => name)
  } catch {
    return []
  }
}

/** A connection that sends the head of a call, then its body octet by octet, and ends when the server closes it. */
async function trickle(head: string[], body: string, everyMs: number) {
  const socket = connect(Number(address.port), address.hostname)
  let answer = ''
  socket.on('data', (data) => {
    answer += data.toString()
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(head.join('\r\n'))
  let sent = 0
  const timer = setInterval(() => {
    if (sent < body.length) socket.write(body[sent++] as string)
  }, everyMs)
  await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(timer)
  return { answer, sent }
}

async function csrf() {
  const visitor = await portal.visitor()
  const token = visitor.cookies.get('XSRF-TOKEN') ?? ''
  return [`Cookie: XSRF-TOKEN=${token}`, `X-XSRF-TOKEN: ${decodeURIComponent(token)}`]
}

test('a visitor who sends one octet after the other at the sign-in is cut off', async () => {
  const head = [
    `POST ${portal.settings.apiBase}/login HTTP/1.1`,
    'Host: localhost',
    ...(await csrf()),
    'Content-Type: application/json',
    'Content-Length: 60000',
    '\r\n',
  ]
  const { answer, sent } = await trickle(head, ' '.repeat(60_000), 50)
  expect(answer).toContain('408')
  expect(sent).toBeLessThan(1000)
})

test('a visitor whose headers never end is cut off', async () => {
  const head = [`GET ${portal.settings.apiBase}/session HTTP/1.1`, 'Host: localhost', 'X-Long: ']
  expect((await trickle(head, 'x'.repeat(60_000), 20)).answer).toContain('408')
})

test('a reviewer whose upload is slow but steady is not cut off', async () => {
  const { reviewer, filer, fileCase } = await caseStage(portal)
  const filed = await fileCase(filer)
  const form = new FormData()
  form.append('complain_id', String(filed.id))
  form.append('description', 'A photo')
  form.append('file', file('opinion.pdf', Buffer.concat([pdf, Buffer.alloc(3000, 32), pdf])))
  const encoded = new Response(form)
  const body = Buffer.from(await encoded.arrayBuffer()).toString('latin1')
  const head = [
    `POST ${portal.settings.apiBase}/admin/cases/file HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    `Cookie: ${[...reviewer.cookies].map(([name, value]) => `${name}=${value}`).join('; ')}`,
    `X-XSRF-TOKEN: ${decodeURIComponent(reviewer.cookies.get('XSRF-TOKEN') ?? '')}`,
    `Content-Type: ${encoded.headers.get('content-type')}`,
    `Content-Length: ${body.length}`,
    '\r\n',
  ]
  const pieces = body.match(/[\s\S]{1,100}/g) ?? []
  const { answer } = await trickle(head, pieces as unknown as string, 40)
  expect(answer).toContain('200 OK')
})

test('a visitor gets 413 for a sign-in of 65 KB, and an officer’s corrections may have more', async () => {
  const visitor = await portal.visitor()
  const answer = await visitor.post('/login', Buffer.alloc(65 * 1024, 32), json)
  expect(answer).toMatchObject({ status: 413, body: { message: 'What you sent is larger than 64 KB.' } })
  expect((await visitor.post('/nothing', Buffer.alloc(65 * 1024, 32), json)).status).toBe(413)
  const officer = await portal.signedIn('students.import')
  const large = Buffer.concat([Buffer.from('{}'), Buffer.alloc(1024 * 1024, 32)])
  expect((await officer.post('/imports/1/check', large, json)).status).toBe(404)
})

test('an officer reads that an address is too long, and one of 4,000 characters is read', async () => {
  const officer = await portal.signedIn('schools.view')
  const list = (length: number) => officer.get(`/admin/schools/list?none=${'x'.repeat(length - 25)}`)
  expect(await list(4001)).toMatchObject({
    status: 414,
    body: { message: 'The address of this call is longer than 4000 characters.' },
  })
  expect((await list(4000)).status).toBe(200)
})

const formHead = ['Content-Type: multipart/form-data; boundary=cut', 'Content-Length: 20000000']
/** Fastify reads such a body by itself, before its handler. */
const jsonHead = ['Content-Type: application/json', 'Content-Length: 60000']

/** What the server answers to the head of a call with a body, before one octet of the body was sent. */
async function beforeTheBody(path: string, lines: string[], body = formHead): Promise<string> {
  const head = [
    `POST ${portal.settings.apiBase}${path} HTTP/1.1`,
    'Host: localhost',
    ...lines,
    ...body,
    '\r\n',
  ]
  const socket = connect(Number(address.port), address.hostname)
  await once(socket, 'connect')
  socket.write(head.join('\r\n'))
  const [answer] = await once(socket, 'data')
  socket.destroy()
  return String(answer)
}

test('nobody’s body is waited for without a session, an anti-forgery token and the permission', async () => {
  const before = filesIn('temp')
  const calls: [string, string[]][] = [
    ['/admin/schools/students/import', formHead],
    ['/admin/roles', jsonHead],
  ]
  const officer = await portal.signedIn('schools.view')
  const cookies = [...officer.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const token = decodeURIComponent(officer.cookies.get('XSRF-TOKEN') ?? '')
  const own = [`Cookie: ${cookies}`, `X-XSRF-TOKEN: ${token}`]
  for (const [path, body] of calls) {
    expect(await beforeTheBody(path, await csrf(), body)).toContain('401 Unauthorized')
    expect(await beforeTheBody(path, own.slice(0, 1), body)).toContain('419')
    expect(await beforeTheBody(path, own, body)).toContain('403 Forbidden')
  }
  expect(filesIn('temp')).toEqual(before)
})

test('nothing of a body is stored for an invented invite, and the answer comes before it', async () => {
  const stranger = asConsultant(await portal.visitor(), 'A'.repeat(43))
  const before = filesIn('temp')
  const invented = [...(await csrf()), `X-Invite: ${'A'.repeat(43)}`]
  expect(await beforeTheBody('/external/cases/file', invented)).toContain('404 Not Found')
  expect((await stranger.send({ description: 'x', file: file('opinion.pdf', pdf) })).status).toBe(404)
  expect(filesIn('temp')).toEqual(before)
})

test('no file remains of an upload that was refused, or whose change was rolled back', async () => {
  const { reviewer, filer, form, fileCase } = await caseStage(portal)
  const filed = await fileCase(filer)
  const kept = filesIn('kept')
  const add = (fields: Record<string, string | number | File>) =>
    reviewer.upload('/admin/cases/file', { complain_id: filed.id, description: 'A letter', ...fields })
  expect((await add({ file: file('letter.pdf', Buffer.from('no document')) })).status).toBe(422)
  expect((await add({ file: file('letter.pdf', pdf), complain_id: 999_999 })).status).toBe(404)
  const eleven = Array.from({ length: 11 }, (_, n) => [`file${n}`, file('letter.pdf', pdf)])
  expect((await add(Object.fromEntries(eleven))).status).toBe(413)
  const other = await filer.upload('/admin/cases', {
    ...form,
    reviewer: 999_999,
    file: file('letter.pdf', pdf),
  })
  expect(other.status).toBe(422)
  await portal.owner.query(`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'no document today'; end $$;
    create trigger refuse before insert on case_documents for each row execute function refuse()`)
  expect((await add({ file: file('letter.pdf', pdf) })).status).toBe(500)
  await portal.owner.query('drop trigger refuse on case_documents; drop function refuse')
  expect(filesIn('kept')).toEqual(kept)
  await until(async () => filesIn('temp').length === 0)
})
