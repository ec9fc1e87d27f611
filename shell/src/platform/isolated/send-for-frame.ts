import { antiForgeryToken } from '@portal/client/request'
import { moduleHeader } from '@portal/contracts/modules'
import { currentLocale } from '@portal/i18n/locale'
import { client } from '../../session/client.ts'
import { useSessionStore } from '../../session/session.ts'
import type { BuildRef } from '../builds.ts'
import type { FromFrame, FromPortal } from './protocol.ts'

type Upload = typeof import('@portal/client/upload')
export type Asked = Extract<FromFrame, { kind: 'call' }>
/** Gets the progress of uploads. */
export type Tell = (message: Extract<FromPortal, { kind: 'progress' }>) => void

const base = '/api'

/** The progress of an upload is reported in this many steps, whatever its size. */
const steps = 50

/**
 * Sends a call with the session of the person, and in the name of the module. A new password replaces the session while a read is
 * under way, so a read is sent once more if she is signed in all the same.
 */
export async function sendFor(
  of: BuildRef,
  asked: Asked,
  signal: AbortSignal,
  tell: Tell,
): Promise<Response> {
  const response = await send(of, asked, signal, tell)
  if (response.status === 419) {
    await fetch(`${base}/session`, { headers: { 'X-Requested-With': 'XMLHttpRequest' } }).catch(() => {})
    return send(of, asked, signal, tell)
  }
  if (response.status !== 401 || asked.method !== 'GET') return response
  const { isStillHere } = await import('../../session/refresh.ts')
  return (await isStillHere(client)) ? send(of, asked, signal, tell) : response
}

async function send(of: BuildRef, asked: Asked, signal: AbortSignal, tell: Tell): Promise<Response> {
  const { id, method, path, body, progress } = asked
  const address = new URL(base + path, window.location.origin)
  // An address with `..` would lead to what is not a call, and so would not be checked.
  if (!address.pathname.startsWith(`${base}/`)) return new Response(null, { status: 404 })
  const sent = body === null || typeof body === 'string' ? body : asForm(body.form)
  const headers = headersOf(of, asked)
  if (progress && sent instanceof FormData)
    return upload(id, { url: address.href, method, headers, body: sent, signal }, tell)
  return fetch(address, {
    ...{ method, body: sent, headers, signal },
    ...{ credentials: 'same-origin', cache: 'no-store', redirect: 'error' },
  })
}

function headersOf({ name, build, override }: BuildRef, { method, body, poll, etag }: Asked) {
  const token = method === 'GET' ? null : antiForgeryToken()
  const user = method === 'GET' ? undefined : useSessionStore.getState().session?.user?.id
  const headers: Record<string, string> = {
    'X-Requested-With': 'XMLHttpRequest',
    Accept: 'application/json',
    'Accept-Language': currentLocale(),
    ...(!override && { [moduleHeader]: `${name}/${build}` }),
    ...(typeof body === 'string' && { 'Content-Type': 'application/json' }),
    ...(token && { 'X-XSRF-TOKEN': token }),
    ...(user && { 'X-User': String(user) }),
    ...(poll && { 'X-Poll': '1' }),
    ...(etag && { 'If-None-Match': etag }),
  }
  return headers
}

type Sending = Omit<Parameters<Upload['sendWithProgress']>[0], 'onProgress'>

/** Sends files so that their progress is known. */
async function upload(id: number, sending: Sending, tell: Tell) {
  const { sendWithProgress } = await import(/* webpackChunkName: "upload" */ '@portal/client/upload')
  let reported = 0
  const onProgress = (share: number) => {
    if (share < 1 && share - reported < 1 / steps) return
    reported = share
    tell({ kind: 'progress', id, share })
  }
  return sendWithProgress({ ...sending, onProgress })
}

function asForm(fields: [string, string | Blob][]): FormData {
  const form = new FormData()
  for (const [name, value] of fields) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, value, value instanceof File ? value.name : 'file')
  }
  return form
}
