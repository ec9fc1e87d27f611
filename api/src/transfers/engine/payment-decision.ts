import type { Round } from './agency-lease.service.ts'
import { judgeWaiting, planTrials } from './funds-trial.ts'
import { callEnded, questionEnded, takeAnswer, takeQueryAnswer } from './payment-answers.ts'
import {
  type Command,
  canSend,
  type Draft,
  type Event,
  endTrial,
  freeSlots,
  goesOn,
  maySend,
  putBack,
  type State,
  send,
  setTrial,
  unknownAtMost,
} from './payment-state.ts'
import type { Claimed } from './payments.service.ts'

/**
 * Milliseconds between two looks for due queries. The worker keeps the lease if a query is due within twice this time.
 */
const lookMs = 500

/**
 * Decides the next steps. It is a pure function: time, answers and rows come as events, calls and writes are commands.
 */
export function decide(state: State, event: Event): { state: State; commands: Command[] } {
  if (state.phase === 'lost' || state.phase === 'left') return { state, commands: [] }
  const draft: Draft = { ...state, commands: [] }
  take(draft, event)
  if (draft.phase === 'working') plan(draft, event.now)
  else if (draft.phase === 'leaving') planLeaving(draft)
  const { commands, ...next } = draft
  return { state: next, commands: next.phase === 'lost' ? [] : commands }
}

function take(draft: Draft, event: Event): void {
  switch (event.kind) {
    case 'tick':
      break
    case 'renewed':
      draft.rounds = event.rounds
      draft.nextQuestionAt = event.next_question_ms === null ? null : event.now + event.next_question_ms
      judgeWaiting(draft)
      break
    case 'claimed':
      takeClaimed(draft, event)
      break
    case 'found':
      draft.reading = false
      draft.questions = [
        ...draft.questions,
        ...event.questions.map((question) => ({ ...question, looked_at: draft.lookedAt })),
      ]
      draft.readAt = event.now + (event.questions.length > 0 ? 0 : lookMs)
      break
    case 'answered':
      takeAnswer(draft, event)
      break
    case 'queried':
      takeQueryAnswer(draft, event)
      break
    case 'withheld':
      takeWithheld(draft, event)
      break
    case 'leave':
      draft.phase = 'leaving'
      break
    case 'lost':
      draft.phase = 'lost'
      break
    default:
      event satisfies never
  }
}

function takeWithheld(draft: Draft, { payment, now }: Event & { kind: 'withheld' }): void {
  callEnded(draft, payment)
  if (payment.asked) questionEnded(draft, payment)
  else endTrial(draft, payment.group_id)
  draft.resumeAt = Math.max(draft.resumeAt, now + 200)
  putBack(draft, payment)
}

function takeClaimed(draft: Draft, { group_id: groupId, payments, now }: Event & { kind: 'claimed' }): void {
  draft.claiming = false
  const trial = draft.trials.find(({ group_id }) => group_id === groupId)
  if (trial) {
    const probe = trial.suspect ? undefined : payments[0]
    for (const payment of payments) if (payment !== probe) putBack(draft, payment)
    if (probe) setTrial(draft, { ...trial, suspect: probe })
    else if (!trial.suspect) setTrial(draft, { ...trial, waits: true })
    return
  }
  draft.queue = [...draft.queue, ...payments]
  if (payments.length === 0) noneToSend(draft, groupId, now)
}

/**
 * No payment was claimed although some are pending: the cohort was just stopped, or all must be queried first. The next
 * renewal says so.
 */
function noneToSend(draft: Draft, groupId: number, now: number): void {
  draft.rounds = draft.rounds.map((round) => (round.group_id === groupId ? { ...round, pending: 0 } : round))
  draft.readAt = now
  draft.nextQuestionAt = now
}

function plan(draft: Draft, now: number): void {
  const going = new Set(draft.rounds.map(({ group_id }) => group_id).filter((id) => goesOn(draft, id)))
  withdraw(draft, (payment) => going.has(payment.group_id))
  for (const { group_id, suspect, alone } of draft.trials) {
    if (alone || maySend(draft, group_id)) continue
    if (suspect) putBack(draft, suspect)
    endTrial(draft, group_id)
  }
  planQuestions(draft, now)
  planTrials(draft, now)
  planOrders(draft, now)
  if (isIdle(draft) && !draft.reading && nothingSoon(draft, now)) release(draft)
}

/** Returns queued payments to the database, except those to keep. */
function withdraw(draft: Draft, stays: (payment: Claimed) => boolean): void {
  if (draft.queue.every(stays)) return
  for (const payment of draft.queue) if (!stays(payment)) putBack(draft, payment)
  draft.queue = draft.queue.filter(stays)
}

/** Queries come first. While orders wait, queries use at most half of the slots. */
function planQuestions(draft: Draft, now: number): void {
  const busy = draft.queue.length > 0 || nextRound(draft) !== null
  const most = busy ? Math.ceil(draft.slots / 2) : draft.slots
  while (draft.questions.length > 0 && draft.asking < most && freeSlots(draft) > 0) {
    const [payment, ...rest] = draft.questions as [Claimed, ...Claimed[]]
    draft.questions = rest
    draft.asking += 1
    draft.commands.push({ do: 'ask', payment })
  }
  if (draft.reading || draft.questions.length > 0 || now < draft.readAt) return
  draft.reading = true
  draft.lookedAt = now
  draft.commands.push({ do: 'look', limit: draft.slots })
}

function planOrders(draft: Draft, now: number): void {
  let next = 0
  for (; next < draft.queue.length && canSend(draft, now); next++) {
    send(draft, draft.queue[next] as Claimed)
    if (draft.rate) draft.resumeAt = Math.max(draft.resumeAt, now) + 1000 / draft.rate
  }
  if (next > 0) draft.queue = draft.queue.slice(next)
  if (draft.claiming || draft.queue.length >= 2 * draft.slots || now < draft.resumeAt) return
  const round = nextRound(draft)
  if (!round || draft.unknownInRow >= unknownAtMost) return
  draft.turn += 1
  draft.claiming = true
  draft.commands.push({
    do: 'claim',
    group_id: round.group_id,
    limit: 4 * draft.slots - draft.queue.length,
  })
}

/** The rounds take turns (round robin), so that none waits for the end of another. */
function nextRound(draft: Draft): Round | null {
  const ready = draft.rounds.filter(
    ({ group_id, pending }) => pending > 0 && goesOn(draft, group_id) && !draft.askFirst[group_id],
  )
  return ready[draft.turn % ready.length] ?? null
}

function isIdle(draft: Draft): boolean {
  const { queue, questions, sending, asking, claiming, trials } = draft
  return (
    queue.length + questions.length + sending + asking + trials.length === 0 &&
    !claiming &&
    nextRound(draft) === null
  )
}

/** The worker keeps the lease of a silent agency, in order to know how long it has been silent. */
function nothingSoon(draft: Draft, now: number): boolean {
  if (draft.unreachableSince !== null && draft.rounds.some(({ group_id }) => maySend(draft, group_id)))
    return false
  return draft.nextQuestionAt === null || draft.nextQuestionAt > now + 2 * lookMs
}

/** Before the worker leaves it returns all payments and waits for running calls. */
function planLeaving(draft: Draft): void {
  withdraw(draft, () => false)
  for (const { suspect, alone } of draft.trials) if (suspect && !alone) putBack(draft, suspect)
  draft.trials = draft.trials.filter(({ alone }) => alone)
  draft.questions = []
  if (draft.sending + draft.asking === 0 && !draft.claiming && !draft.reading) release(draft)
}

function release(draft: Draft): void {
  draft.phase = 'left'
  draft.commands.push({ do: 'release' })
}
