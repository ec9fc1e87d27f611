/** Where a rule applies: in responses to orders, to queries by key or by reference, or in the list and the statement. */
export const places = ['send', 'key', 'reference', 'list'] as const
export type Place = (typeof places)[number]

const asked: Place[] = ['key', 'reference']
const answered: Place[] = ['send', ...asked]

/** Every kind of misbehaviour, with the places where a rule applies by default. */
export const modes = {
  // The money moves as ordered, but the response is wrong.
  other_amount: answered,
  other_reference: answered,
  other_phone: answered,
  other_currency: answered,
  other_key: answered,
  repeated_id: answered,
  stale_answer: answered,
  fraction_fee: answered,
  nul_id: answered,
  wrong_types: answered,
  // The response is right but unreadable.
  not_json: answered,
  cut_body: answered,
  huge_body: answered,
  drip: answered,
  slow: answered,
  // The response differs from what the agency does.
  error_unpaid: ['send'],
  error_paid: ['send'],
  throttles: ['send'],
  failed_first: ['send'],
  failed_later: asked,
  success_unpaid: ['send'],
  pending_forever: ['send'],
  forgets: [...asked, 'list'],
  forgets_keys: ['send'],
  accepts_other_body: ['send'],
} satisfies { [mode: string]: Place[] }

export type Mode = keyof typeof modes

/** A rule: a mode and the payments it applies to. Without `percent` and `numbers` it applies to all. */
export type Rule = {
  mode: Mode
  /** A percentage of the keys, the same ones in every run. */
  percent?: number
  /** Last two digits of the recipient's number. */
  numbers?: string[]
  on?: Place[]
  /** How long `slow` waits, and how long `drip` waits before each byte. */
  ms?: number
}
