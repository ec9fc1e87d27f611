import { sql } from 'kysely'
import { hashPassword } from '../api/src/access/passwords.ts'
import type { Context } from '../api/src/kit/process/context.ts'

/** A signed-in administrator as the api sees her: the address of the calls, and the headers of each. */
export type Visitor = { url: string; headers: Record<string, string> }

const first = 'bench@portal.example'
const password = 'a long enough password'

/** Makes an administrator and signs her in through the sign-in call. */
export async function signInAdministrator(
  { db, settings }: Context,
  origin: string,
  email = first,
): Promise<Visitor> {
  const hash = await hashPassword(password, settings.passwordCost)
  await sql`
    with u as (
      insert into users (first_name, last_name, email, type, account, password_hash)
      values ('Awa', 'Bench', ${email}, 'developer', true, ${hash}) returning id
    )
    insert into user_roles (user_id, role_id) select u.id, r.id from u, roles r where r.name = 'Administrator'
  `.execute(db)
  const visitor = {
    url: `${origin}/api`,
    headers: { 'x-requested-with': 'XMLHttpRequest', accept: 'application/json' },
  }
  const cookies = new Map<string, string>()
  const call = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(visitor.url + path, { ...init, headers: headersOf(visitor, cookies, init) })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
  }
  await call('/session')
  const body = JSON.stringify({ email, password })
  await call('/login', { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  return { url: visitor.url, headers: headersOf(visitor, cookies) }
}

/** Reads what a call answers, or throws. */
export async function read<T>({ url, headers }: Visitor, path: string): Promise<T> {
  return answered<T>(path, await fetch(url + path, { headers }))
}

/** Sends a body to a call: JSON, or a form with a file. */
export async function send<T>({ url, headers }: Visitor, path: string, body: object | FormData): Promise<T> {
  const form = body instanceof FormData
  return answered<T>(
    path,
    await fetch(url + path, {
      method: 'POST',
      headers: form ? headers : { ...headers, 'content-type': 'application/json' },
      body: form ? body : JSON.stringify(body),
    }),
  )
}

async function answered<T>(path: string, answer: Response): Promise<T> {
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as T
}

function headersOf(
  { headers }: Visitor,
  cookies: Map<string, string>,
  init: RequestInit = {},
): Record<string, string> {
  return {
    ...headers,
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'x-xsrf-token': decodeURIComponent(cookies.get('XSRF-TOKEN') ?? ''),
    ...(init.headers as Record<string, string> | undefined),
  }
}
