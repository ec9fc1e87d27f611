/** Calls at the same time. A slow line carries few, and a frame may make twenty, also for its list. */
const atOnce = 4

let underWay = 0
const waiting: (() => void)[] = []

/** Makes calls one after the other as soon as some are under way. One that is no longer wanted gives its turn away. */
export async function inTurn<Answer>(signal: AbortSignal, call: () => Promise<Answer>): Promise<Answer> {
  if (underWay >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  else underWay += 1
  try {
    signal.throwIfAborted()
    return await call()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else underWay -= 1
  }
}
