import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer } from 'node:https'
import type { Pod } from './cluster.ts'

type Place = {
  address: string
  certificate: { key: string; certificate: string }
  apis: () => readonly Pod[]
}

/** Leads people to the pods that are ready, in turn, over connections that stay open, as an ingress and its service do. It repeats nothing. */
export async function startIngress(
  { address, certificate, apis }: Place,
  atEnd: (end: () => Promise<unknown>) => void,
) {
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  const server = createServer(
    { key: readFileSync(certificate.key), cert: readFileSync(certificate.certificate) },
    (incoming, answer) => {
      const ready = apis().filter(({ probed }) => probed.isReady)
      const pod = ready[turn++ % ready.length]
      if (!pod) return void answer.writeHead(503).end()
      const forwarded = {
        'x-forwarded-for': incoming.socket.remoteAddress,
        'x-forwarded-proto': 'https',
        'x-forwarded-host': incoming.headers.host,
      }
      const { method, url: path } = incoming
      const headers = { ...incoming.headers, ...forwarded }
      const outgoing = request({ host: pod.address, port: 8080, method, path, headers, agent }, (got) => {
        answer.writeHead(got.statusCode ?? 502, got.headers)
        got.pipe(answer)
        got.on('error', () => answer.destroy())
      })
      outgoing.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()))
      incoming.pipe(outgoing)
    },
  )
  await new Promise<void>((resolve) => server.listen(443, address, resolve))
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
    agent.destroy()
  })
}
