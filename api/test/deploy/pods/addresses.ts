import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

type AtEnd = (end: () => Promise<unknown>) => void

/** Addresses of this machine that pods reach, on an interface of their own (apt-get install iproute2; it needs root). */
export function makeAddresses(addresses: readonly string[], atEnd: AtEnd) {
  const ip = (...words: string[]) => execFileSync('/usr/sbin/ip', words)
  const name = `pods${process.pid}`
  ip('link', 'add', name, 'type', 'bridge')
  atEnd(async () => ip('link', 'del', name))
  ip('link', 'set', name, 'up')
  for (const address of addresses) ip('address', 'add', `${address}/32`, 'dev', name)
}

type Place = { address: string; port: number; to: number; atEnd: AtEnd }

/** Leads an address and port to a server on the loopback of this machine, with TLS before it if a certificate is given. */
export async function relay(
  { address, port, to, atEnd }: Place,
  certificate?: { key: string; certificate: string },
) {
  const sockets = new Set<Socket>()
  const lead = (near: Socket) => {
    const far = connect(to, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
    near.pipe(far).pipe(near)
  }
  const server: Server = certificate
    ? createTlsServer(
        { key: readFileSync(certificate.key), cert: readFileSync(certificate.certificate) },
        lead,
      )
    : createServer(lead)
  await new Promise<void>((resolve) => server.listen(port, address, resolve))
  atEnd(async () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
}
