import { searchWords } from '@portal/contracts/search-words'
import { sql } from 'kysely'
import { type Db, rows, transaction } from '../database/db.ts'
import type { Author } from '../http/session.ts'
import { sha256 } from '../secrets/seal.ts'
import { audit, canonical } from './audit.ts'

type Values = Record<string, unknown>

/** What is read besides changes: a page, a search, a file, and calls that were refused. */
type ReadEvent = 'opened' | 'searched' | 'downloaded' | 'refused'

/**
 * Audits that somebody read personal data. The same thing is audited once an hour for a person, so that polls and pages
 * that are opened again only read one row (Access 6.8).
 */
export async function auditRead(
  db: Db,
  author: Author,
  event: ReadEvent,
  type: string,
  id: number | null,
  values: Values = {},
): Promise<void> {
  const reader = author.id ?? 0
  const through = author.module === undefined ? [] : [author.module]
  const mark = sha256(canonical([event, type, id, values, author.id === null ? author.ip : null, ...through]))
  const known = sql`
    select from recent_reads where user_id = ${reader} and mark = ${mark} and read_at > now() - interval '1 hour'`
  if ((await rows(db, known)).length > 0) return
  await transaction(db, async (tx) => {
    const { rows: fresh } = await sql`
      insert into recent_reads as r (user_id, mark) values (${reader}, ${mark})
      on conflict (user_id, mark) do update set read_at = now() where r.read_at <= now() - interval '1 hour'
      returning user_id`.execute(tx)
    if (fresh.length > 0) await audit(tx, author, event, type, id, { new: values })
  })
}

/** How many of the people that a search found are named. */
const namedAtMost = 10

/**
 * Audits a search by name in a list: how many it found, and the first of them. What was typed is not kept, because it
 * would stay after the person was forgotten. A list without a search is not audited. `place` says in which collection of a module.
 */
export async function auditSearch(
  db: Db,
  author: Author,
  type: string,
  search: string,
  found: { data: { id: number }[]; total: number },
  place: Values = {},
): Promise<void> {
  if (searchWords(search).length === 0) return
  const first = found.data.slice(0, namedAtMost).map(({ id }) => id)
  await auditRead(db, author, 'searched', type, null, { ...place, found: found.total, first_found: first })
}

/** Filters for the log: that there was a search, and not what was typed, for the same reason. */
export const withoutSearch = (filters: object): Values =>
  'search' in filters && filters.search ? { ...filters, search: true } : { ...filters }

/** Deletes what is older than an hour. */
export async function forgetReads(db: Db): Promise<void> {
  await sql`delete from recent_reads where read_at < now() - interval '1 hour'`.execute(db)
}
