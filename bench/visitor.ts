import { sql } from 'kysely'
import { hashPassword } from '../api/src/access/passwords.ts'
import type { Context } from '../api/src/kit/context.ts'

/** A signed-in administrator as the api sees her: the address of the calls, and the headers of each. */
export type Visitor = { url: string; headers: Record<string, string> }

const email = 'bench@portal.example'
const password = 'a long enough password'

/** Makes an administrator and signs her in through the sign-in call. */
export async function signInAdministrator({ db, settings }: Context, origin: string): Promise<Visitor> {
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
