import { createServer } from 'node:net'

/** Listens on a port for a moment. Resolves to the port, or to undefined when it is taken. @param {number} port @param {string} host */
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

/** Whether another program listens on the port. Other errors, such as a missing right to the port, are thrown. @param {number} port @param {string} host */
export async function portTaken(port, host) {
  return (await probe(port, host)) === undefined
}

/** A free loopback port, never PostgreSQL's default port. @returns {Promise<number>} */
export async function freePort() {
  const port = await probe(0, '127.0.0.1')
  return port === 5432 ? freePort() : port
}
