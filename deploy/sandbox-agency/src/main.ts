import { renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Journal } from './journal.ts'
import { type Event, Ledger } from './ledger.ts'
import { serveAgency } from './server.ts'

const env = process.env
const port = Number(env.SANDBOX_AGENCY_PORT ?? Number(env.PORT ?? 8080) + 1)
const folder = env.SANDBOX_AGENCY_DIR ?? join(env.PORTAL_DATA_DIR ?? '.data', 'agency')
const drainMs = 2_000

if (!Number.isInteger(port) || port < 0 || port > 65_535)
  stop('SANDBOX_AGENCY_PORT must be a number from 0 to 65535.')

const server = createServer()
// Longer than clients keep idle connections, so that the server never closes one while a payment arrives.
server.keepAliveTimeout = 120_000
server.on('error', (error: NodeJS.ErrnoException) => {
  stop(error.code === 'EADDRINUSE' ? `Port ${port} is taken: set SANDBOX_AGENCY_PORT.` : error.message)
})
// The ledger is opened after the port was taken, and synchronously. So there is no second agency and no early request.
server.listen({ port, host: '127.0.0.1', backlog: 4_096 }, () => {
  const ledger = new Ledger()
  const journal = openJournal(ledger)
  const token = env.SANDBOX_AGENCY_TOKEN || undefined
  server.on('request', serveAgency({ ledger, journal, token, seeding: env.SANDBOX_AGENCY_SEED === 'yes' }))
  announce((server.address() as AddressInfo).port)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => drain(journal))
})

function openJournal(ledger: Ledger): Journal<Event> {
  try {
    return new Journal<Event>(
      join(folder, 'ledger.jsonl'),
      (event) => ledger.apply(event),
      (error) => stop(`The ledger cannot be written: ${(error as Error).message}`),
    )
  } catch (error) {
    return stop(`The ledger cannot be opened: ${(error as Error).message}`)
  }
}

function announce(realPort: number): void {
  const file = env.SANDBOX_AGENCY_PORT_FILE
  if (file) {
    writeFileSync(`${file}.part`, `${realPort}\n`)
    renameSync(`${file}.part`, file)
  }
  process.stdout.write(`sandbox agency listening on http://127.0.0.1:${realPort}\n`)
}

function drain(journal: Journal<Event>): void {
  server.close(() => journal.durable().then(() => process.exit(0)))
  setInterval(() => server.closeIdleConnections(), 20)
  setTimeout(() => server.closeAllConnections(), drainMs).unref()
}

function stop(sentence: string): never {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}
