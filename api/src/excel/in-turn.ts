import pLimit from 'p-limit'
import { goneCheck } from '../kit/caller-gone.ts'
import { say } from '../kit/messages.ts'
import { Refusal } from '../kit/refusals.ts'

/**
 * Returns a function that does `atOnce` works at a time. Further ones wait in a queue; a 503 refuses those for which it is
 * too long, and those whose caller has gone by their turn.
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
