import { isForFrame } from '@portal/sdk/frames'
import { type BuildRef, readBuild } from '../builds.ts'
import { integrityFor, knowHash } from '../integrity.ts'

/** More than any module has: a frame that asks for more asks in a loop. */
const atMost = 400

/**
 * Answers a frame's requests for files with their text, or null where one did not come. The browser has them in its cache,
 * where a frame without an origin does not find them. `onLost` is told of those that did not come.
 */
export function giveFiles(port: MessagePort, of: BuildRef, onLost: (path: string) => void): void {
  let asked = 0
  port.onmessage = async ({ data: path }: MessageEvent<unknown>) => {
    asked += 1
    if (asked > atMost || typeof path !== 'string' || !isForFrame(path, of)) return
    const text = await textOf(path, of).catch(() => null)
    if (text === null) onLost(path)
    port.postMessage([path, text])
  }
}

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
