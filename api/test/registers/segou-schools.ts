import { sql } from 'kysely'
import type { Portal } from '../portal.ts'

/** Adds so many schools of the CAP of Ségou, which are called by their number. */
export async function addSegouSchools({ db }: Portal, count: number) {
  await sql`insert into regions (country, name) values ('ml', 'SÉGOU')`.execute(db)
  await sql`insert into academies (region_id, name) select id, 'AE SÉGOU' from regions`.execute(db)
  await sql`insert into caps (academy_id, name) select id, 'CAP SÉGOU' from academies`.execute(db)
  await sql`insert into schools (name, admin_code, type_of_school, cap_id, academic_year)
    select 'École ' || lpad(n::text, 5, '0'), 'SEG-' || n, 'primary', c.id, '2026-2027' from caps c, generate_series(1, ${count}::int) n
  `.execute(db)
}
