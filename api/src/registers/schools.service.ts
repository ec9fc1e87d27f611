import type { QueryOf } from '@portal/contracts/endpoint'
import type { schools as calls, School } from '@portal/contracts/registers'
import { sql } from 'drizzle-orm'
import type { Db } from '../kit/db.ts'
import { matches, paged } from '../kit/paging.ts'

/** Schools by name unless sorted otherwise; counts are of this page's schools only. */
export async function listSchools(db: Db, query: QueryOf<typeof calls.list>) {
  const list = await paged<School>(db, query, {
    columns: sql`s.id, s.name, s.admin_code, s.type_of_school, c.name as admin_district_as_cap,
      a.name as education_authority_as_ae, s.academic_year,
      (select count(*) from teachers t where t.school_id = s.id) as teachers,
      (select count(*) from students t where t.school_id = s.id) as students,
      (select count(*) from classes t where t.school_id = s.id) as classes,
      jsonb_build_object('id', c.id, 'name', c.name, 'academy', jsonb_build_object('name', a.name)) as cap,
      (select jsonb_build_object('id', r.id, 'name', r.name) from arrondissements r where r.id = s.arrondissement_id)
        as arrondissement,
      coalesce((select jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name) order by p.name)
        from partner_schools ps join partners p on p.id = ps.partner_id where ps.school_id = s.id), '[]') as partners,
      s.arrondissement_id, s.created_at, s.version`,
    from: sql`schools s join caps c on c.id = s.cap_id join academies a on a.id = c.academy_id`,
    where: [matches(sql`s.search`, query.search), query.cap && sql`s.cap_id = ${query.cap}`],
    sort: {
      name: sql`s.name collate "fr-x-icu"`,
      admin_code: sql`s.admin_code`,
      created_at: sql`s.created_at`,
    },
    order: 'name',
    key: sql`s.id`,
    total: 'schools',
  })
  return { schools: list }
}
