import type { Outcome } from '../../../src/transfers/connectors/connector.ts'
import type { Round } from '../../../src/transfers/engine/agency-lease.service.ts'
import { decide } from '../../../src/transfers/engine/payment-decision.ts'
import {
  type Command,
  type Event,
  newState,
  type State,
} from '../../../src/transfers/engine/payment-state.ts'
import type { Claimed } from '../../../src/transfers/engine/payments.service.ts'

const none = { account: null, bank: null, reason: null, first_asked: null, refused: [], trace: null }

let made = 0
export const payment = (group_id: number, fields: Partial<Claimed> = {}): Claimed => ({
  attempt_id: ++made,
  payroll_id: made,
  group_id,
  n: 1,
  key: `key-${made}`,
  reference: `reference-${made}`,
  phone: '+22370000010',
  name: 'Awa',
  amount: 10_500,
  state: 'sending',
  asked: false,
  same_line: true,
  repeatable: true,
  settling: false,
  ...none,
  ...fields,
})
export const asked = (group_id: number, fields: Partial<Claimed> = {}) =>
  payment(group_id, { state: 'unknown', asked: true, ...fields })
export const round = (group_id: number, pending = 100, may_send = true): Round => ({
  group_id,
  cohort_id: group_id * 10,
  may_send,
  pending,
})

/** A worker that holds the lease of an agency, with a simulated clock. */
export class Worker {
  state: State
  now = 0
  commands: Command[] = []
  constructor(...rounds: Round[]) {
    this.state = newState({ slots: 4, rate: null, rounds, askFirst: {}, nextQuestionAt: null })
  }
  on(event: { [K in Event['kind']]: Omit<Extract<Event, { kind: K }>, 'now'> }[Event['kind']]) {
    const { state, commands } = decide(this.state, { ...event, now: this.now } as Event)
    this.state = state
    this.commands = commands
    return commands
  }
  claimed = (group_id: number, payments: Claimed[]) => this.on({ kind: 'claimed', group_id, payments })
  answer = (of: Claimed, outcome: Outcome) =>
    this.on({ kind: 'answered', payment: of, outcome, mismatch: null })
  queried = (of: Claimed, outcome: Outcome | { kind: 'not_found' }) =>
    this.on({ kind: 'queried', payment: of, outcome, mismatch: null })
  renewed = (...rounds: Round[]) => this.on({ kind: 'renewed', rounds, next_question_ms: null })
  found = (...questions: Claimed[]) => this.on({ kind: 'found', questions })
  did = <D extends Command['do']>(what: D) =>
    this.commands.filter((command): command is Extract<Command, { do: D }> => command.do === what)
  sent = () => this.did('send').map((command) => command.payment)
}
