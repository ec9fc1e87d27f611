import { createReadStream } from 'node:fs'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { say } from '../http/messages.ts'
import { invalid, Refusal } from '../http/refusals.ts'

/** The address of clamd, or of a scanner that speaks its protocol. */
export type Scanner = { host: string; port: number }

/** How long the scanner may be silent, in ms. It reads the whole of a file before it answers. */
const timeoutMs = 30_000

/**
 * Has an uploaded file looked at (Calls 1.8). Throws a 422 that names the field if something was found, and a 503 if the
 * scanner gave no verdict: a file that nobody has looked at is not kept.
 */
export async function checkForViruses(scanner: Scanner, path: string, field: string): Promise<void> {
  const verdict = await ask(scanner, path).catch((cause: Error) => cause)
  if (verdict === 'stream: OK') return
  if (typeof verdict === 'string' && /^stream: .* FOUND$/.test(verdict)) throw invalid({ [field]: say.virus })
  const cause = typeof verdict === 'string' ? new Error(`The scanner said: ${verdict}`) : verdict
  throw new Refusal(503, say.scannerAway, {
    code: 'scanner_away',
    headers: { 'retry-after': '30' },
    cause,
  })
}

/** Sends a file with clamd's command INSTREAM: chunks with their length in four octets, and an empty one at the end. */
async function ask({ host, port }: Scanner, path: string): Promise<string> {
  const socket = connect({ host, port })
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no answer for ${timeoutMs} ms`)))
  const chunks = async function* () {
    yield Buffer.from('zINSTREAM\0')
    for await (const chunk of createReadStream(path)) {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(chunk.length)
      yield length
      yield chunk
    }
    yield Buffer.alloc(4)
  }
  const [answer] = await Promise.all([text(socket), pipeline(chunks, socket, { end: false })])
  return answer.replace(/\0.*$/s, '')
}
