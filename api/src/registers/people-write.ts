import { type RawBuilder, sql } from 'kysely'
import { given, of } from '../imports/import-parts.service.ts'
import type { Tx } from '../kit/database/db.ts'

type PersonType = 'teacher' | 'student' | 'partner' | null

/**
 * Inserts a person for each new register row; `part` is a table `p` of staged rows. PostgreSQL assigns the ids in the
 * order of the rows, so the lowest id belongs to the first row. Returns a table `u` (id, n) to join with
 * `numbered(part)`.
 */
export async function insertPersons(
  tx: Tx,
  part: RawBuilder<unknown>,
  type: PersonType,
): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ id: number }>`
    insert into users (first_name, last_name, gender, date_of_birth, type)
    select ${of('first_name')}, ${of('last_name')}, ${of('gender')}, (${of('date_of_birth')})::date, ${type}
    from ${part} order by p."row" returning id`.execute(tx)
  const ids = rows.map(({ id }) => id).sort((a, b) => a - b)
  return sql`unnest(${ids}::bigint[]) with ordinality as u (id, n)`
}

/** The staged rows with their row number `n`, as table `p`. */
export const numbered = (part: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select p.*, row_number() over (order by p."row") as n from ${part}) p`

/**
 * Updates the names, gender and birth date of stored persons. People with an account are left out, because they
 * maintain their own names.
 */
export async function updatePersons(
  tx: Tx,
  part: RawBuilder<unknown>,
  table: RawBuilder<unknown>,
): Promise<void> {
  const first = given('first_name', 'text', sql`u.first_name`)
  const last = given('last_name', 'text', sql`u.last_name`)
  const gender = given('gender', 'text', sql`u.gender`)
  const born = given('date_of_birth', 'date', sql`u.date_of_birth`)
  await sql`
    update users u set first_name = ${first}, last_name = ${last}, gender = ${gender}, date_of_birth = ${born}, updated_at = now()
    from ${part} join ${table} r on r.id = p.subject_id
    where u.id = r.user_id and not u.account
      and (u.first_name, u.last_name, u.gender, u.date_of_birth) is distinct from (${first}, ${last}, ${gender}, ${born})
  `.execute(tx)
}

type Links = {
  table: RawBuilder<unknown>
  owner: RawBuilder<unknown>
  other: RawBuilder<unknown>
  ids: string
}

/** Replaces a set of links by those that the cell names. A row with a blank cell keeps its links. */
export async function replaceLinks(
  tx: Tx,
  owners: RawBuilder<unknown>,
  { table, owner, other, ids }: Links,
): Promise<void> {
  const list = sql.raw(`'${ids}'`)
  await sql`
    delete from ${table} l using ${owners} where l.${owner} = p.owner_id and p.entry->${list} is not null
      and not (p.entry->${list} @> to_jsonb(l.${other}))`.execute(tx)
  await sql`
    insert into ${table} (${owner}, ${other})
    select p.owner_id, x.id::bigint from ${owners} cross join jsonb_array_elements_text(p.entry->${list}) x (id)
    on conflict do nothing`.execute(tx)
}
