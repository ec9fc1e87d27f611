import type { Erasure, PersonKind, personData } from '@portal/contracts/access/person-data'
import type { QueryOf } from '@portal/contracts/endpoint'
import type { Page } from '@portal/contracts/fields'
import { fill, type Locale, type Text } from '@portal/contracts/sentences'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../kit/database/db.ts'
import { paged } from '../kit/database/paging.ts'
import { isOverdue } from './approved-erasures.service.ts'

type Row = Omit<Erasure, 'bars'> & { bars: Text[] }

const who = (user: RawBuilder<unknown>) =>
  sql`jsonb_build_object('id', ${user}.id, 'first_name', ${user}.first_name, 'last_name', ${user}.last_name)`

/** The name is read from the registers, so that it is forgotten there with the person. */
const columns = sql`e.id, e.kind, e.record_id,
  case when e.state = 'erased' then null else coalesce(p.first_name || ' ' || p.last_name, r.first_name || ' ' || r.last_name) end as name,
  e.state, e.reason, e.stop_paying, e.cases, e.other_cases, ${who(sql`a`)} as asked_by, e.created_at,
  case when d.id is not null then ${who(sql`d`)} end as decided_by, e.decided_at, ${isOverdue} as overdue, e.decision, e.bars, e.version`

const tables = sql`erasure_requests e join users a on a.id = e.user_id left join users d on d.id = e.decided_by
  left join students s on e.subject_type = 'student' and s.id = e.subject_id
  left join parents g on e.subject_type = 'parent' and g.id = e.subject_id
  left join teachers t on e.subject_type = 'teacher' and t.id = e.subject_id
  left join referrals r on e.subject_type = 'referral' and r.id = e.subject_id
  left join users p on p.id = coalesce(s.user_id, g.user_id, t.user_id, case e.subject_type when 'user' then e.subject_id end)`

const spoken = (row: Row, locale: Locale): Erasure => ({
  ...row,
  bars: row.bars.map((bar) => fill(bar, locale)),
})

/** The requests to erase, the latest first. */
export async function listErasures(
  db: Db,
  locale: Locale,
  query: QueryOf<typeof personData.erasures>,
): Promise<Page<Erasure>> {
  const found = await paged<Row>(db, query, {
    columns,
    from: tables,
    where: [query.state && sql`e.state = ${query.state}`],
    sort: { created_at: sql`e.created_at` },
    order: '-created_at',
    key: sql`e.id`,
  })
  return { ...found, data: found.data.map((row) => spoken(row, locale)) }
}

/** The latest request on the person of this record. */
export async function latestErasure(
  db: Db,
  locale: Locale,
  { kind, id }: { kind: PersonKind; id: number },
): Promise<Erasure | null> {
  const { rows } = await sql<Row>`
    select ${columns} from ${tables} where e.kind = ${kind} and e.record_id = ${id} order by e.id desc limit 1`.execute(
    db,
  )
  return rows[0] ? spoken(rows[0], locale) : null
}
