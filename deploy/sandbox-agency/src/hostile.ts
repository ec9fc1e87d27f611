import { createHash } from 'node:crypto'
import type { Entry, Ledger } from './ledger.ts'
import { type Mode, modes, type Place, type Rule } from './modes.ts'

/** The rule of this mode that applies to a payment at a place, if there is one. */
export function ruleFor(
  ledger: Ledger,
  mode: Mode,
  entry: { key: string; phone: string },
  place: Place,
): Rule | undefined {
  return ledger.settings.hostile.find(
    (rule) =>
      rule.mode === mode &&
      (rule.on ?? (modes[mode] as Place[])).includes(place) &&
      (rule.numbers?.includes(entry.phone.slice(-2)) ?? true) &&
      (rule.percent === undefined || isChosen(`${mode} ${entry.key}`, rule.percent)),
  )
}

/** Whether a text is among a percentage. It is decided by a hash, so the same texts are chosen in every run. */
export function isChosen(text: string, percent: number): boolean {
  if (percent <= 0) return false
  return createHash('sha256').update(text).digest().readUInt32BE() < (percent / 100) * 2 ** 32
}

type Reported = { [name: string]: unknown }

/** The agency's response about a payment at a place. It is the truth unless a rule changes it. */
export function bend(
  ledger: Ledger,
  entry: Entry,
  place: Place,
  truth: Reported,
  truthOf: (entry: Entry) => Reported,
): Reported {
  const has = (mode: Mode) => ruleFor(ledger, mode, entry, place) !== undefined
  const other = ledger.oldestBut(entry)
  if (has('stale_answer') && other) return truthOf(other)
  const response = { ...truth }
  if (has('other_amount')) response.amount = entry.amount * 10
  if (has('other_reference')) response.reference = `${entry.reference}-of-somebody-else`
  if (has('other_phone'))
    response.phone = `${entry.phone.slice(0, -2)}${entry.phone.endsWith('77') ? '78' : '77'}`
  if (has('other_currency')) response.currency = 'EUR'
  if (has('other_key')) response.key = `${entry.key}-of-somebody-else`
  if (has('repeated_id') && other) response.id = other.id
  if (has('fraction_fee')) response.fee = entry.fee + 0.5
  if (has('nul_id')) response.id = `${entry.id}\u0000`
  if (has('wrong_types'))
    Object.assign(response, { id: [entry.id], amount: `${entry.amount}`, fee: {}, reference: 7 })
  if (response.status === 'success' && (has('failed_first') || has('failed_later'))) {
    Object.assign(response, { status: 'failed', reason: 'recipient_unreachable', fee: 0 })
  }
  return response
}

/** How the bytes of a response are sent. */
export type Wire = { how: 'whole' | 'not_json' | 'cut_body' | 'huge_body' | 'drip'; ms: number }

const dripMs = 1_000

export function wireFor(ledger: Ledger, entry: Entry, place: Place): Wire {
  for (const how of ['not_json', 'cut_body', 'huge_body', 'drip'] as const) {
    const rule = ruleFor(ledger, how, entry, place)
    if (rule) return { how, ms: rule.ms ?? dripMs }
  }
  return { how: 'whole', ms: 0 }
}
