import { antiForgeryToken } from '@portal/client/request'
import { moduleHeader } from '@portal/contracts/modules'
import { currentLocale } from '@portal/i18n/locale'
import { expireSession } from '../../session/client.ts'
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
  let underWay = 0
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

  async function send({ id, method, path, body, poll, etag, progress }: Asked): Promise<Response> {
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
      return upload(id, { url: address.href, method, headers, body: sent, signal: undefined })
    return fetch(address, {
      ...{ method, body: sent, headers },
      ...{ credentials: 'same-origin', cache: 'no-store', redirect: 'error' },
    })
  }

  function keep(id: number, file: Blob) {
    files.set(id, file)
    const [oldest] = files.keys()
    if (files.size > keptFiles && oldest !== undefined) files.delete(oldest)
    return file
  }

  async function call(asked: Asked): Promise<Answer> {
    const { id } = asked
    const answer = (status: number, body: string | Blob = '', headers?: Headers): Answer => ({
      ...{ kind: 'answer', id, status, body },
      etag: headers?.get('etag') ?? null,
      disposition: headers?.get('content-disposition') ?? null,
    })
    if (underWay >= atOnce) return answer(429)
    underWay += 1
    try {
      const refusal = await refusalOf(of, asked)
      if (refusal) return answer(403, JSON.stringify({ message: refusal }))
      let response = await send(asked)
      if (response.status === 419) {
        await fetch(`${base}/session`, { headers: { 'X-Requested-With': 'XMLHttpRequest' } }).catch(() => {})
        response = await send(asked)
      }
      if (response.status === 401) expireSession(asked.method)
      const body = isText(response) ? await response.text() : keep(id, await response.blob())
      return answer(response.status, body, response.headers)
    } catch {
      return answer(0)
    } finally {
      underWay -= 1
    }
  }

  return { call, fileOf: (id: number) => files.get(id) }
}

function asForm(fields: [string, string | Blob][]): FormData {
  const form = new FormData()
  for (const [name, value] of fields) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, value, value instanceof File ? value.name : 'file')
  }
  return form
}
