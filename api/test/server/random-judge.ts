import type { Endpoint } from '@portal/contracts/endpoint'
import type { Answer } from '../client.ts'
import type { Portal } from '../portal.ts'

/** Statuses that the rules name (Calls 2.1, Imports, Messages). A fault of the server is none of them. */
const statuses = new Set([200, 202, 204, 303, 401, 403, 404, 409, 413, 414, 415, 422, 429])

/** Tables of which no change is one of the programme's: what follows from others, who is signed in, and what is only a wish. */
const unaudited: Record<string, string> = {
  audits: 'the log itself',
  audit_values: 'the log itself',
  audit_links: 'the log itself',
  audit_head: 'the log itself',
  sessions: 'when it was last seen',
  recent_reads: 'a read is audited once in a while (decision 55)',
  failed_attempts: 'counted by the rate limiter (Access 1.2)',
  guesses: 'counted by the rate limiter (Access 1.2)',
  drafts: 'nothing of the programme has changed (decision 72)',
  exports: 'audited by the worker when its rows are read (Imports)',
  list_totals: 'kept counts',
  access_stamp: 'follows from roles',
  counted_reports: 'a report that a worker counts (decision 171)',
  module_reports: 'what modules report (decision 199)',
  notice_preferences: 'written again as they are',
}

/** The fields that the forms and the query of a call have. */
function fieldsOf({ query, body }: Endpoint, forms: readonly unknown[]): Set<string> {
  type Shape = { entries?: object; pipe?: Shape[] }
  const of = (schema: unknown): string[] => {
    const { entries, pipe } = (schema ?? {}) as Shape
    return entries ? Object.keys(entries) : pipe ? of(pipe[0]) : []
  }
  return new Set([query, body, ...forms].flatMap(of))
}

/** What is wrong with an answer by itself: an error of the server, a refusal without a sentence or at no field. */
export function faultsOf(endpoint: Endpoint, forms: readonly unknown[], { status, body }: Answer): string[] {
  const faults: string[] = []
  if (!statuses.has(status)) faults.push(`status ${status}`)
  const isChange = endpoint.method !== 'GET' && !endpoint.path.endsWith('/preview')
  if (isChange && status < 300 && status !== 204 && typeof body?.message !== 'string')
    faults.push('no message')
  if (status < 400 || status >= 500) return faults
  const sentences = [body?.message, ...Object.values<string[]>(body?.errors ?? {}).flat()]
  const isSentence = (one: unknown) =>
    typeof one === 'string' && one.length > 5 && !/undefined|\[object/.test(one)
  if (!sentences.every(isSentence)) faults.push(`no sentence: ${JSON.stringify(body)}`)
  if (status !== 422) return faults
  // A form that the server tells apart by its fields, and a body of free values, have other names as well.
  if (forms.length > 1 || endpoint.body?.type === 'record' || endpoint.body?.type === 'lazy') return faults
  const fields = fieldsOf(endpoint, forms)
  const faulty = Object.keys(body?.errors ?? {}).map((name) => name.split('.')[0] ?? '')
  if (faulty.length === 0) faults.push(`at no field: ${JSON.stringify(body)}`)
  for (const name of faulty) if (!fields.has(name)) faults.push(`at ${name}, which the contract has not`)
  return faults
}

type Look = { counts: Map<string, number>; changed: { name: string; tx: string }[] }

/** Looks at the rows that calls wrote: each stands in the one transaction of its audit row, and a refused call writes and deletes none. */
export async function witness({ owner }: Portal) {
  const { rows } = await owner.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  const tables = rows
    .filter(({ name }) => !(name in unaudited))
    .map(
      ({ name }) =>
        `select '${name}' as name, count(*)::int as n, array_agg(distinct xmin::text) filter (where xmin::text::bigint >= $1) as txs from "${name}"`,
    )
    .join(' union all ')
  async function look(since: string): Promise<Look> {
    const found = (await owner.query<{ name: string; n: number; txs: string[] | null }>(tables, [since])).rows
    return {
      counts: new Map(found.map(({ name, n }) => [name, n])),
      changed: found.flatMap(({ name, txs }) => (txs ?? []).map((tx) => ({ name, tx }))),
    }
  }
  const audits = async (answer: Answer) =>
    (
      await owner.query<{ tx: string; event: string }>(
        'select transaction::text as tx, event from audits where request_id = $1',
        [answer.headers['x-request-id']],
      )
    ).rows
  /** How many rows each table has. Calls that succeed change it, and the next look counts anew. */
  let counts: Look['counts'] | undefined
  const allowed = /^(refused|sign-in failed|code refused)/
  return {
    /** The number of the next transaction. */
    async now(): Promise<string> {
      const { rows } = await owner.query('select pg_snapshot_xmax(pg_current_snapshot())::text as now')
      counts ??= (await look(rows[0].now)).counts
      return rows[0].now
    },
    forget: () => {
      counts = undefined
    },
    /** What is wrong with all that was written since then by these calls. */
    async since(now: string, answers: readonly Answer[]): Promise<string[]> {
      const faults: string[] = []
      const logged = await Promise.all(answers.map(audits))
      for (const [n, { status }] of answers.entries()) {
        const written = logged[n] ?? []
        const transactions = new Set(written.map(({ tx }) => tx)).size
        if (status < 300 && transactions > 1) faults.push(`${transactions} transactions with audit rows`)
        if (status >= 400 && written.some(({ event }) => !allowed.test(event)))
          faults.push(`refused, and audited: ${written.map(({ event }) => event)}`)
      }
      const own = new Set(logged.flat().map(({ tx }) => tx))
      const before = counts
      const after = await look(now)
      counts = after.counts
      const silent = after.changed.filter(({ tx }) => !own.has(tx)).map(({ name }) => name)
      if (silent.length > 0) faults.push(`changed without an audit row: ${silent}`)
      const gone = [...after.counts].filter(([name, n]) => n < (before?.get(name) ?? 0)).map(([name]) => name)
      if (gone.length > 0 && logged.flat().every(({ event }) => allowed.test(event)))
        faults.push(`deleted without an audit row: ${gone}`)
      return faults
    },
    /** How many of these calls did something, by the audit log. */
    did: async (answers: readonly Answer[]) =>
      (await Promise.all(answers.map(audits))).filter((written) =>
        written.some(({ event }) => event !== 'refused'),
      ).length,
  }
}
