import type { Outcome } from '../connectors/connector.ts'
import { canSend, type Draft, endTrial, halt, putBack, send, setTrial } from './payment-state.ts'
import type { Claimed } from './payments.service.ts'

/**
 * "The paying account is empty" may concern one recipient only. The refused order is sent again alone, then another
 * order of the round. Only if both are refused is the cohort halted. Returns true if nothing else is to be done.
 */
export function judgeFunds(draft: Draft, payment: Claimed, outcome: Outcome): boolean {
  const trial = draft.trials.find(({ group_id }) => group_id === payment.group_id)
  const wasAlone = trial?.alone === true && trial.suspect?.attempt_id === payment.attempt_id
  if (outcome.kind !== 'unusable' || outcome.reason !== 'funds') {
    if (wasAlone) endTrial(draft, payment.group_id)
    return false
  }
  if (payment.asked) {
    // The order was sent before, so it stays unknown. Another order shows whether the account is empty.
    if (!trial)
      setTrial(draft, { group_id: payment.group_id, suspect: null, alone: false, strikes: 1, waits: false })
    const unknown = { kind: 'unknown', reason: 'funds' } as const
    draft.commands.push({ do: 'write', payment, outcome: unknown, mismatch: null })
    return true
  }
  if (!trial) {
    setTrial(draft, { group_id: payment.group_id, suspect: payment, alone: false, strikes: 0, waits: false })
    return true
  }
  if (!wasAlone) {
    putBack(draft, payment)
    return true
  }
  // From now on the other payments of the round are sent before this one, also after Retry.
  draft.commands.push({ do: 'write', payment, outcome, mismatch: null })
  if (trial.strikes === 0) setTrial(draft, { ...trial, suspect: null, alone: false, strikes: 1 })
  else {
    endTrial(draft, payment.group_id)
    halt(draft, payment.group_id, 'funds')
  }
  return true
}

/**
 * Ends the trials that found no other order to send. If the round may still be sent and has no pending payment, the
 * account is empty. If it may not, because of a hold or a stopped cohort, the trial ends without a result.
 */
export function judgeWaiting(draft: Draft): void {
  for (const trial of draft.trials.filter(({ waits }) => waits)) {
    const round = draft.rounds.find(({ group_id }) => group_id === trial.group_id)
    if (round && round.pending > 0) setTrial(draft, { ...trial, waits: false })
    else {
      endTrial(draft, trial.group_id)
      halt(draft, trial.group_id, 'funds')
    }
  }
}

/**
 * Starts the next step of each trial. A trial waits for the running calls of its round, which end by their timeout, but
 * not for pending payments.
 */
export function planTrials(draft: Draft, now: number): void {
  for (const trial of draft.trials) {
    if (trial.alone || trial.waits || (draft.ordersByRound[trial.group_id] ?? 0) > 0) continue
    if (trial.suspect && canSend(draft, now)) {
      setTrial(draft, { ...trial, alone: true })
      send(draft, trial.suspect)
    } else if (!trial.suspect && !draft.claiming) {
      draft.claiming = true
      draft.commands.push({ do: 'claim', group_id: trial.group_id, limit: 1 })
    }
  }
}
