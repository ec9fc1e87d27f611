import { sql } from 'kysely'
import { hashPassword } from '../api/src/access/passwords.ts'
import type { Db } from '../api/src/kit/database/db.ts'
import { type Figure, median } from './figures.ts'
import { onStage } from './stage.ts'

const rounds = 40
const aim = 1.2
const known = 'known@bench.example'

/** Times of failed sign-ins and of forgotten passwords. They must be equal with and without an account: a difference reveals accounts. */
export function measureSignIn(scale: number): Promise<Figure[]> {
  return onStage(async ({ context, startApi }) => {
    const { db, settings } = context
    const hash = await hashPassword('a long enough password', settings.passwordCost)
    await sql`insert into users (first_name, last_name, email, type, account, password_hash)
      values ('Awa', 'Bench', ${known}, 'developer', true, ${hash})`.execute(db)
    const call = await caller(`${await startApi()}/api`)
    const login = (email: string) => call('/login', { email, password: 'not the password' }, 422)
    const forgot = (email: string) => call('/password/forgot', { email }, 200)
    const times = Math.max(5, Math.round(rounds * scale))
    return [
      await compare(db, 'Sign-in: unknown e-mail against wrong password', login, times),
      await compare(db, 'Forgotten password: unknown e-mail against an account', forgot, times),
    ]
  })
}

type Ask = (email: string) => Promise<void>

/** Measures both alternately and swaps their order each time, so that the order favours neither. */
async function compare(db: Db, figure: string, ask: Ask, times: number): Promise<Figure> {
  const taken: Record<string, number[]> = { unknown: [], known: [] }
  for (let n = -3; n < times; n++) {
    const pair = [
      ['unknown', `nobody${n + 3}@bench.example`],
      ['known', known],
    ] as const
    for (const [which, email] of n % 2 ? pair : pair.toReversed()) {
      // The rate limiter of sign-ins is not what is measured.
      await sql`delete from failed_attempts`.execute(db)
      const began = performance.now()
      await ask(email)
      // The first measurements are warm-up and do not count.
      if (n >= 0) taken[which]?.push(performance.now() - began)
    }
  }
  const [unknown, right] = [median(taken.unknown ?? []), median(taken.known ?? [])]
  const ratio = unknown / right
  return {
    figure,
    measured: `${ratio.toFixed(2)} (${unknown.toFixed(1)} ms of ${right.toFixed(1)} ms, median of ${times})`,
    aim: `${(1 / aim).toFixed(2)} to ${aim.toFixed(2)}`,
    holds: ratio <= aim && ratio >= 1 / aim,
    command: 'npm run bench -- sign-in',
  }
}

/** A browser without a signed-in session. */
async function caller(base: string) {
  const session = await fetch(`${base}/session`)
  const cookies = session.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
  const token = cookies.find((cookie) => cookie.startsWith('XSRF-TOKEN='))?.slice('XSRF-TOKEN='.length) ?? ''
  const headers = {
    'content-type': 'application/json',
    'x-requested-with': 'XMLHttpRequest',
    'x-xsrf-token': decodeURIComponent(token),
    cookie: cookies.join('; '),
  }
  return async (path: string, body: object, wanted: number) => {
    const answer = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) })
    await answer.text()
    if (answer.status !== wanted) throw new Error(`${path} answered ${answer.status}`)
  }
}
