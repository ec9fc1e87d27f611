import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { freePort } from './debian-postgres.ts'
import { makeNginx } from './shape/servers.ts'

// Takes what it is sent, and is gone before it answers.
const dying = createServer((socket) => socket.once('data', () => socket.destroy()))
await new Promise<void>((listening) => dying.listen(0, '127.0.0.1', listening))
const dyingPort = (dying.address() as { port: number }).port
const folder = mkdtempSync(join(tmpdir(), 'portal-nginx-'))
const ends: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const end of ends) await end()
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
