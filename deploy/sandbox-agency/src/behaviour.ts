import { isChosen, ruleFor } from './hostile.ts'
import type { Entry, Event, Instruction, Ledger, Result } from './ledger.ts'
import type { Mode } from './modes.ts'

/** How the caller is answered. `lost`: the money has moved, and the connection is closed without a response. */
export type Outcome =
  | { say: 'state'; duplicate: boolean }
  | { say: 'lost' }
  | { say: 'insufficient_funds' }
  | { say: 'error' }
  | { say: 'throttled' }

type RecordEvent = (event: Event) => void

const pendingMs = 3_000
const refusals = new Map([
  ['02', 'account_unknown'],
  ['03', 'account_blocked'],
  ['04', 'limit_exceeded'],
])

/**
 * Decides an instruction by the hostile modes, then by the last two digits of its number. It never awaits, so that
 * concurrent calls cannot spend the same money. `other` is the new instruction of a known key, if it differs.
 */
export function decide(
  ledger: Ledger,
  record: RecordEvent,
  entry: Entry,
  firstSending: boolean,
  other?: Instruction,
): Outcome {
  const has = (mode: Mode) => ruleFor(ledger, mode, entry, 'send') !== undefined
  if (other) {
    execute(ledger, record, entry, other)
    return { say: 'state', duplicate: false }
  }
  if (isDecided(entry) && !has('forgets_keys')) return { say: 'state', duplicate: true }
  const digits = ledger.settings.corrected.includes(entry.phone) ? 'corrected' : entry.phone.slice(-2)
  const note = (result: Result, reason: string | null = null) =>
    record({ event: 'result', key: entry.key, result, reason, at: now() })

  const misbehaved = misbehave(has, note)
  if (misbehaved) return misbehaved
  const refusal = refusals.get(digits)
  if (refusal) {
    note('failed', refusal)
    return { say: 'state', duplicate: false }
  }
  if (digits === '07' && !entry.stumbled) {
    note('error')
    return { say: 'error' }
  }
  if (digits === '09' && !entry.stumbled) {
    note('throttled')
    return { say: 'throttled' }
  }
  if (digits === '01' || !ledger.canPay(entry.amount)) {
    note('refused', 'insufficient_funds_payer')
    return { say: 'insufficient_funds' }
  }
  if (digits === '05' || digits === '06' || has('pending_forever')) {
    const due = Date.now() + pendingMs
    record({ event: 'result', key: entry.key, result: 'pending', reason: null, at: now(), due })
    settleWhenDue(ledger, record, entry)
    return { say: 'state', duplicate: false }
  }
  execute(ledger, record, entry)
  if (has('error_paid')) return { say: 'error' }
  const unlucky = firstSending && isChosen(entry.key, ledger.settings.lost_reply_percent)
  return digits === '08' || unlucky ? { say: 'lost' } : { say: 'state', duplicate: false }
}

/** The modes in which no money moves, whatever the number is. */
function misbehave(has: (mode: Mode) => boolean, note: (result: Result) => void): Outcome | undefined {
  if (has('error_unpaid')) {
    note('error')
    return { say: 'error' }
  }
  if (has('throttles')) {
    note('throttled')
    return { say: 'throttled' }
  }
  if (has('success_unpaid')) {
    note('success')
    return { say: 'state', duplicate: false }
  }
  return undefined
}

/** Whether the key is decided. Until then a status query does not find it. */
export function isDecided(entry: Entry): boolean {
  return entry.result === 'success' || entry.result === 'failed' || entry.result === 'pending'
}

/** Continues pending payments after a restart. */
export function settlePending(ledger: Ledger, record: RecordEvent): void {
  for (const entry of ledger.entries.values()) {
    if (entry.result === 'pending') settleWhenDue(ledger, record, entry)
  }
}

function settleWhenDue(ledger: Ledger, record: RecordEvent, entry: Entry): void {
  const settle = () => {
    // The payment stays pending until the rule is removed. An honest agency settles it.
    if (ruleFor(ledger, 'pending_forever', entry, 'send')) return void setTimeout(settle, pendingMs).unref()
    if (!entry.phone.endsWith('06')) return execute(ledger, record, entry)
    record({ event: 'result', key: entry.key, result: 'failed', reason: 'recipient_unreachable', at: now() })
  }
  setTimeout(settle, Math.max(0, entry.due - Date.now())).unref()
}

function execute(ledger: Ledger, record: RecordEvent, entry: Entry, other?: Instruction): void {
  const { key } = entry
  const { amount, reference, phone } = other ?? entry
  const moved = { key, amount, fee: ledger.feeOf(amount), at: now() }
  record({ event: 'executed', ...moved, ...(other ? { reference, phone } : {}) })
  record({ event: 'result', key, result: 'success', reason: null, at: now() })
}

function now(): string {
  return new Date().toISOString()
}
