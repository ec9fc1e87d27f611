import type { Server } from 'node:http'
import { Refusal } from './refusal.ts'

/** Listens on the loopback interface only. */
export function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (fault: NodeJS.ErrnoException) =>
      reject(
        fault.code === 'EADDRINUSE'
          ? new Refusal(`Something else listens on port ${port}: choose another with --port.`)
          : fault,
      ),
    )
    server.listen(port, 'localhost', resolve)
  })
}
