import { createHash } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

export type Status = 'processing' | 'succeeded' | 'failed' | 'reversed'
export type Order = { mobile: string; amount: number; name: string | null; client_reference: string | null }
/** A payout as the ledger has it. `moved` counts how often its money left the wallet, `due` is when it ends. */
export type Payout = Order & {
  id: string
  key: string
  fee: number
  status: Status
  error: string | null
  at: string
  calls: number
  moved: number
  due: number | null
}

export type Switches = {
  latency_ms: number
  balance: number | null
  lost_reply_percent: number
  throttled: number
  corrected: string[]
  /** Numbers whose payouts are stored and fail. */
  fails: string[]
  /** Every order gets 500, and nothing is carried out. */
  failing: boolean
  forgets_keys: boolean
  callback: { url: string; secret: string; times: number } | null
}

const endsAfterMs = 1_000

/** The wallet: payouts by key, replayed from its ledger at the start. */
export class Wallet {
  readonly payouts = new Map<string, Payout>()
  readonly switches: Switches = {
    latency_ms: 0,
    balance: null,
    lost_reply_percent: 0,
    throttled: 0,
    corrected: [],
    fails: [],
    failing: false,
    forgets_keys: false,
    callback: null,
  }
  /** Keys whose number has had its fault: it occurs once. */
  readonly #stumbled = new Set<string>()
  readonly #file: number
  /** Called after a payout has ended. */
  onEnd: (payout: Payout) => void = () => {}
  /** Calls of the account holder so far. */
  calls = 0

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true })
    const path = join(folder, 'ledger.jsonl')
    if (existsSync(path))
      for (const line of readFileSync(path, 'utf8').split('\n').slice(0, -1)) this.#replay(JSON.parse(line))
    // `as`: a line is on disk before the response about it leaves.
    this.#file = openSync(path, 'as', 0o600)
  }

  #replay(payout: Payout): void {
    this.payouts.set(payout.key, payout)
    if (payout.due !== null) this.#endWhenDue(payout)
  }

  write(payout: Payout): void {
    writeSync(this.#file, `${JSON.stringify(payout)}\n`)
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
    const byte = createHash('sha256').update(key).digest().readUInt16BE(0)
    return byte < (this.switches.lost_reply_percent / 100) * 65_536 && this.stumbles(key)
  }

  canPay(amount: number): boolean {
    return this.switches.balance === null || this.switches.balance >= amount
  }

  /** Pays an order, at once or a moment later. A number ending in 06 then fails, and its money comes back. */
  pay(key: string, order: Order, digits: string): Payout {
    const fee = Math.ceil(order.amount / 100)
    const fails = this.switches.fails.includes(order.mobile)
    const waits = !fails && (digits === '05' || digits === '06')
    const payout: Payout = {
      ...order,
      id: `pt-${createHash('sha256')
        .update(`${key} ${this.payouts.get(key)?.moved ?? 0}`)
        .digest('hex')
        .slice(0, 16)}`,
      key,
      fee,
      status: fails ? 'failed' : waits ? 'processing' : 'succeeded',
      error: fails ? 'recipient-account-blocked' : null,
      at: new Date().toISOString(),
      calls: 1 + (this.payouts.get(key)?.calls ?? 0),
      moved: this.payouts.get(key)?.moved ?? 0,
      due: waits ? Date.now() + endsAfterMs : null,
    }
    this.payouts.set(key, payout)
    if (!fails && this.switches.balance !== null) this.switches.balance -= order.amount + fee
    if (!waits && !fails) payout.moved += 1
    this.write(payout)
    if (waits) this.#endWhenDue(payout)
    else this.onEnd(payout)
    return payout
  }

  reverse(payout: Payout): void {
    if (payout.status !== 'succeeded') return
    Object.assign(payout, { status: 'reversed', moved: payout.moved - 1 })
    if (this.switches.balance !== null) this.switches.balance += payout.amount + payout.fee
    this.write(payout)
  }

  #endWhenDue(payout: Payout): void {
    const end = () => {
      const fails = payout.mobile.endsWith('06')
      Object.assign(payout, {
        due: null,
        status: fails ? 'failed' : 'succeeded',
        error: fails ? 'recipient-account-inactive' : null,
        moved: fails ? payout.moved : payout.moved + 1,
      })
      if (fails && this.switches.balance !== null) this.switches.balance += payout.amount + payout.fee
      this.write(payout)
      this.onEnd(payout)
    }
    setTimeout(end, Math.max(0, (payout.due ?? 0) - Date.now())).unref()
  }
}
