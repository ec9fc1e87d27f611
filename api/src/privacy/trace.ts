import { sensitiveFields } from '@portal/contracts/registers/students.fields'
import type { Text } from '@portal/contracts/sentences'
import { type RawBuilder, sql } from 'kysely'
import { confidential } from '../access/audit-reader.service.ts'
import type { DB } from '../kit/database/database.types.ts'
import type { Reader, Tx } from '../kit/database/db.ts'
import type { KeyRing } from '../kit/secrets/keys.ts'
import type { Person } from './person.service.ts'

/** A row of an export: what stands in the table, by column. */
export type TraceRow = Record<string, unknown>

/**
 * What whoever exports a person may read besides: texts of cases that they do not name (Cases 2.1), maternal status and
 * disability (Access 5.1), and the collections of modules, as `module/collection`, whose records they may read (Modules 4.1).
 */
export type Sight = { cases: boolean; sensitive: boolean; records: readonly string[] | 'all' }

/** A table that holds data of people, and what an export and an erasure do with it. */
export type Trace = {
  table: keyof DB
  /** What it is part of, in the words of the person's page. */
  what: Text
  read(db: Reader, person: Person, keys: KeyRing, sight: Sight): Promise<TraceRow[]>
  /** What erases it, in the order of the list. Without it the rows stay, for the reason in `stays`. */
  erase?(tx: Tx, person: Person): Promise<unknown>
  /** What stays of it after an erasure, and why. */
  stays?: Text | readonly Text[]
}

/** Tables that one who reads what is erased need not tell apart. */
export const what = {
  payments: { en: 'Lists and payments', fr: 'Listes et paiements' },
  log: { en: 'Audit log', fr: 'Journal d’audit' },
  files: { en: 'Imported files', fr: 'Fichiers importés' },
  exports: { en: 'Stored exports, of everybody', fr: 'Exports conservés, de tout le monde' },
  messages: { en: 'Messages of devices', fr: 'Messages des appareils' },
  modules: { en: 'Records of modules', fr: 'Fiches des modules' },
  cases: { en: 'Cases and consultations', fr: 'Dossiers et demandes d’avis' },
  letters: { en: 'Letters and notices', fr: 'Lettres et notifications' },
  account: { en: 'Account', fr: 'Compte' },
  registers: { en: 'Registers', fr: 'Registres' },
  attendance: { en: 'Attendance', fr: 'Présence' },
  requests: { en: 'Requests to erase', fr: 'Demandes d’effacement' },
} satisfies Record<string, Text>

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

/** SQL: the fields that are absent from what this person exports. */
export const hiddenFrom = ({ sensitive }: Sight): RawBuilder<unknown> =>
  sql`${sensitive ? [] : [...sensitiveFields]}::text[]`

/** SQL: whether whoever exports may read records of this place, `module/collection`. */
export const mayRead = ({ records }: Sight, place: RawBuilder<unknown>): RawBuilder<unknown> =>
  records === 'all' ? sql`true` : sql`coalesce(${place} = any(${records}::text[]), false)`

/** SQL: an object that masks these columns of a row unless this holds. */
export const maskedUnless = (holds: RawBuilder<unknown>, ...columns: string[]): RawBuilder<unknown> =>
  sql`case when ${holds} then '{}'::jsonb
    else (select jsonb_object_agg(name, ${JSON.stringify(confidential)}::jsonb) from unnest(${columns}::text[]) name) end`

type Part = (person: Person, sight: Sight) => RawBuilder<unknown>

/** Reads whole rows of the table `t`, with `columns` beside or instead of their own. */
export const rowsOf =
  (from: Part, columns: RawBuilder<unknown> | Part = sql`'{}'::jsonb`): Trace['read'] =>
  async (db, person, _, sight) => {
    const { rows } = await sql<{ row: TraceRow }>`
      select (to_jsonb(t) - ${left}::text[] - ${hiddenFrom(sight)})
        || ${typeof columns === 'function' ? columns(person, sight) : columns} as row from ${from(person, sight)}`.execute(
      db,
    )
    return rows.map(({ row }) => row)
  }

/** Runs these statements, one after the other. */
export const inOrder =
  (...statements: ((person: Person) => RawBuilder<unknown>)[]): NonNullable<Trace['erase']> =>
  async (tx, person) => {
    for (const statement of statements) await statement(person).execute(tx)
  }
