import { sql } from 'kysely'
import { transaction } from '../api/src/kit/database/db.ts'
import { startSession } from '../api/src/kit/http/session.ts'
import type { Context } from '../api/src/kit/process/context.ts'
import type { Visitor } from './visitor.ts'

/** What some of the people do, and how often each of them does it. `path` gets a number that grows with each call. */
export type Habit = {
  name: string
  people: number
  everyMs: number
  path: (n: number) => string
  /** A poll sends what it was answered last, and mostly reads 304. */
  poll?: boolean
  /** Sends something instead of reading. */
  send?: (n: number) => { method: 'PUT' | 'POST'; body: object }
}

const surnames = ['Traoré', 'Keita', 'Diallo', 'Coulibaly', 'Sidibé']
const searched = (n: number) => encodeURIComponent(surnames[n % surnames.length] ?? '')

/** How many people there are, if a measurement does not ask for fewer. */
export const everybody = 500

/** People of a programme at work: what they read, search and write, and how often. Of fewer people each habit has its share. */
export function habits(cohort: number, colleagues: readonly number[], people = everybody): Habit[] {
  return ofEverybody(cohort, colleagues).map((habit) => ({
    ...habit,
    people: Math.max(1, Math.round((habit.people * people) / everybody)),
  }))
}

const ofEverybody = (cohort: number, colleagues: readonly number[]): Habit[] => [
  { name: 'audit log', people: 60, everyMs: 5000, path: () => '/admin/users/audit/logs', poll: true },
  { name: 'message log', people: 60, everyMs: 5000, path: () => '/home/messages', poll: true },
  {
    name: 'progress of a round',
    people: 60,
    everyMs: 1000,
    path: () => `/admin/transfers/cohorts/${cohort}/progress`,
    poll: true,
  },
  { name: 'schools', people: 70, everyMs: 4000, path: (n) => `/admin/schools/list?page=${1 + (n % 10)}` },
  {
    name: 'students',
    people: 70,
    everyMs: 4000,
    path: (n) => `/admin/schools/students/list?page=${1 + (n % 50)}`,
  },
  { name: 'cohorts', people: 40, everyMs: 4000, path: () => '/admin/transfers/cohorts' },
  { name: 'home', people: 40, everyMs: 4000, path: () => '/home/statistics' },
  {
    name: 'searches',
    people: 60,
    everyMs: 4000,
    path: (n) => `/admin/schools/students/list?search=${searched(n)}`,
  },
  {
    name: 'edits',
    people: 35,
    everyMs: 5000,
    // Two people seldom edit the same thing: each goes from account to account.
    path: (n) => `/users/profile/update/${colleagues[n % colleagues.length]}`,
    send: (n) => ({ method: 'PUT', body: { first_name: `Awa ${n}`, last_name: 'Bench' } }),
  },
  {
    name: 'exports',
    people: 5,
    everyMs: 30_000,
    path: () => '/admin/schools/export',
    send: () => ({ method: 'POST', body: {} }),
  },
]

/** Inserts the accounts that people edit, a few for each who does. Returns their ids. */
export async function addColleagues({ db }: Context): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    insert into users (first_name, last_name, gender, type, account)
    select 'Collègue', 'N° ' || n, 'female', 'partner', true from generate_series(1, 200) n returning id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Opens a session for each person, with the CSRF token that the api gives it. */
export async function openSessions(
  { db }: Context,
  visitor: Visitor,
  administrator: number,
  count: number,
): Promise<Visitor[]> {
  const from = { id: null, ip: '127.0.0.1', user_agent: 'bench', request_id: null }
  const opened: Visitor[] = []
  for (let n = 0; n < count; n++) {
    const token = await transaction(db, (tx) => startSession(tx, administrator, from))
    const session = `portal_session=${token}`
    const answer = await fetch(`${visitor.url}/session`, { headers: { cookie: session } })
    await answer.arrayBuffer()
    const [, xsrf = ''] = /XSRF-TOKEN=([^;]*)/.exec(answer.headers.getSetCookie().join('\n')) ?? []
    const headers = {
      'x-requested-with': 'XMLHttpRequest',
      accept: 'application/json',
      'accept-encoding': 'gzip, br',
      cookie: `${session}; XSRF-TOKEN=${xsrf}`,
      'x-xsrf-token': decodeURIComponent(xsrf),
    }
    opened.push({ url: visitor.url, headers })
  }
  return opened
}
