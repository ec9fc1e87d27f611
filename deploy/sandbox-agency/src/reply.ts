import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Wire } from './hostile.ts'

export type Answer =
  | { status: number; body: unknown; headers?: { [name: string]: string }; wire?: Wire }
  | 'cut the line'

const notJson = '<html><body>Please try later.</body></html>'
const hugeBytes = 64 << 20
const chunk = Buffer.alloc(1 << 20, 'x')

export async function send(response: ServerResponse, given: Answer): Promise<void> {
  if (given === 'cut the line') {
    response.destroy()
    return
  }
  const { how, ms } = given.wire ?? { how: 'whole', ms: 0 }
  const text = JSON.stringify(given.body)
  const start = (contentType: string, length: number) =>
    response.writeHead(given.status, {
      'content-type': contentType,
      'content-length': length,
      'cache-control': 'no-store',
      ...given.headers,
    })
  switch (how) {
    case 'whole':
      start('application/json', Buffer.byteLength(text)).end(text)
      return
    case 'not_json':
      start('text/html', notJson.length).end(notJson)
      return
    case 'cut_body':
      start('application/json', Buffer.byteLength(text)).write(text.slice(0, text.length / 2), () =>
        response.destroy(),
      )
      return
    case 'huge_body':
      return sendHuge(response, text, start)
    case 'drip':
      return drip(start('application/json', Buffer.byteLength(text)), Buffer.from(text), ms)
  }
}

/** The right response padded to 64 MiB of JSON, for callers that read without a limit. */
async function sendHuge(
  response: ServerResponse,
  text: string,
  start: (contentType: string, length: number) => ServerResponse,
): Promise<void> {
  const head = '{"padding":"'
  const tail = `",${text.slice(1)}`
  start('application/json', head.length + hugeBytes + Buffer.byteLength(tail)).write(head)
  for (let sent = 0; sent < hugeBytes && !response.destroyed; sent += chunk.length) {
    if (!response.write(chunk)) await Promise.race([once(response, 'drain'), once(response, 'close')])
  }
  response.end(tail)
}

async function drip(response: ServerResponse, bytes: Buffer, ms: number): Promise<void> {
  for (let index = 0; index < bytes.length && !response.destroyed; index += 1) {
    await pause(ms)
    response.write(bytes.subarray(index, index + 1))
  }
  response.end()
}
