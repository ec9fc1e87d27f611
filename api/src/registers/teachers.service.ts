import type { QueryOf } from '@portal/contracts/endpoint'
import { teacherFields } from '@portal/contracts/registers/teachers.fields'
import type { teachers as calls, Teacher } from '@portal/contracts/registers-teachers'
import { sql } from 'kysely'
import { type Db, rows } from '../kit/database/db.ts'
import { matches, paged } from '../kit/database/paging.ts'
import { ownColumns } from './field-columns.ts'

/** Teachers, sorted by name by default. */
export async function listTeachers(db: Db, query: QueryOf<typeof calls.list>) {
  const list = await paged<Teacher>(db, query, {
    columns: sql`t.id, jsonb_build_object('id', u.id, 'first_name', u.first_name, 'last_name', u.last_name, 'email', u.email,
        'gender', u.gender) as "user",
      jsonb_build_object('id', s.id, 'name', s.name, 'admin_code', s.admin_code) as school,
      coalesce((select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name) order by length(c.name), c.name)
        from teacher_classes tc join classes c on c.id = tc.class_id where tc.teacher_id = t.id), '[]') as classes,
      ${ownColumns(teacherFields, sql`t`)}`,
    from: sql`teachers t join users u on u.id = t.user_id join schools s on s.id = t.school_id`,
    narrow: query.sort?.endsWith('first_name')
      ? sql`teachers t join users u on u.id = t.user_id`
      : query.sort?.endsWith('school')
        ? sql`teachers t join schools s on s.id = t.school_id`
        : sql`teachers t`,
    where: [
      matches(sql`t.search`, query.search),
      query.school && sql`t.school_id = ${query.school}`,
      query.cap && sql`t.school_id = any(array(select id from schools where cap_id = ${query.cap}))`,
      query.region && schoolsOfRegion(query.region, 't'),
      query.employment_type && sql`t.employment_type = ${query.employment_type}`,
    ],
    sort: {
      last_name: sql`t.person collate "fr-x-icu"`,
      first_name: sql`u.first_name collate "fr-x-icu"`,
      school: sql`s.name collate "fr-x-icu"`,
      start_date: sql`t.start_date`,
    },
    order: 'last_name',
    key: sql`t.id`,
    total: 'teachers',
  })
  return { teachers: list }
}

/** A condition: the school of the row lies in this region. */
export const schoolsOfRegion = (region: number, alias: 't' | 's') =>
  sql`${sql.id(alias)}.school_id = any(array(${schoolsIn(region)}))`

const schoolsIn = (region: number) => sql<{ id: number }>`
  select sc.id from schools sc join caps c on c.id = sc.cap_id join academies a on a.id = c.academy_id where a.region_id = ${region}`

/** The ids of the schools of a region. */
export const schoolIdsOfRegion = async (db: Db, region: number) =>
  (await rows(db, schoolsIn(region))).map(({ id }) => id)
