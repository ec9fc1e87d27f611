import { antiForgeryToken } from '@portal/client/request'
import { moduleHeader } from '@portal/contracts/modules'
import { currentLocale } from '@portal/i18n/locale'
import { expireSession } from '../../session/client.ts'
import type { BuildRef } from '../builds.ts'
import type { FromFrame, FromPortal } from './protocol.ts'

type Asked = Extract<FromFrame, { kind: 'call' }>
type Answer = Extract<FromPortal, { kind: 'answer' }>

const base = '/api'

/** Calls of one frame at the same time. */
const atOnce = 20

/** Makes the calls of a module's frame: with the session of the person, and in the name of the module. */
export function callsFor({ name, build }: BuildRef) {
  let underWay = 0

  async function send({ method, path, body, poll, etag }: Asked): Promise<Response> {
    const address = new URL(base + path, window.location.origin)
    // An address with `..` would lead to what is not a call, and so would not be checked.
    if (!address.pathname.startsWith(`${base}/`)) return new Response(null, { status: 404 })
    const token = method === 'GET' ? null : antiForgeryToken()
    return fetch(address, {
      method,
      body,
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
      headers: {
        'X-Requested-With': 'XMLHttpRequest',
        Accept: 'application/json',
        'Accept-Language': currentLocale(),
        [moduleHeader]: `${name}/${build}`,
        ...(body !== null && { 'Content-Type': 'application/json' }),
        ...(token && { 'X-XSRF-TOKEN': token }),
        ...(poll && { 'X-Poll': '1' }),
        ...(etag && { 'If-None-Match': etag }),
      },
    })
  }

  return async (asked: Asked): Promise<Answer> => {
    const answer = (status: number, body = '', etag: string | null = null): Answer => {
      return { kind: 'answer', id: asked.id, status, body, etag }
    }
    if (underWay >= atOnce) return answer(429)
    underWay += 1
    try {
      let response = await send(asked)
      if (response.status === 419) {
        await fetch(`${base}/session`, { headers: { 'X-Requested-With': 'XMLHttpRequest' } }).catch(() => {})
        response = await send(asked)
      }
      if (response.status === 401) expireSession(asked.method)
      return answer(response.status, await response.text(), response.headers.get('etag'))
    } catch {
      return answer(0)
    } finally {
      underWay -= 1
    }
  }
}
