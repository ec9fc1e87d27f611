import { type IncomingMessage, request as plain, type ServerResponse } from 'node:http'
import { request as encrypted } from 'node:https'
import type { Session } from '@portal/contracts/session'

/** Request headers that are not forwarded to the portal. */
const own =
  /^(host|connection|keep-alive|upgrade|te|trailer|transfer-encoding|proxy-.*|forwarded|x-forwarded-.*)$/

/** Cookies of the portal. Others at localhost belong to other programs of the same person. */
const portals = /^(portal_session|XSRF-TOKEN|portal_locale)=/

/** The prefix of the session cookie over https. A browser refuses it at localhost, which has no https. */
const prefix = '__Host-'

/** Whether a call comes from a page of this server; other origins may not use the session of the portal. */
function isOwn({ headers }: IncomingMessage, address: string): boolean {
  const { host, origin } = headers
  return host === new URL(address).host && (origin === undefined || origin === address)
}

/** The portal's cookies of a request, under the names that the portal gave them. */
const cookiesFor = ({ cookie = '' }: IncomingMessage['headers'], portal: string): string =>
  cookie
    .split(/;\s*/)
    .filter((each) => portals.test(each))
    .map((each) => cookieThere(each, portal))
    .join('; ')

/** Who is signed in at the portal, by the cookies of a request to this server. */
export async function sessionAt({ headers }: IncomingMessage, portal: string): Promise<Session> {
  const answer = await fetch(`${portal}/api/session`, {
    headers: {
      cookie: cookiesFor(headers, portal),
      accept: 'application/json',
      'x-requested-with': 'XMLHttpRequest',
    },
  })
  if (!answer.ok) throw new Error(`${portal} answered ${answer.status} when asked who is signed in.`)
  return (await answer.json()) as Session
}

/** The forwarded request, as if it came from a page of the portal. */
function headersFor({ headers }: IncomingMessage, portal: string): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !own.test(name)) kept[name] = value
  delete kept.cookie
  const cookies = cookiesFor(headers, portal)
  if (cookies) kept.cookie = cookies
  if (kept.origin) kept.origin = portal
  if (headers.referer && URL.canParse(headers.referer)) {
    const { pathname, search } = new URL(headers.referer)
    kept.referer = portal + pathname + search
  }
  return { ...kept, host: new URL(portal).host }
}

/** A cookie of localhost under the name that the portal gave it. */
export const cookieThere = (cookie: string, portal: string): string =>
  portal.startsWith('https:') && cookie.startsWith('portal_session=') ? prefix + cookie : cookie

/** Rewrites a cookie of the portal for localhost, which has no https and another domain. */
export const cookieHere = (cookie: string): string =>
  cookie
    .replace(new RegExp(`^${prefix}`), '')
    .split(/;\s*/)
    .filter((part) => !/^(secure|partitioned|domain=.*)$/i.test(part))
    .map((part) => part.replace(/^samesite=none$/i, 'SameSite=Lax'))
    .join('; ')

/** A reverse proxy: forwards a call of the page to the portal, and returns the response. */
export function passOn(
  asked: IncomingMessage,
  reply: ServerResponse,
  { portal, address }: { portal: string; address: string },
): void {
  const refuse = (status: number, message: string) => {
    asked.resume()
    if (reply.headersSent) reply.destroy()
    else reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }))
  }
  if (!isOwn(asked, address)) {
    refuse(403, `Only pages of ${address} are passed on to the portal.`)
    return
  }
  const send = portal.startsWith('https:') ? encrypted : plain
  const { method } = asked
  const further = send(
    portal + asked.url,
    { method, headers: headersFor(asked, portal), timeout: 60_000 },
    (answer) => {
      const headers = Object.entries(answer.headers).filter(([name]) => !own.test(name))
      reply.writeHead(answer.statusCode ?? 502, {
        ...Object.fromEntries(headers),
        ...(answer.headers['set-cookie'] && { 'set-cookie': answer.headers['set-cookie'].map(cookieHere) }),
      })
      answer.on('error', () => reply.destroy())
      answer.pipe(reply)
    },
  )
  further.on('timeout', () => further.destroy(new Error('it takes too long')))
  further.on('error', (fault) => refuse(502, `${portal} does not answer: ${fault.message}.`))
  reply.on('close', () => further.destroy())
  asked.pipe(further)
}
