import type { Rule } from './modes.ts'

/** `none`: received, not decided. `refused`, `error`, `throttled`: answered without a decision; the order may be sent again. */
export type Result = 'none' | 'refused' | 'error' | 'throttled' | 'pending' | 'success' | 'failed'

export type Instruction = { reference: string; phone: string; amount: number; name: string | null }

export type Settings = {
  latency_ms: number
  /** Balance of the paying account in francs; null is without limit. */
  float_amount: number | null
  lost_reply_percent: number
  fee_percent: number
  unreachable: boolean
  /** How the agency misbehaves; none by default. */
  hostile: Rule[]
  /** Full numbers whose accounts were corrected. They are paid, whatever their last two digits are. */
  corrected: string[]
}

/** Money that left the account. `n` numbers the movements. */
export type Movement = {
  n: number
  id: string
  key: string
  reference: string
  phone: string
  amount: number
  currency: 'XOF'
  fee: number
  at: string
}

export type History = {
  key: string
  reference: string
  phone: string
  amount: number
  result: 'success' | 'failed'
  reason: string | null
  at: string
  fee: number
}

/** `reference` and `phone` are set if a known key was executed with another body. */
type Executed = {
  event: 'executed'
  key: string
  amount: number
  fee: number
  at: string
  reference?: string
  phone?: string
}

export type Event =
  | ({ event: 'received'; key: string; at: string } & Partial<Instruction>)
  | Executed
  | { event: 'result'; key: string; result: Result; reason: string | null; at: string; due?: number }
  | ({ event: 'imported' } & History)
  | { event: 'settings'; settings: Partial<Settings>; at: string }

export type Entry = Instruction & {
  id: string
  key: string
  received: number
  executed: number
  result: Result
  reason: string | null
  fee: number
  at: string
  first_at: string
  /** The amount is reserved from the float while the payment is pending. */
  reserved: boolean
  /** When a pending payment is decided, in milliseconds since 1970. */
  due: number
  /** Whether a number ending in 07 or 09 has failed its first time. */
  stumbled: boolean
}

/** The state after all events. Live calls and the replay at the start use the same `apply`. */
export class Ledger {
  readonly entries = new Map<string, Entry>()
  readonly byReference = new Map<string, Entry[]>()
  readonly movements: Movement[] = []
  readonly summary = { keys: 0, received: 0, executed: 0, executed_amount: 0 }
  readonly settings: Settings = {
    latency_ms: 0,
    float_amount: 1_000_000_000_000,
    lost_reply_percent: 0,
    fee_percent: 1,
    unreachable: false,
    hostile: [],
    corrected: [],
  }

  apply(event: Event): void {
    if (event.event === 'settings') {
      Object.assign(this.settings, event.settings)
    } else if (event.event === 'imported') {
      this.#applyImported(event)
    } else if (event.event === 'received') {
      this.#applyReceived(event)
    } else {
      const entry = this.entries.get(event.key)
      if (!entry) throw new Error(`The ledger names ${event.key} before it was received.`)
      if (event.event === 'executed') this.#applyExecuted(entry, event)
      else this.#applyResult(entry, event)
      entry.at = event.at
    }
  }

  canPay(amount: number): boolean {
    return this.settings.float_amount === null || this.settings.float_amount >= amount
  }

  /** Uses integers only: 1.1 % of 10,000 is 110, but floating point returns 110.00000000000001. */
  feeOf(amount: number): number {
    return Math.ceil((amount * Math.round(this.settings.fee_percent * 100)) / 10_000)
  }

  /** The oldest other payment that is decided. */
  oldestBut(entry: Entry): Entry | undefined {
    for (const other of this.entries.values()) {
      if (other !== entry && (other.result === 'success' || other.result === 'failed')) return other
    }
    return undefined
  }

  #applyReceived(event: Event & { event: 'received' }): void {
    const { key, at, reference = '', phone = '', amount = 0, name = null } = event
    const entry = this.entries.get(key) ?? this.#add({ key, at, reference, phone, amount, name })
    entry.received += 1
    this.summary.received += 1
  }

  #applyImported(event: History): void {
    if (this.entries.has(event.key)) return
    const { key, at, reference, phone, amount, result, reason, fee } = event
    const entry = this.#add({ key, at, reference, phone, amount, name: null })
    Object.assign(entry, { received: 1, result, reason, fee })
    this.summary.received += 1
    if (result === 'success') this.#count(entry, entry)
  }

  /** An executed payment is a success, even if the line with its result was not written. */
  #applyExecuted(entry: Entry, event: Executed): void {
    if (entry.executed > 0) entry.id = `${entry.id.split('-')[0]}-${entry.executed + 1}`
    if (!entry.reserved) this.#takeFromFloat(event.amount)
    Object.assign(entry, { reserved: false, fee: event.fee, result: 'success', reason: null })
    this.#count(entry, event)
  }

  #applyResult(entry: Entry, event: Event & { event: 'result' }): void {
    if (event.result === 'pending') {
      this.#takeFromFloat(entry.amount)
      entry.reserved = true
      entry.due = event.due ?? 0
    } else if (event.result === 'failed' && entry.reserved) {
      this.#takeFromFloat(-entry.amount)
      entry.reserved = false
    } else if (event.result === 'error' || event.result === 'throttled') {
      entry.stumbled = true
    }
    entry.result = event.result
    entry.reason = event.reason
  }

  #add(first: Instruction & { key: string; at: string }): Entry {
    const entry: Entry = {
      ...first,
      id: `SA${String(this.entries.size + 1).padStart(9, '0')}`,
      received: 0,
      executed: 0,
      result: 'none',
      reason: null,
      fee: 0,
      first_at: first.at,
      reserved: false,
      due: 0,
      stumbled: false,
    }
    this.entries.set(entry.key, entry)
    const others = this.byReference.get(entry.reference)
    if (others) others.push(entry)
    else this.byReference.set(entry.reference, [entry])
    this.summary.keys += 1
    return entry
  }

  #count(
    entry: Entry,
    moved: { amount: number; fee: number; at: string; reference?: string; phone?: string },
  ): void {
    const { id, key } = entry
    const { amount, fee, at, reference = entry.reference, phone = entry.phone } = moved
    const n = this.movements.length + 1
    this.movements.push({ n, id, key, reference, phone, amount, currency: 'XOF', fee, at })
    entry.executed += 1
    this.summary.executed += 1
    this.summary.executed_amount += amount
  }

  #takeFromFloat(amount: number): void {
    if (this.settings.float_amount !== null) this.settings.float_amount -= amount
  }
}
