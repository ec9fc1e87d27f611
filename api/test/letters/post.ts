import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export type Letter = { to: string[]; text: string }

/** A mail server at an address, and the letters that it has got. */
export async function startPost(address = '127.0.0.1') {
  const letters: Letter[] = []
  const started = Promise.withResolvers<number>()
  const server = spawn(process.execPath, [join(import.meta.dirname, 'accounts-smtp.ts'), address], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  createInterface({ input: server.stdout }).on('line', (line) => {
    const event = JSON.parse(line) as { port: number } & Letter
    if (event.port) started.resolve(event.port)
    else letters.push(event)
  })
  const port = await started.promise
  return {
    url: `smtp://portal:secret@${address}:${port}`,
    letters,
    close: () => void server.stdin.end(),
  }
}
