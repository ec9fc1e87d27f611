import { expireSession } from '../../session/client.ts'
import type { BuildRef } from '../builds.ts'
import { lazyStates } from '../lazy-states.tsx'
import type { FromPortal } from './protocol.ts'
import { type Asked, sendFor, type Tell } from './send-for-frame.ts'

type Answer = Extract<FromPortal, { kind: 'answer' }>

/** Calls of one frame at the same time. */
const atOnce = 20

/** How many files are kept that a frame may still ask to be saved. */
const keptFiles = 3

/** Makes the calls of a module's frame, and keeps its last files. `tell` gets the progress of uploads. */
export function callsFor(of: BuildRef, tell: Tell) {
  /** A frame may give one id to several calls, so that it is no key. */
  const underWay = new Set<Pick<Asked, 'id' | 'method'> & { abort: AbortController }>()
  const files = new Map<number, Blob>()

  async function call(asked: Asked): Promise<Answer> {
    const { id, method } = asked
    const answer = (status: number, body: string | Blob = '', headers?: Headers): Answer => ({
      ...{ kind: 'answer', id, status, body },
      etag: headers?.get('etag') ?? null,
      disposition: headers?.get('content-disposition') ?? null,
    })
    if (underWay.size >= atOnce) return answer(429)
    const abort = new AbortController()
    const sending = { id, method, abort }
    underWay.add(sending)
    try {
      const refusal = await refusalOf(of, asked)
      if (refusal) return answer(403, JSON.stringify({ message: refusal }))
      const response = await sendFor(of, asked, abort.signal, tell)
      if (response.status === 401) expireSession(method)
      const body = isText(response) ? await response.text() : keep(files, id, await response.blob())
      return answer(response.status, body, response.headers)
    } catch {
      return answer(0)
    } finally {
      underWay.delete(sending)
    }
  }

  return {
    call,
    fileOf: (id: number) => files.get(id),
    abort(id: number) {
      for (const each of underWay) if (each.id === id) each.abort.abort()
    },
    /** Ends what is read for a frame that is gone. What it has sent to be saved goes on, as it does for a page that is left. */
    end() {
      for (const { method, abort } of underWay) if (method === 'GET') abort.abort()
    },
  }
}

/** What is not JSON is a file, which is passed on as it is. */
const isText = (response: Response) => /^application\/json/.test(response.headers.get('content-type') ?? '')

/** What the server knows of a live build, the page itself has to check of one from a developer's machine. */
async function refusalOf(of: BuildRef, { method, path }: Asked): Promise<string | null> {
  if (!of.override) return null
  const { refusalIfNotNamed } = await lazyStates.fetch()
  return refusalIfNotNamed(of, method, path)
}

function keep(files: Map<number, Blob>, id: number, file: Blob) {
  files.set(id, file)
  const [oldest] = files.keys()
  if (files.size > keptFiles && oldest !== undefined) files.delete(oldest)
  return file
}
