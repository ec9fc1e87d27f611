import { addressLimit, formLimits } from '@portal/contracts/limits'
import { bodyLimitAt, longAddressText, tooLargeText } from '@portal/contracts/over-limit'
import type { Text } from '@portal/contracts/text'
import { currentLocale } from '@portal/i18n/locale'
import * as v from 'valibot'
import { FileName, type FromFrame, type FromPortal, isWithinLimits } from '../protocol.ts'
import type { Send } from './send.ts'

type Answer = Extract<FromPortal, { kind: 'answer' }>
type Progress = Extract<FromPortal, { kind: 'progress' }>
/** The portal's client asks so for the progress of an upload, which `fetch` itself does not know. */
type Init = RequestInit & { onProgress?: ((share: number) => void) | undefined }
type Body = Extract<FromFrame, { kind: 'call' }>['body']

/** Sends the calls of this frame to the portal instead of into the network, where nobody would answer them. */
export function callByPort(send: Send) {
  const waiting = new Map<number, (answer: Answer) => void>()
  const uploads = new Map<number, (share: number) => void>()
  const files = saveByPortal(send)
  let last = 0
  const outside = globalThis.fetch

  globalThis.fetch = async (input, init: Init = {}) => {
    const address = String(input)
    if (!address.startsWith('/api/')) return outside(input, init)
    const headers = new Headers(init.headers)
    const path = address.slice('/api'.length)
    const method = (init.method ?? 'GET') as 'GET'
    const body = bodyOf(init.body)
    const refusal = refusalOf(method, path, body)
    if (refusal) return refusal
    last += 1
    const id = last
    const { onProgress } = init
    if (onProgress) uploads.set(id, onProgress)
    const answer = await new Promise<Answer>((resolve, reject) => {
      waiting.set(id, resolve)
      init.signal?.addEventListener('abort', () => {
        if (!waiting.delete(id)) return
        send({ kind: 'abort', id })
        reject(new DOMException('The call was aborted.', 'AbortError'))
      })
      send({
        kind: 'call',
        id,
        method,
        path,
        body,
        poll: headers.has('x-poll'),
        progress: onProgress !== undefined,
        etag: headers.get('if-none-match'),
      })
    }).finally(() => uploads.delete(id))
    if (answer.status === 0) throw new TypeError('No answer came.')
    return responseOf(answer, files)
  }

  return (message: Answer | Progress) => {
    if (message.kind === 'progress') return uploads.get(message.id)?.(message.share)
    waiting.get(message.id)?.(message)
    waiting.delete(message.id)
  }
}

function bodyOf(body: BodyInit | null | undefined): Body {
  if (typeof body === 'string') return body
  return body instanceof FormData ? { form: [...body.entries()] } : null
}

/**
 * What the server would refuse for its size is not sent, and refused here as it would be there. The portal takes such a
 * message for an attack, and gives the frame up.
 */
function refusalOf(method: string, path: string, body: Body): Response | null {
  const refuse = (status: number, text: Text) => Response.json({ message: text[currentLocale()] }, { status })
  if (path.length > addressLimit) return refuse(414, longAddressText)
  if (body === null) return null
  const limit = typeof body === 'string' ? bodyLimitAt(method, path) : formLimits.octets
  const fits = typeof body === 'string' ? body.length <= limit : isWithinLimits(body.form)
  return fits ? null : refuse(413, tooLargeText(limit))
}

function responseOf({ id, status, body, etag, disposition }: Answer, files: WeakMap<Blob, number>): Response {
  const isFile = body instanceof Blob
  const response = new Response([204, 304].includes(status) ? null : body, {
    status,
    headers: {
      'content-type': isFile ? body.type : 'application/json',
      ...(etag && { etag }),
      ...(disposition && { 'content-disposition': disposition }),
    },
  })
  if (!isFile) return response
  files.set(body, id)
  // The very file, so that the portal can be told which one shall be saved.
  return Object.assign(response, { blob: async () => body })
}

/**
 * A frame may not save files. The usual way, a link with `download` that is clicked, asks the portal instead, which saves
 * what one of its calls has answered. The answer says which call a file came with.
 */
function saveByPortal(send: Send) {
  const files = new WeakMap<Blob, number>()
  const named = new Map<string, number>()
  const { createObjectURL } = URL
  URL.createObjectURL = (object) => {
    const address = createObjectURL.call(URL, object)
    const id = object instanceof Blob ? files.get(object) : undefined
    if (id) named.set(address, id)
    return address
  }
  const { click } = HTMLAnchorElement.prototype
  HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
    const id = this.download ? named.get(this.href) : undefined
    // The browser refuses what the portal would not save, and says so on its console.
    if (id && v.is(FileName, this.download)) send({ kind: 'save', id, name: this.download })
    else click.call(this)
  }
  return files
}
