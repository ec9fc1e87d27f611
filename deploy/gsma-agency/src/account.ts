import { createHash, randomUUID } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type TokenSwitches, Tokens } from './tokens.ts'

export type Order = {
  msisdn: string
  amount: number
  /** The client's own reference of the payment. */
  reference: string | null
  /** Where the end is reported. */
  callback: string | null
}
/** A request as the ledger has it. `moved` counts how often its money left the account, `due` is when it ends. */
export type Disbursement = Order & {
  /** The client's correlation id. */
  key: string
  /** The server's correlation id. */
  state_id: string
  transaction: string
  fee: number
  status: 'pending' | 'completed' | 'failed' | 'reversed'
  error: string | null
  at: string
  calls: number
  moved: number
  due: number | null
}

export type Switches = TokenSwitches & {
  latency_ms: number
  balance: number | null
  lost_reply_percent: number
  /** So many of the next orders are refused because of the rate. */
  throttled: number
  /** Numbers whose requests are accepted and fail. */
  fails: string[]
  /** Every order gets 500, and nothing is carried out. */
  failing: boolean
  forgets_keys: boolean
  /** How long an accepted request is pending. */
  ends_after_ms: number
  /** How often the end of a request is reported at its address. */
  callbacks: number
}

const slowMs = 1_000

/** What an accepted request of a number fails with. */
const lateRefusals: Readonly<Record<string, string>> = { '01': 'insufficientFunds', '06': 'incorrectState' }

/** The account of an organisation: requests by correlation id, replayed from its ledger at the start. */
export class Account {
  readonly requests = new Map<string, Disbursement>()
  readonly tokens = new Tokens()
  readonly switches: Switches = {
    latency_ms: 0,
    balance: null,
    lost_reply_percent: 0,
    throttled: 0,
    fails: [],
    failing: false,
    forgets_keys: false,
    ends_after_ms: 100,
    callbacks: 1,
    signs_in_by: 'key',
    token_seconds: 3600,
    token_told_seconds: null,
    token_calls: null,
    tokens_failing: false,
  }
  /** Keys whose number has had its fault: it occurs once. */
  readonly #stumbled = new Set<string>()
  readonly #file: number
  /** Called after a request has ended. */
  onEnd: (request: Disbursement) => void = () => {}
  /** Calls of the client so far, and those that were refused because of who called. */
  calls = 0
  strangers = 0

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true })
    const path = join(folder, 'ledger.jsonl')
    if (existsSync(path))
      for (const line of readFileSync(path, 'utf8').split('\n').slice(0, -1)) {
        const request = JSON.parse(line) as Disbursement
        this.requests.set(request.key, request)
      }
    // `as`: a line is on disk before the response about it leaves.
    this.#file = openSync(path, 'as', 0o600)
    for (const request of this.requests.values()) if (request.due !== null) this.#endWhenDue(request)
  }

  write(request: Disbursement): void {
    writeSync(this.#file, `${JSON.stringify(request)}\n`)
  }

  close(): void {
    closeSync(this.#file)
  }

  /** Whether the number's fault occurs now. It occurs for the first order of a key only. */
  stumbles(key: string): boolean {
    if (this.#stumbled.has(key)) return false
    this.#stumbled.add(key)
    return true
  }

  /** Chosen by a hash of the key, so that the same replies are lost in every run. */
  losesReply(key: string): boolean {
    const share = createHash('sha256').update(key).digest().readUInt16BE(0)
    return share < (this.switches.lost_reply_percent / 100) * 65_536 && this.stumbles(key)
  }

  canPay(amount: number): boolean {
    return this.switches.balance === null || this.switches.balance >= amount
  }

  /** Accepts an order. Its money is set aside now, and moves or comes back when the request ends. */
  accept(key: string, order: Order, digits: string): Disbursement {
    const known = this.requests.get(key)
    const wait = digits === '05' ? slowMs : digits === '20' ? 0 : this.switches.ends_after_ms
    const request: Disbursement = {
      ...order,
      key,
      state_id: known?.state_id ?? randomUUID(),
      transaction: known?.transaction ?? `TX${randomUUID().replaceAll('-', '').slice(0, 16)}`,
      fee: Math.ceil(order.amount / 100),
      status: 'pending',
      error: null,
      at: new Date().toISOString(),
      calls: 1 + (known?.calls ?? 0),
      moved: known?.moved ?? 0,
      due: Date.now() + wait,
    }
    this.requests.set(key, request)
    this.#change(-(request.amount + request.fee))
    this.write(request)
    if (wait > 0) this.#endWhenDue(request)
    else this.#end(request)
    return request
  }

  reverse(request: Disbursement): void {
    if (request.status !== 'completed') return
    Object.assign(request, { status: 'reversed', moved: request.moved - 1 })
    this.#change(request.amount + request.fee)
    this.write(request)
  }

  #change(francs: number): void {
    if (this.switches.balance !== null) this.switches.balance += francs
  }

  #endWhenDue(request: Disbursement): void {
    setTimeout(() => this.#end(request), Math.max(0, (request.due ?? 0) - Date.now())).unref()
  }

  #end(request: Disbursement): void {
    const error = this.switches.fails.includes(request.msisdn)
      ? 'identifierError'
      : (lateRefusals[request.msisdn.slice(-2)] ?? null)
    Object.assign(request, { due: null, error, status: error ? 'failed' : 'completed' })
    if (error) this.#change(request.amount + request.fee)
    else request.moved += 1
    this.write(request)
    this.onEnd(request)
  }
}
