import type { Pool } from 'pg'
import { checkAnswer } from './answer-check.ts'
import type { AgencyAccess, Connector, Outcome } from './connectors/connector.ts'
import { adoptSending, askSoon, type Claimed, claimPayments, claimQuestions } from './payments.service.ts'
import { type Lease, LeaseLost, releaseLease, renewLease } from './round-lease.service.ts'
import { type Settled, settlePayments } from './settlement.service.ts'

/** Why a round cannot go on at all: it puts the cohort in error (decisions 4.6). */
export type Halt = 'unreachable' | 'credentials' | 'funds'
/** How the worker's hold on the round ended. */
export type RoundEnd = { end: 'settled' | 'paused' | 'lost' | 'closing' } | { end: 'halted'; reason: Halt }

type Work = {
  pool: Pool
  lease: Lease
  agency: AgencyAccess
  connector: Connector
  /** Orders on the line at once. */
  concurrency: number
  /** Aborted when the process is asked to stop. */
  closing: AbortSignal
}

const heartbeatMs = 300
const flushAtMost = 500
/** After so many calls in a row that may have been executed nothing more is sent: what became of those is asked first. */
const silentAtMost = 20
/** An agency that has answered nothing sensible for this long counts as unreachable. */
const deafMs = 6_000

/** Pays one round under its lease until nothing is left to send or ask, it is stopped, or the agency cannot be used. */
export async function payRound({
  pool,
  lease,
  agency,
  connector,
  concurrency,
  closing,
}: Work): Promise<RoundEnd> {
  const queue: Claimed[] = []
  const found: Settled[] = []
  const running = new Set<Promise<unknown>>()
  let onTheLine = 0
  let maySend = false
  let left = { pending: 1, open: 0 }
  let asked = false
  let askAt = 0
  let halt: Halt | null = null
  let failure: unknown = null
  let silent = 0
  let deafSince: number | null = null
  let refused = 0
  let throttled = 0
  let resumeAt = 0
  let wake = () => {}

  /** Starts something that goes on beside the loop; what it throws ends the round. */
  const start = (task: Promise<unknown>) => {
    const watched = task
      .catch((error: unknown) => {
        failure ??= error
      })
      .finally(() => {
        running.delete(watched)
        wake()
      })
    running.add(watched)
  }

  /** Any word of the agency's shows that it is there. */
  const heard = () => {
    silent = 0
    deafSince = null
  }

  const unheard = () => {
    deafSince ??= Date.now()
    if (maySend && Date.now() - deafSince >= deafMs) halt ??= 'unreachable'
  }

  const learn = (claimed: Claimed, answer: Outcome, first: boolean) => {
    const { outcome, mismatch } = checkAnswer(claimed, answer)
    if (outcome.kind === 'unknown') {
      silent += 1
      unheard()
    } else if (outcome.kind === 'unusable' && outcome.reason === 'unreachable') {
      unheard()
      refused += 1
      resumeAt = Date.now() + 200 * 2 ** Math.min(refused, 4)
    } else {
      heard()
      refused = 0
      throttled = outcome.kind === 'not_sent' ? throttled + 1 : 0
      // One throttled order waits by itself; several in a row are meant for all of them.
      if (outcome.kind === 'not_sent' && throttled >= 3) resumeAt = Date.now() + outcome.wait_ms
      if (outcome.kind === 'unusable' && maySend) halt ??= outcome.reason
    }
    // Asked about, it was once sent: "could not be reached" says nothing of what became of it.
    const uncertain =
      !first && (outcome.kind === 'unusable' || (outcome.kind === 'not_sent' && claimed.state === 'unknown'))
    found.push({
      payment: claimed,
      outcome: uncertain ? { kind: 'unknown', reason: outcome.reason } : outcome,
      mismatch,
    })
  }

  const send = async (claimed: Claimed) => {
    onTheLine += 1
    try {
      learn(claimed, await connector.send(agency, claimed), true)
    } finally {
      onTheLine -= 1
    }
  }

  const ask = async (claimed: Claimed) => {
    const answer = await connector.ask(agency, claimed)
    if (answer.kind !== 'not_found') return learn(claimed, answer, false)
    heard()
    if (maySend && !halt) return learn(claimed, await connector.send(agency, claimed), false)
    const outcome =
      claimed.state === 'sending'
        ? ({ kind: 'unsent' } as const)
        : ({ kind: 'unknown', reason: 'not_found' } as const)
    found.push({ payment: claimed, outcome, mismatch: null })
  }

  const askAll = async () => {
    for (;;) {
      const questions = await claimQuestions(pool, lease, concurrency)
      if (questions.length === 0) break
      await Promise.all(questions.map(ask))
      await flush()
    }
    asked = true
  }

  const flush = async () => {
    while (found.length > 0) await settlePayments(pool, lease, found.splice(0, flushAtMost))
  }

  const beat = async () => {
    const state = await renewLease(pool, lease)
    if (!state) throw new LeaseLost(`round ${lease.group_id} was taken over`)
    // Whoever retries or resumes first hears what became of what was sent before (decisions 4.6).
    if (state.may_send && !maySend) {
      asked = false
      askAt = 0
      await askSoon(pool, lease)
    }
    maySend = state.may_send
    left = state
  }

  const claim = async () => {
    const claimed = await claimPayments(pool, lease, 4 * concurrency - queue.length)
    // None although some are pending: the cohort was stopped a moment ago; the next beat says so.
    if (claimed.length === 0) left = { ...left, pending: 0 }
    queue.push(...claimed)
  }

  let claiming = false
  let flushing = false
  let asking = false
  let beating = false
  let beatAt = 0
  const once = (task: Promise<unknown>, done: () => void) => start(task.finally(done))

  try {
    await beat()
    await adoptSending(pool, lease)
    for (;;) {
      if (failure) throw failure
      const now = Date.now()
      const sending = maySend && asked && !halt && !closing.aborted
      if (!sending && queue.length > 0) {
        for (const claimed of queue.splice(0))
          found.push({ payment: claimed, outcome: { kind: 'unsent' }, mismatch: null })
      }
      while (
        sending &&
        silent < silentAtMost &&
        now >= resumeAt &&
        onTheLine < concurrency &&
        queue.length > 0
      )
        start(send(queue.shift() as Claimed))
      if (!flushing && found.length > 0) {
        flushing = true
        once(flush(), () => {
          flushing = false
        })
      }
      if (!claiming && sending && left.pending > 0 && queue.length < 2 * concurrency) {
        claiming = true
        once(claim(), () => {
          claiming = false
        })
      }
      if (!asking && now >= askAt && !closing.aborted) {
        asking = true
        askAt = now + 500
        once(askAll(), () => {
          asking = false
        })
      }
      if (!beating && now >= beatAt) {
        beating = true
        beatAt = now + heartbeatMs
        once(beat(), () => {
          beating = false
        })
      }
      const idle =
        onTheLine === 0 && queue.length === 0 && found.length === 0 && !claiming && !flushing && !asking
      if (idle && (asked || closing.aborted)) {
        await Promise.all(running)
        if (failure) throw failure
        await beat()
        if (halt) return { end: 'halted', reason: halt }
        if (closing.aborted) return { end: 'closing' }
        if (left.open === 0 && (left.pending === 0 || !maySend))
          return { end: left.pending === 0 ? 'settled' : 'paused' }
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 50)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  } catch (error) {
    // What is still on the line is settled by whoever holds the round next.
    await Promise.allSettled(running)
    if (error instanceof LeaseLost) return { end: 'lost' }
    throw error
  } finally {
    await releaseLease(pool, lease).catch(() => {})
  }
}
