import { goneCheck } from '../kit/caller-gone.ts'
import { say } from '../kit/messages.ts'
import { Refusal } from '../kit/refusals.ts'

type Waiting = { isGone: () => boolean; begin: () => void; refuse: () => void }

/**
 * Returns a function that does `atOnce` works at a time. Further ones wait in a queue; a 503 refuses those for which it is
 * too long, and those whose caller has gone.
 */
export function inTurn(atOnce: number, longest: number) {
  let running = 0
  let queue: Waiting[] = []

  const dropGone = () => {
    const gone = queue.filter(({ isGone }) => isGone())
    queue = queue.filter((each) => !gone.includes(each))
    for (const { refuse } of gone) refuse()
  }
  const turn = () => {
    if (queue.length >= longest) dropGone()
    if (queue.length >= longest) throw busy()
    return new Promise<void>((begin, reject) => {
      queue.push({ isGone: goneCheck(), begin, refuse: () => reject(busy()) })
    })
  }
  const passOn = () => {
    dropGone()
    const next = queue.shift()
    if (next) next.begin()
    else running--
  }

  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running < atOnce) running++
    else await turn()
    try {
      return await work()
    } finally {
      passOn()
    }
  }
}

const busy = () => new Refusal(503, say.busyWriting, { headers: { 'retry-after': '30' } })
