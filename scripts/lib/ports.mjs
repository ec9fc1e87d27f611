import { createServer } from 'node:net'

/** Listens for a moment; answers the port, or undefined when it is taken. @param {number} port @param {string} host */
function probe(port, host) {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    )
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined))
    })
  })
}

/** Whether another program listens there; faults other than that (no right to the port) are thrown. @param {number} port @param {string} host */
export async function portTaken(port, host) {
  return (await probe(port, host)) === undefined
}

/** A loopback port that nobody uses now, never PostgreSQL's own. @returns {Promise<number>} */
export async function freePort() {
  const port = await probe(0, '127.0.0.1')
  return port === 5432 ? freePort() : port
}
