import type { IncomingMessage } from 'node:http'

/** Reads a body of at most so many bytes. It is not whole if there are more. */
export async function bodyOf(
  request: IncomingMessage,
  limit: number,
): Promise<{ body: Buffer; whole: boolean }> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += (chunk as Buffer).length
    if (size > limit) return { body: Buffer.alloc(0), whole: false }
    chunks.push(chunk as Buffer)
  }
  return { body: Buffer.concat(chunks), whole: true }
}
