import type { Mismatch } from '../connectors/answer-check.ts'
import { type Outcome, refusedOnce } from '../connectors/connector.ts'
import { judgeFunds } from './funds-trial.ts'
import { type Draft, type Event, goesOn, haltAll, putBack, send } from './payment-state.ts'
import type { Claimed } from './payments.service.ts'

/** An agency without a valid answer for this long counts as unreachable. */
const unreachableMs = 6_000
/** An agency that refused a repeated order is queried after this time, so that it finds what it executed just before. */
const refusalDoubtedMs = 5_000
/**
 * An order is sent again only this soon after it was claimed for its query. A call takes 30 s at most, and a minute after
 * it was claimed, it may be claimed again and settled as not paid (Money 4.18).
 */
const repeatWithinMs = 25_000

export function takeAnswer(draft: Draft, event: Event & { kind: 'answered' }): void {
  const { payment, outcome, mismatch, now } = event
  callEnded(draft, payment)
  if (payment.asked) questionEnded(draft, payment)
  if (judgeFunds(draft, payment, outcome)) return
  noteReachability(draft, outcome, mismatch, now)
  writeFound(draft, payment, doubted(payment, outcome), mismatch)
}

/**
 * An agency may find an order late, and refuse it when it is repeated, for a limit that the order has used up itself. So a
 * refusal counts once the agency, queried after it, still has not found the order and refuses it again.
 */
function doubted(payment: Claimed, outcome: Outcome): Outcome {
  const certain = !payment.asked || wasTurnedAway(payment) || payment.reason === refusedOnce
  if (outcome.kind !== 'failed' || certain) return outcome
  return { kind: 'unknown', reason: refusedOnce, wait_ms: refusalDoubtedMs }
}

export function takeQueryAnswer(draft: Draft, event: Event & { kind: 'queried' }): void {
  const { payment, outcome, mismatch, now } = event
  draft.asking -= 1
  if (payment.first_asked === 'due' && takeFirstAnswer(draft, event)) return
  if (outcome.kind !== 'not_found') {
    questionEnded(draft, payment)
    noteReachability(draft, outcome, mismatch, now)
    // A query that hits the rate limit (429) says nothing about the order.
    const known =
      outcome.kind === 'not_sent' && payment.state === 'sending' && !wasTurnedAway(payment)
        ? ({ kind: 'processing', wait_ms: outcome.wait_ms, echo: {} } as const)
        : outcome
    writeFound(draft, payment, known, mismatch)
    return
  }
  noteReachable(draft)
  // What the agency turned away certainly was not executed. The database stops it if a person has to decide (Money 4.8).
  if (payment.settling && wasTurnedAway(payment)) {
    questionEnded(draft, payment)
    putBack(draft, payment)
    return
  }
  if (payment.settling) {
    questionEnded(draft, payment)
    const outcome = { kind: 'unknown', reason: 'not_found_settling' } as const
    draft.commands.push({ do: 'write', payment, outcome, mismatch: null })
    return
  }
  const inTime = now - (payment.looked_at ?? now) <= repeatWithinMs
  if (payment.repeatable && inTime && goesOn(draft, payment.group_id)) {
    send(draft, payment)
    return
  }
  questionEnded(draft, payment)
  if (payment.repeatable) putBack(draft, payment)
  else leaveToPerson(draft, payment)
}

/**
 * Handles the first query of a payment that only a lost database may have sent. If the agency does not have the
 * payment, it is sent normally; without an answer it is queried again. Returns false if the agency has it.
 */
function takeFirstAnswer(
  draft: Draft,
  { payment, outcome, mismatch, now }: Event & { kind: 'queried' },
): boolean {
  if (mismatch || outcome.kind === 'success' || outcome.kind === 'failed' || outcome.kind === 'processing')
    return false
  questionEnded(draft, payment)
  if (outcome.kind === 'not_found') noteReachable(draft)
  else noteReachability(draft, outcome, null, now)
  const found =
    outcome.kind === 'not_found'
      ? ({ kind: 'unsent' } as const)
      : ({ kind: 'not_sent', reason: 'asked_first', wait_ms: 2_000 } as const)
  draft.commands.push({ do: 'write', payment, outcome: found, mismatch: null })
  return true
}

/**
 * Leaves the payment unknown for a person. Sending it again could pay twice: it went to another address, its key may
 * have expired, or the agency reported it earlier.
 */
function leaveToPerson(draft: Draft, payment: Claimed): void {
  const where = payment.same_line ? 'not_found_too_late' : 'not_found_elsewhere'
  const reason = payment.first_asked === 'held' ? 'not_found_any_more' : where
  draft.commands.push({
    do: 'write',
    payment,
    outcome: { kind: 'unknown', reason },
    mismatch: { kind: 'not_found', expected: null, answered: reason },
  })
}

/** Any answer shows that the agency is reachable. */
function noteReachable(draft: Draft): void {
  draft.unknownInRow = 0
  draft.unreachableSince = null
}

function noteUnreachable(draft: Draft, now: number): void {
  draft.unreachableSince ??= now
  if (now - draft.unreachableSince >= unreachableMs) haltAll(draft, 'unreachable')
}

/**
 * Derives the state of the agency from an answer: whether it is reachable, throttles orders or refuses the credentials.
 */
function noteReachability(draft: Draft, outcome: Outcome, mismatch: Mismatch | null, now: number): void {
  if (outcome.kind === 'unknown') {
    draft.unknownInRow += 1
    // A mismatch shows that the agency is reachable. It still counts as unknown, so that sending pauses after many in a
    // row.
    if (!mismatch) noteUnreachable(draft, now)
    return
  }
  if (outcome.kind === 'unusable' && outcome.reason === 'unreachable') {
    draft.refused += 1
    draft.resumeAt = now + 200 * 2 ** Math.min(draft.refused, 4)
    noteUnreachable(draft, now)
    return
  }
  noteReachable(draft)
  draft.refused = 0
  draft.throttled = outcome.kind === 'not_sent' ? draft.throttled + 1 : 0
  // After one throttled order only that order waits. After several in a row all orders wait.
  if (outcome.kind === 'not_sent' && draft.throttled >= 3) draft.resumeAt = now + outcome.wait_ms
  if (outcome.kind === 'unusable' && outcome.reason === 'credentials') haltAll(draft, 'credentials')
}

/** The agency answered every order of this payment so far with 429 (rate limit), so none was executed. */
const wasTurnedAway = ({ state, reason }: Claimed) => state === 'sending' && reason === 'too_many_requests'

/** For a payment that was sent before, "could not be reached" or "too many requests" say nothing about its outcome. */
function writeFound(draft: Draft, payment: Claimed, outcome: Outcome, mismatch: Mismatch | null): void {
  const uncertain =
    payment.asked && (outcome.kind === 'unusable' || (outcome.kind === 'not_sent' && !wasTurnedAway(payment)))
  draft.commands.push({
    do: 'write',
    payment,
    outcome: uncertain
      ? {
          kind: 'unknown',
          reason: outcome.reason,
          ...(outcome.kind === 'not_sent' && { wait_ms: outcome.wait_ms }),
        }
      : outcome,
    mismatch,
  })
}

export function callEnded(draft: Draft, { group_id }: Claimed): void {
  draft.sending -= 1
  draft.ordersByRound = { ...draft.ordersByRound, [group_id]: (draft.ordersByRound[group_id] ?? 1) - 1 }
}

export function questionEnded(draft: Draft, { group_id }: Claimed): void {
  const left = draft.askFirst[group_id]
  if (left) draft.askFirst = { ...draft.askFirst, [group_id]: left - 1 }
}
