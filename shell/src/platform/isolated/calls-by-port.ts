import type { FromFrame, FromPortal } from './protocol.ts'

type Answer = Extract<FromPortal, { kind: 'answer' }>

/** Sends the calls of this frame to the portal instead of into the network, where nobody would answer them. */
export function callByPort(send: (message: FromFrame) => void) {
  const waiting = new Map<number, (answer: Answer) => void>()
  let last = 0
  const outside = globalThis.fetch

  globalThis.fetch = async (input, init = {}) => {
    const address = String(input)
    if (!address.startsWith('/api/')) return outside(input, init)
    const headers = new Headers(init.headers)
    last += 1
    const id = last
    const answer = await new Promise<Answer>((resolve, reject) => {
      waiting.set(id, resolve)
      init.signal?.addEventListener('abort', () => {
        waiting.delete(id)
        reject(new DOMException('The call was aborted.', 'AbortError'))
      })
      send({
        kind: 'call',
        id,
        method: (init.method ?? 'GET') as 'GET',
        path: address.slice('/api'.length),
        body: typeof init.body === 'string' ? init.body : null,
        poll: headers.has('x-poll'),
        etag: headers.get('if-none-match'),
      })
    })
    if (answer.status === 0) throw new TypeError('No answer came.')
    const isEmpty = [204, 304].includes(answer.status)
    return new Response(isEmpty ? null : answer.body, {
      status: answer.status,
      headers: { 'content-type': 'application/json', ...(answer.etag && { etag: answer.etag }) },
    })
  }

  return (answer: Answer) => {
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  }
}
