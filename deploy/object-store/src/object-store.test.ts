import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { AwsClient } from 'aws4fetch'
import { afterAll, beforeAll, expect, test } from 'vitest'

let child: ChildProcess
let base: string
const signing = {
  accessKeyId: 'portal',
  secretAccessKey: 'known',
  region: 'us-east-1',
  service: 's3',
  retries: 0,
}
const client = new AwsClient(signing)
const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const hash = async (text: string) =>
  Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(text))).toString('hex')
async function call(method: string, path: string, text = '', headers: Record<string, string> = {}) {
  const body = text || undefined
  const answer = await client.fetch(`${base}${path}`, {
    method,
    body,
    headers: { 'x-amz-content-sha256': await hash(text), ...headers },
  })
  return { status: answer.status, text: await answer.text(), etag: answer.headers.get('etag') ?? '' }
}

const folder = mkdtempSync(join(tmpdir(), 'portal-store-'))

async function start() {
  const env = { OBJECT_STORE_SECRET: 'known', OBJECT_STORE_BUCKETS: 'files', OBJECT_STORE_DIR: folder }
  child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface(child.stdout as NodeJS.ReadableStream), 'line')) as [string]
  base = line.slice(line.indexOf('http'))
}
beforeAll(start)
afterAll(() => {
  child.kill()
  rmSync(folder, { recursive: true })
})

test('a program stores an object with a name of any signs, reads it, and lists it page by page', async () => {
  const path = '/files/a%20b/%C3%A9%27(1)%2B.txt'
  expect((await call('PUT', path, 'content')).status).toBe(200)
  expect(await call('GET', path)).toMatchObject({ status: 200, text: 'content' })
  expect((await call('PUT', path, 'other', { 'if-none-match': '*' })).status).toBe(412)
  for (const name of ['x/1', 'x/2', 'x/3']) await call('PUT', `/files/${name}`, name)
  const first = await call('GET', '/files?list-type=2&prefix=x%2F&max-keys=2')
  expect(first.text).toContain('<IsTruncated>true</IsTruncated>')
  const token = /<NextContinuationToken>(.*?)</.exec(first.text)?.[1] ?? ''
  const rest = await call(
    'GET',
    `/files?list-type=2&prefix=x%2F&continuation-token=${encodeURIComponent(token)}`,
  )
  expect([...rest.text.matchAll(/<Key>(.*?)</g)].map(([, key]) => key)).toEqual(['x/3'])
  expect((await call('DELETE', path)).status).toBe(204)
  expect(await call('GET', path)).toMatchObject({ status: 404, text: expect.stringContaining('NoSuchKey') })
})

test('a program sends an object in parts; small, unknown and swapped parts are refused', async () => {
  const begun = await call('POST', '/files/large?uploads=')
  const id = /<UploadId>(.*?)</.exec(begun.text)?.[1] ?? ''
  const large = 'a'.repeat(5 * 1024 * 1024)
  const etags: string[] = []
  for (const [n, text] of [large, 'end'].entries())
    etags.push((await call('PUT', `/files/large?partNumber=${n + 1}&uploadId=${id}`, text)).etag)
  const complete = (...parts: [number, string | undefined][]) => {
    const lines = parts.map(([n, etag]) => `<Part><PartNumber>${n}</PartNumber><ETag>${etag}</ETag></Part>`)
    return call(
      'POST',
      `/files/large?uploadId=${id}`,
      `<CompleteMultipartUpload>${lines.join('')}</CompleteMultipartUpload>`,
    )
  }
  expect((await complete([2, etags[1]], [1, etags[0]])).text).toContain('InvalidPartOrder')
  expect((await complete([1, '"none"'])).text).toContain('InvalidPart')
  expect((await complete([1, etags[0]], [2, etags[1]])).status).toBe(200)
  expect((await call('GET', '/files/large')).text).toBe(`${large}end`)
  expect((await complete([1, etags[0]])).text).toContain('NoSuchUpload')
})

test('a call is refused whose signature, key, body or time is not right', async () => {
  const tried = async (
    changes: object,
    headers: Record<string, string> = {},
    body?: string,
    datetime?: string,
  ) => {
    const other = new AwsClient({ ...signing, ...changes })
    const init = {
      method: body ? 'PUT' : 'GET',
      body,
      headers: { 'x-amz-content-sha256': empty, ...headers },
      aws: { datetime },
    }
    return (await other.fetch(`${base}/files/x`, init)).text()
  }
  expect(await tried({ secretAccessKey: 'guessed' })).toContain('SignatureDoesNotMatch')
  expect(await tried({ accessKeyId: 'nobody' })).toContain('InvalidAccessKeyId')
  expect(await tried({}, {}, 'another body')).toContain('XAmzContentSHA256Mismatch')
  expect(await tried({}, { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' })).toContain('InvalidRequest')
  expect(await tried({}, {}, undefined, '20200101T000000Z')).toContain('RequestTimeTooSkewed')
  expect(await (await fetch(`${base}/files/x`)).text()).toContain('AccessDenied')
})

test('objects of a folder outlive the kill of the store, and what was deleted stays deleted', async () => {
  await call('PUT', '/files/kept', 'kept through a kill', { 'x-amz-meta-sha256': 'of it' })
  await call('PUT', '/files/gone', 'gone')
  await call('DELETE', '/files/gone')
  const killed = once(child, 'exit')
  child.kill('SIGKILL')
  await killed
  await start()
  expect(await call('GET', '/files/kept')).toMatchObject({ status: 200, text: 'kept through a kill' })
  expect((await call('GET', '/files/gone')).status).toBe(404)
})
