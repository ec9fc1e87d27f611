import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

type Env = { [name: string]: string }
type Payment = {
  reference?: unknown
  phone?: unknown
  amount?: unknown
  currency?: unknown
  name?: unknown
}
export type Line = {
  key: string
  reference: string
  phone: string
  amount: number
  received: number
  executed: number
  result: string
  at: string
}

const packageFolder = join(import.meta.dirname, '..')
const node = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin/node')

export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-agency-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Starts the agency as a process, which ends with the test. With the folder of an earlier one it is a restart. */
export async function startAgency(folder: string = emptyFolder(), env: Env = {}) {
  const child = launchAgency(folder, env)
  const [line] = (await Promise.race([
    once(createInterface(child.stdout as NodeJS.ReadableStream), 'line'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the agency ended with ${code}`))),
  ])) as [string]
  const url = line.slice(line.indexOf('http'))

  async function call(method: string, path: string, body?: unknown, headers: Env = {}) {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const response = await fetch(url + path, { method, body: text, headers })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  return {
    url,
    call,
    /** Pays 1,000 francs to a number with these last digits. `payment` overrides the defaults. */
    pay: (key: string, digits: string, payment: Payment = {}) =>
      call('POST', '/payments', paymentTo(digits, payment), { 'Idempotency-Key': key }),
    ask: (key: string) => call('GET', `/payments/${encodeURIComponent(key)}`),
    set: (settings: { [name: string]: unknown }) => call('PUT', '/settings', settings),
    ledger: async (): Promise<Line[]> => (await call('GET', '/ledger')).body.entries,
    line: async (key: string): Promise<Line | undefined> =>
      (await call('GET', '/ledger')).body.entries.find((entry: Line) => entry.key === key),
    summary: async () => (await call('GET', '/ledger/summary')).body,
    end: (signal: NodeJS.Signals) => endChild(child, signal),
  }
}

/** Starts the process without waiting, for starts that must fail. */
export function launchAgency(folder: string, env: Env = {}): ChildProcess {
  const child = spawn(node, [join(packageFolder, 'src/main.ts')], {
    env: { SANDBOX_AGENCY_PORT: '0', SANDBOX_AGENCY_DIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(async () => {
    await endChild(child, 'SIGKILL')
  })
  return child
}

export function paymentTo(digits: string, payment: Payment = {}) {
  return { reference: 'entry-1', phone: `+223701234${digits}`, amount: 1_000, currency: 'XOF', ...payment }
}

async function endChild(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit')
    child.kill(signal)
    await exit
  }
  return child.exitCode
}
