import type { Mismatch } from '../connectors/answer-check.ts'
import type { Outcome } from '../connectors/connector.ts'
import type { Round } from './agency-lease.service.ts'
import type { Claimed } from './payments.service.ts'

/** Why a round cannot continue. The cohort is put into error (Money 5.4). */
export type Halt = 'unreachable' | 'credentials' | 'funds'

/** The account counted as empty for one recipient. That order is sent again alone, then another one, before a halt. */
export type Trial = {
  group_id: number
  /** Claimed, to be sent alone; null while another order is being claimed. */
  suspect: Claimed | null
  /** The suspected order is in flight, alone. */
  alone: boolean
  strikes: number
  /** No order could be claimed. The next renewal of the lease says whether there is one. */
  waits: boolean
}

/**
 * The state of a worker while it has the lease of an agency. It may be lost, because everything that matters is in the
 * database.
 */
export type State = {
  /** Concurrent calls, and orders per second (null: no limit). */
  slots: number
  rate: number | null
  rounds: readonly Round[]
  /** When the next query is due; null if nothing is open. */
  nextQuestionAt: number | null
  /** Unknown payments of a round that must be queried before more of it is sent. */
  askFirst: Readonly<Record<number, number>>
  /** Committed as `sending`, not yet sent. */
  queue: readonly Claimed[]
  /** Claimed, to be queried. */
  questions: readonly Claimed[]
  /** Running calls: orders and queries, and the orders by round. */
  sending: number
  asking: number
  ordersByRound: Readonly<Record<number, number>>
  claiming: boolean
  reading: boolean
  readAt: number
  /** When the latest look for due queries began. */
  lookedAt: number
  /** The round to claim from next. The rounds take turns. */
  turn: number
  trials: readonly Trial[]
  halted: readonly number[]
  /** Number of consecutive calls with an unknown outcome, and the time since the last valid answer. */
  unknownInRow: number
  unreachableSince: number | null
  refused: number
  throttled: number
  resumeAt: number
  phase: 'working' | 'leaving' | 'left' | 'lost'
}

/** An event. `now` is the time of a monotonic clock in milliseconds. */
export type Event = { now: number } & (
  | { kind: 'tick' }
  | { kind: 'renewed'; rounds: readonly Round[]; next_question_ms: number | null }
  | { kind: 'claimed'; group_id: number; payments: readonly Claimed[] }
  | { kind: 'found'; questions: readonly Claimed[] }
  | { kind: 'answered'; payment: Claimed; outcome: Outcome; mismatch: Mismatch | null }
  | { kind: 'queried'; payment: Claimed; outcome: Outcome | { kind: 'not_found' }; mismatch: Mismatch | null }
  /** The lease was too close to its end to send. */
  | { kind: 'withheld'; payment: Claimed }
  /** The process should stop, or the connection must be opened again. */
  | { kind: 'leave' }
  | { kind: 'lost' }
)

export type Command =
  | { do: 'claim'; group_id: number; limit: number }
  | { do: 'look'; limit: number }
  | { do: 'send'; payment: Claimed }
  | { do: 'ask'; payment: Claimed }
  | { do: 'write'; payment: Claimed; outcome: Outcome | { kind: 'unsent' }; mismatch: Mismatch | null }
  | { do: 'halt'; cohort_id: number; reason: Halt }
  | { do: 'release' }

/** The next state under construction, with its commands. */
export type Draft = { -readonly [K in keyof State]: State[K] } & { commands: Command[] }

/** After this many consecutive unknown outcomes nothing more is sent before they have been queried. */
export const unknownAtMost = 20

export function newState(
  terms: Pick<State, 'slots' | 'rate' | 'rounds' | 'askFirst' | 'nextQuestionAt'>,
): State {
  return {
    ...terms,
    queue: [],
    questions: [],
    sending: 0,
    asking: 0,
    ordersByRound: {},
    claiming: false,
    reading: false,
    readAt: 0,
    lookedAt: 0,
    turn: 0,
    trials: [],
    halted: [],
    unknownInRow: 0,
    unreachableSince: null,
    refused: 0,
    throttled: 0,
    resumeAt: 0,
    phase: 'working',
  }
}

/**
 * Returns a claimed payment to the database. It becomes pending only if it was certainly not executed, otherwise
 * unknown.
 */
export function putBack(draft: Draft, payment: Claimed): void {
  const throttled = payment.reason === 'too_many_requests'
  const certain = payment.state === 'sending' && (throttled || !payment.asked)
  draft.commands.push({
    do: 'write',
    payment,
    outcome: certain ? { kind: 'unsent' } : { kind: 'unknown', reason: 'not_found' },
    mismatch: null,
  })
}

export function send(draft: Draft, payment: Claimed): void {
  draft.sending += 1
  const out = draft.ordersByRound[payment.group_id] ?? 0
  draft.ordersByRound = { ...draft.ordersByRound, [payment.group_id]: out + 1 }
  draft.commands.push({ do: 'send', payment })
}

export function setTrial(draft: Draft, trial: Trial): void {
  endTrial(draft, trial.group_id)
  draft.trials = [...draft.trials, trial]
}

export function endTrial(draft: Draft, groupId: number): void {
  draft.trials = draft.trials.filter(({ group_id }) => group_id !== groupId)
}

const onTrial = (draft: Draft, groupId: number) => draft.trials.some(({ group_id }) => group_id === groupId)

export function halt(draft: Draft, groupId: number, reason: Halt): void {
  const round = draft.rounds.find(({ group_id }) => group_id === groupId)
  if (!round || !maySend(draft, groupId)) return
  draft.halted = [...draft.halted, groupId]
  draft.commands.push({ do: 'halt', cohort_id: round.cohort_id, reason })
}

export function haltAll(draft: Draft, reason: Halt): void {
  for (const { group_id } of draft.rounds) halt(draft, group_id, reason)
}

export function maySend(draft: Draft, groupId: number): boolean {
  if (draft.phase !== 'working' || draft.halted.includes(groupId)) return false
  return draft.rounds.some((round) => round.group_id === groupId && round.may_send)
}

export const freeSlots = (draft: Draft) => draft.slots - draft.sending - draft.asking
export const canSend = (draft: Draft, now: number) =>
  freeSlots(draft) > 0 && now >= draft.resumeAt && draft.unknownInRow < unknownAtMost

/** Whether the round may send its orders normally, without a trial. */
export const goesOn = (draft: Draft, groupId: number) => maySend(draft, groupId) && !onTrial(draft, groupId)
