import { type RawBuilder, sql } from 'kysely'
import type { DB } from '../kit/database.types.ts'
import type { Reader, Tx } from '../kit/db.ts'
import type { Person } from './person.service.ts'

/** A row of an export: what stands in the table, by column. */
export type TraceRow = Record<string, unknown>

/** A table that holds data of people, and what an export and an erasure do with it. */
export type Trace = {
  table: keyof DB
  read(db: Reader, person: Person): Promise<TraceRow[]>
  /** What erases it, in the order of the list. Without it the rows stay, for the reason in `stays`. */
  erase?(tx: Tx, person: Person): Promise<unknown>
  /** What stays of it after an erasure, and why. */
  stays?: string
}

/** Columns that say nothing of the person: secrets, and what the database derives. */
const left = [
  'password_hash',
  'totp_secret',
  'totp_last_step',
  'content',
  'token_hash',
  'code_hash',
  'invite_hash',
  'search',
  'seal',
  'salt',
]

/** Reads whole rows of the table `t`, with `more` beside their own columns. */
export const rowsOf =
  (
    from: (person: Person) => RawBuilder<unknown>,
    more: RawBuilder<unknown> = sql`'{}'::jsonb`,
  ): Trace['read'] =>
  async (db, person) => {
    const { rows } = await sql<{ row: TraceRow }>`
      select (to_jsonb(t) - ${left}::text[]) || ${more} as row from ${from(person)}`.execute(db)
    return rows.map(({ row }) => row)
  }

/** Runs these statements, one after the other. */
export const inOrder =
  (...statements: ((person: Person) => RawBuilder<unknown>)[]): NonNullable<Trace['erase']> =>
  async (tx, person) => {
    for (const statement of statements) await statement(person).execute(tx)
  }
