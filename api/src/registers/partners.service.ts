import type { QueryOf } from '@portal/contracts/endpoint'
import { partnerFields } from '@portal/contracts/registers/partners.fields'
import type { partners as calls, Partner, PartnerEdit } from '@portal/contracts/registers-partners'
import type { Locale } from '@portal/contracts/sentences'
import { sql } from 'kysely'
import { type Db, rows, transaction } from '../kit/database/db.ts'
import { matches, paged } from '../kit/database/paging.ts'
import { invalid, notFound } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import { isListed, lockVersion, saveChanges } from './edit.service.ts'
import { ownColumns } from './field-columns.ts'
import { text } from './messages.ts'

const from = sql`partners p join users u on u.id = p.user_id`
const supported = sql`(select count(*) from partner_schools ps where ps.partner_id = p.id)`
const columns = sql`p.id, ${ownColumns(partnerFields, sql`p`)},
  jsonb_build_object('id', u.id, 'first_name', u.first_name, 'last_name', u.last_name, 'email', u.email) as "user",
  coalesce((select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name) from (
    select s.id, s.name from partner_schools ps join schools s on s.id = ps.school_id where ps.partner_id = p.id
    order by s.name collate "fr-x-icu" limit 20) s), '[]') as schools,
  ${supported} as schools_count, p.created_at, p.version`

/** SQL: the name of a partner's type in a language. */
const typeIn = (locale: Locale) =>
  sql`(select r.${sql.id(locale)} from reference_values r where r.list = 'partner_type' and r.code = p.partner_type)`

/** Partners, sorted by name by default. */
export async function listPartners(db: Db, locale: Locale, query: QueryOf<typeof calls.list>) {
  const list = await paged<Partner>(db, query, {
    columns,
    from,
    where: [
      matches(sql`p.search || ' ' || u.search`, query.search),
      query.type && sql`p.partner_type = ${query.type}`,
      query.school &&
        sql`exists (select from partner_schools ps where ps.partner_id = p.id and ps.school_id = ${query.school})`,
    ],
    sort: {
      name: sql`p.name collate "fr-x-icu"`,
      partner_since: sql`p.partner_since`,
      partner_type: sql`${typeIn(locale)} collate "fr-x-icu"`,
      schools: supported,
    },
    order: 'name',
    key: sql`p.id`,
    total: 'partners',
  })
  return { partners: list }
}

/** Reads one partner, or throws 404. */
export async function readPartner(db: Db, id: number): Promise<Partner> {
  const [partner] = await rows(db, sql<Partner>`select ${columns} from ${from} where p.id = ${id}`)
  if (!partner) throw notFound()
  return partner
}

/** Changes a partner. */
export function updatePartner(db: Db, actor: Actor, id: number, edit: PartnerEdit): Promise<void> {
  return transaction(db, async (tx) => {
    const stored = await lockVersion<{ id: number; partner_type: string }>(
      tx,
      sql`select * from partners where id = ${id} for update`,
      edit.version,
    )
    const { version: _, ...fields } = edit
    if (
      fields.partner_type !== stored.partner_type &&
      !(await isListed(tx, 'partner_type', fields.partner_type))
    )
      throw invalid({ partner_type: text.typeUnknown })
    await saveChanges(
      tx,
      actor,
      { table: 'partners', subject: 'partner', version: edit.version },
      stored,
      fields,
    )
  })
}
