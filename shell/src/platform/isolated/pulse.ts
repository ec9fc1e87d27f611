import type { FrameFault } from './protocol.ts'

const pingEvery = 3_000
/**
 * A frame that leaves this many pings without an answer has hung. Pings are counted, and not time: while the browser asks whether
 * to leave, no timer runs. Starting may take longer, on a slow line.
 */
const hungAfter = 3
const notStartedAfter = 13
/** How many pings after its load a frame may take to ask for its first file. Its first script does so at once. */
const asksAfter = 1
/** The most messages of a frame in three rounds of pings, which are nine seconds. */
const atMost = 400

/** Pings a frame. Calls `giveUp` if it does not start, does not answer, or sends too many messages. */
export function takePulse(ping: () => void, giveUp: (fault: FrameFault) => void) {
  let unanswered = hungAfter - notStartedAfter
  let messages = 0
  let isReady = false
  let isLoaded = false
  /** Pings since its page was loaded. */
  let waited = 0
  /** Whether it has asked for a file. The page of a proxy, or of an error, does not. */
  let isAsked = false
  let rounds = 0

  const pings = setInterval(() => {
    rounds += 1
    if (rounds % 3 === 0) messages = 0
    // A tab in the background is not asked: its timers and those of the frame are slowed down.
    if (document.hidden) unanswered = Math.min(unanswered, 0)
    if (unanswered >= hungAfter) return giveUp('silent')
    unanswered += 1
    if (isLoaded && !document.hidden) waited += 1
    if (waited > asksAfter && !isAsked && !isReady) return giveUp('unreachable')
    ping()
  }, pingEvery)

  return {
    /** The frame's page was loaded. */
    loaded: () => (isLoaded = true),
    /** The frame asks for a file. */
    asked: () => (isAsked = true),
    /** A file of the frame did not come. Without its program it will never answer. */
    lost: () => isReady || giveUp('unreachable'),
    /** The frame's program runs. */
    ready: () => (isReady = true),
    /** Counts a message. False: they are too many. */
    heard() {
      unanswered = 0
      messages += 1
      if (messages > atMost) giveUp('noisy')
      return messages <= atMost
    },
    end: () => clearInterval(pings),
  }
}
