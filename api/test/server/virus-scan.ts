import { createServer, type Server } from 'node:net'

/** The test file of the makers of scanners: harmless, and found by all of them. It is written here in two parts. */
export const eicar = Buffer.from(`${'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-'}STANDARD-ANTIVIRUS-TEST-FILE!$H+H*`)

/** A server with clamd's command INSTREAM that finds the test file, as `found`, or gives another answer. */
export async function startScanner(answer?: string): Promise<{ port: number; close: () => Promise<void> }> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let received = Buffer.alloc(0)
    socket.on('error', () => socket.destroy())
    socket.on('data', (data) => {
      received = Buffer.concat([received, data])
      const sent = fileOf(received)
      if (sent === undefined) return
      const verdict = sent.includes(eicar) ? 'stream: Eicar-Test-Signature FOUND' : 'stream: OK'
      socket.end(`${answer ?? verdict}\0`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: portOf(server), close: () => new Promise((resolve) => server.close(() => resolve())) }
}

const portOf = (server: Server) => (server.address() as { port: number }).port
const command = Buffer.from('zINSTREAM\0')

/** The file of a command that is whole: chunks with their length in four octets, up to an empty one. */
function fileOf(received: Buffer): Buffer | undefined {
  if (received.length >= command.length && !received.subarray(0, command.length).equals(command))
    throw new Error(`not INSTREAM: ${received.toString('latin1', 0, 20)}`)
  const chunks: Buffer[] = []
  for (let at = command.length; at + 4 <= received.length; ) {
    const length = received.readUInt32BE(at)
    if (length === 0) return Buffer.concat(chunks)
    chunks.push(received.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return undefined
}
