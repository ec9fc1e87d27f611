import { antiForgeryToken } from '@portal/client/request'
import { moduleHeader } from '@portal/contracts/modules'
import { currentLocale } from '@portal/i18n/locale'
import { client, expireSession } from '../../session/client.ts'
import { useSessionStore } from '../../session/session.ts'
import type { BuildRef } from '../builds.ts'
import { lazyStates } from '../lazy-states.tsx'
import type { FromFrame, FromPortal } from './protocol.ts'

type Upload = typeof import('@portal/client/upload')
type Asked = Extract<FromFrame, { kind: 'call' }>
type Answer = Extract<FromPortal, { kind: 'answer' }>

const base = '/api'

/** Calls of one frame at the same time. */
const atOnce = 20

/** How many files are kept that a frame may still ask to be saved. */
const keptFiles = 3

/** What is not JSON is a file, which is passed on as it is. */
const isText = (response: Response) => /^application\/json/.test(response.headers.get('content-type') ?? '')

/** What the server knows of a live build, the page itself has to check of one from a developer's machine. */
async function refusalOf(of: BuildRef, { method, path }: Asked): Promise<string | null> {
  if (!of.override) return null
  const { refusalIfNotNamed } = await lazyStates.fetch()
  return refusalIfNotNamed(of, method, path)
}

/** So many steps of an upload are told, however large it is. */
const steps = 50

/**
 * Makes the calls of a module's frame: with the session of the person, and in the name of the module. `tell` gets the progress of
 * uploads.
 */
export function callsFor(of: BuildRef, tell: (message: Extract<FromPortal, { kind: 'progress' }>) => void) {
  const { name, build } = of
  /** A frame may give one id to several calls, so that it is no key. */
  const underWay = new Set<Pick<Asked, 'id' | 'method'> & { abort: AbortController }>()
  const files = new Map<number, Blob>()

  /** Sends files so that their progress is known. */
  async function upload(id: number, sending: Omit<Parameters<Upload['sendWithProgress']>[0], 'onProgress'>) {
    const { sendWithProgress } = await import(/* webpackChunkName: "upload" */ '@portal/client/upload')
    let told = 0
    const onProgress = (share: number) => {
      if (share < 1 && share - told < 1 / steps) return
      told = share
      tell({ kind: 'progress', id, share })
    }
    return sendWithProgress({ ...sending, onProgress })
  }

  async function send(
    { id, method, path, body, poll, etag, progress }: Asked,
    signal: AbortSignal,
  ): Promise<Response> {
    const address = new URL(base + path, window.location.origin)
    // An address with `..` would lead to what is not a call, and so would not be checked.
    if (!address.pathname.startsWith(`${base}/`)) return new Response(null, { status: 404 })
    const token = method === 'GET' ? null : antiForgeryToken()
    const user = method === 'GET' ? undefined : useSessionStore.getState().session?.user?.id
    const sent = body === null || typeof body === 'string' ? body : asForm(body.form)
    const headers: Record<string, string> = {
      'X-Requested-With': 'XMLHttpRequest',
      Accept: 'application/json',
      'Accept-Language': currentLocale(),
      ...(!of.override && { [moduleHeader]: `${name}/${build}` }),
      ...(typeof body === 'string' && { 'Content-Type': 'application/json' }),
      ...(token && { 'X-XSRF-TOKEN': token }),
      ...(user && { 'X-User': String(user) }),
      ...(poll && { 'X-Poll': '1' }),
      ...(etag && { 'If-None-Match': etag }),
    }
    if (progress && sent instanceof FormData)
      return upload(id, { url: address.href, method, headers, body: sent, signal })
    return fetch(address, {
      ...{ method, body: sent, headers, signal },
      ...{ credentials: 'same-origin', cache: 'no-store', redirect: 'error' },
    })
  }

  function keep(id: number, file: Blob) {
    files.set(id, file)
    const [oldest] = files.keys()
    if (files.size > keptFiles && oldest !== undefined) files.delete(oldest)
    return file
  }

  /** A new password replaces the session while a read is under way, so a read is sent once more if she is signed in all the same. */
  async function sent(asked: Asked, signal: AbortSignal): Promise<Response> {
    const response = await send(asked, signal)
    if (response.status === 419) {
      await fetch(`${base}/session`, { headers: { 'X-Requested-With': 'XMLHttpRequest' } }).catch(() => {})
      return send(asked, signal)
    }
    if (response.status !== 401 || asked.method !== 'GET') return response
    const { isStillHere } = await import('../../session/refresh.ts')
    return (await isStillHere(client)) ? send(asked, signal) : response
  }

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
      const response = await sent(asked, abort.signal)
      if (response.status === 401) expireSession(method)
      const body = isText(response) ? await response.text() : keep(id, await response.blob())
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

function asForm(fields: [string, string | Blob][]): FormData {
  const form = new FormData()
  for (const [name, value] of fields) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, value, value instanceof File ? value.name : 'file')
  }
  return form
}
