import { addressLimit } from '@portal/contracts/limits'
import { isForFrame } from '@portal/sdk/frames'
import { type BuildRef, readBuild } from '../builds.ts'
import { integrityFor, knowHash } from '../integrity.ts'
import type { FrameFault } from './protocol.ts'

/** The most requests of a frame. No module has so many files, so a frame that asks for more asks in a loop. */
const atMost = 400

/** A lost file is asked for once more, so many milliseconds later. */
const againAfter = 800

type Handlers = {
  onAsked: () => void
  /** A file did not come. */
  onLost: (path: string) => void
  /** The frame asks for too much, or for what is no file. */
  onFault: (fault: FrameFault) => void
}

/**
 * Answers a frame's requests for files with their text, or null where one did not come. The browser has them in its cache,
 * where a frame without an origin does not find them.
 */
export function giveFiles(port: MessagePort, of: BuildRef, { onAsked, onLost, onFault }: Handlers): void {
  let asked = 0
  port.onmessage = async (message: MessageEvent<unknown>) => {
    asked += 1
    if (asked > atMost) return onFault('noisy')
    const path = message.data
    if (typeof path !== 'string' || path.length > addressLimit) return onFault('strange')
    onAsked()
    // A module may name a style sheet that is not its own. The browser would not have fetched it either.
    if (!isForFrame(path, of)) return port.postMessage([path, null])
    const text = await textOf(path, of)
      .catch(() => pause(againAfter).then(() => textOf(path, of)))
      .catch(() => null)
    if (text === null) onLost(path)
    port.postMessage([path, text])
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function textOf(path: string, of: BuildRef): Promise<string> {
  const integrity = await hashOf(path, of)
  if (!integrity && !path.startsWith('/assets/')) throw new Error(`${path} is no file of the build.`)
  const answer = await fetch(path, integrity ? { integrity } : {})
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}.`)
  return answer.text()
}

/** The hash a file must have. The page itself names those of its first files. */
async function hashOf(path: string, of: BuildRef): Promise<string | undefined> {
  if (path === `${of.base}build.json`) return of.integrity
  if (path.startsWith('/assets/')) await knowHash(path)
  else await readBuild(of)
  return integrityFor(path)
}
