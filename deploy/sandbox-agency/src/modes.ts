/** Where a rule applies: the answer to an order, to a question by key or by reference, or the list and the statement. */
export const places = ['send', 'key', 'reference', 'list'] as const
export type Place = (typeof places)[number]

const asked: Place[] = ['key', 'reference']
const answered: Place[] = ['send', ...asked]

/** Every way to misbehave, with the places where a rule applies unless it names its own. */
export const modes = {
  // The money moves as ordered; the answer is wrong.
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
  // The answer is right but unreadable.
  not_json: answered,
  cut_body: answered,
  huge_body: answered,
  drip: answered,
  slow: answered,
  // The agency says one thing and does another.
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

/** One rule: the mode, and the payments it is for. Without `percent` and `numbers` it is for all of them. */
export type Rule = {
  mode: Mode
  /** A share of the keys, the same in every run. */
  percent?: number
  /** Last two digits of the recipient's number. */
  numbers?: string[]
  on?: Place[]
  /** How long `slow` waits, and how long `drip` waits before each byte. */
  ms?: number
}
