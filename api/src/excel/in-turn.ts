import pLimit from 'p-limit'
import { goneCheck } from '../kit/http/caller-gone.ts'
import { say } from '../kit/http/messages.ts'
import { Refusal } from '../kit/http/refusals.ts'

/**
 * Returns a function that does `atOnce` works at a time. Others wait in a queue of at most `longest`. A work is refused with
 * 503 when the queue is full, or when its caller has gone before its turn.
 */
export function inTurn(atOnce: number, longest: number) {
  const limit = pLimit(atOnce)
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (limit.pendingCount >= longest) throw busy()
    const isGone = goneCheck()
    return limit(() => {
      if (isGone()) throw busy()
      return work()
    })
  }
}

const busy = () => new Refusal(503, say.busyWriting, { code: 'queue_full', headers: { 'retry-after': '30' } })
