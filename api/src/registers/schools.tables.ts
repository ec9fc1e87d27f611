import { type SQL, sql } from 'drizzle-orm'
import { check, date, index, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import { users } from '../access/users.tables.ts'
import { createdAt, id, ref, searchText, version } from '../kit/columns.ts'
import { arrondissements, caps } from './places.tables.ts'

/** Schools; CAP and AE by `cap_id`, their names (`admin_district_as_cap`, `education_authority_as_ae`) follow from it. */
export const schools = pgTable(
  'schools',
  {
    id: id(),
    name: text('name').notNull(),
    admin_code: text('admin_code').notNull(),
    type_of_school: text('type_of_school').notNull(),
    cap_id: ref('cap_id')
      .notNull()
      .references(() => caps.id),
    arrondissement_id: ref('arrondissement_id').references(() => arrondissements.id),
    academic_year: text('academic_year').notNull(),
    user_id: ref('user_id').references(() => users.id),
    created_at: createdAt(),
    version: version(),
    search: searchText('search').generatedAlwaysAs((): SQL => sql`portal_search(name || ' ' || admin_code)`),
  },
  (t) => [
    unique('schools_admin_code_key').on(t.admin_code),
    index('schools_cap_id_index').on(t.cap_id),
    index('schools_arrondissement_id_index').on(t.arrondissement_id),
    index('schools_name_index').on(sql`${t.name} collate "fr-x-icu"`, t.id),
    index('schools_search_index').using('gin', t.search.op('gin_trgm_ops')),
    check('schools_name_check', sql`length(trim(${t.name})) > 0`),
    check('schools_admin_code_check', sql`length(trim(${t.admin_code})) > 0`),
    check('schools_academic_year_check', sql`${t.academic_year} ~ '^[0-9]{4}-[0-9]{4}$'`),
  ],
)

/** Classes of a school. */
export const classes = pgTable(
  'classes',
  {
    id: id(),
    school_id: ref('school_id')
      .notNull()
      .references(() => schools.id),
    name: text('name').notNull(),
    created_at: createdAt(),
  },
  (t) => [unique('classes_key').on(t.school_id, t.name)],
)

/** Partner organisations; their person is who signs in and reviews cases. */
export const partners = pgTable(
  'partners',
  {
    id: id(),
    name: text('name').notNull(),
    user_id: ref('user_id')
      .notNull()
      .references(() => users.id),
    partner_type: text('partner_type').notNull(),
    partner_since: date('partner_since', { mode: 'string' }).notNull(),
    created_at: createdAt(),
    version: version(),
    search: searchText('search').generatedAlwaysAs((): SQL => sql`portal_search(name)`),
  },
  (t) => [
    unique('partners_user_id_key').on(t.user_id),
    index('partners_search_index').using('gin', t.search.op('gin_trgm_ops')),
  ],
)

/** Which schools a partner supports. */
export const partnerSchools = pgTable(
  'partner_schools',
  {
    partner_id: ref('partner_id')
      .notNull()
      .references(() => partners.id, { onDelete: 'cascade' }),
    school_id: ref('school_id')
      .notNull()
      .references(() => schools.id),
  },
  (t) => [
    primaryKey({ name: 'partner_schools_key', columns: [t.partner_id, t.school_id] }),
    index('partner_schools_school_id_index').on(t.school_id),
  ],
)

/** Teachers; `natural_key` is the person's e-mail, or the phone of who has none (Registers 3.1). */
export const teachers = pgTable(
  'teachers',
  {
    id: id(),
    user_id: ref('user_id')
      .notNull()
      .references(() => users.id),
    school_id: ref('school_id')
      .notNull()
      .references(() => schools.id),
    natural_key: text('natural_key').notNull(),
    start_date: date('start_date', { mode: 'string' }),
    employment_type: text('employment_type'),
    phone_1: text('phone_1'),
    /** Last and first name, kept by the database: what lists are searched and sorted by. */
    person: text('person').notNull().default(''),
    created_at: createdAt(),
    search: searchText('search').generatedAlwaysAs(
      (): SQL =>
        sql`portal_search(person || ' ' || person || ' ' || natural_key || ' ' || coalesce(phone_1, ''))`,
    ),
  },
  (t) => [
    unique('teachers_natural_key_key').on(t.school_id, t.natural_key),
    unique('teachers_user_id_key').on(t.user_id, t.school_id),
    index('teachers_search_index').using('gin', t.search.op('gin_trgm_ops')),
    index('teachers_person_index').on(sql`${t.person} collate "fr-x-icu"`, t.id),
    index('teachers_school_id_index').on(t.school_id, t.id),
  ],
)

/** Which classes a teacher has. */
export const teacherClasses = pgTable(
  'teacher_classes',
  {
    teacher_id: ref('teacher_id')
      .notNull()
      .references(() => teachers.id, { onDelete: 'cascade' }),
    class_id: ref('class_id')
      .notNull()
      .references(() => classes.id),
  },
  (t) => [
    primaryKey({ name: 'teacher_classes_key', columns: [t.teacher_id, t.class_id] }),
    index('teacher_classes_class_id_index').on(t.class_id),
  ],
)
