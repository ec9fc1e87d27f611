import { type SQL, sql } from 'drizzle-orm'
import { boolean, check, date, index, integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import { users } from '../access/users.tables.ts'
import { createdAt, id, ref, searchText, version } from '../kit/columns.ts'
import { classes, schools } from './schools.tables.ts'

/** The disability scale (Registers 3.2). */
export type Severity = 'no_difficulty' | 'some_difficulty' | 'lot_of_difficulty' | 'cannot_do'
const severity = (name: string) => text(name).$type<Severity>()
const scale = sql.raw(`('no_difficulty', 'some_difficulty', 'lot_of_difficulty', 'cannot_do')`)

/** Students. Maternal status and disability are for `students.sensitive` only (Access 5.1). */
export const students = pgTable(
  'students',
  {
    id: id(),
    user_id: ref('user_id')
      .notNull()
      .references(() => users.id),
    school_id: ref('school_id')
      .notNull()
      .references(() => schools.id),
    class_id: ref('class_id').references(() => classes.id),
    student_code: text('student_code').notNull(),
    student_assigned_id: text('student_assigned_id'),
    current_class_level: text('current_class_level'),
    admission_number: text('admission_number'),
    academic_year: text('academic_year'),
    start_date: date('start_date', { mode: 'string' }),
    language_spoken: text('language_spoken'),
    maternal_status: text('maternal_status').$type<'none' | 'pregnant' | 'mother' | 'pregnant_mother'>(),
    disability_vision: severity('disability_vision'),
    disability_hearing: severity('disability_hearing'),
    disability_mobility: severity('disability_mobility'),
    disability_cognition: severity('disability_cognition'),
    disability_selfcare: severity('disability_selfcare'),
    disability_communication: severity('disability_communication'),
    disability_other: severity('disability_other'),
    /** Last and first name, kept by the database: what lists are searched and sorted by. */
    person: text('person').notNull().default(''),
    version: version(),
    created_at: createdAt(),
    search: searchText('search').generatedAlwaysAs(
      (): SQL =>
        sql`portal_search(person || ' ' || person || ' ' || student_code || ' ' || coalesce(student_assigned_id, '') || ' ' || coalesce(admission_number, ''))`,
    ),
  },
  (t) => [
    unique('students_student_code_key').on(t.student_code),
    unique('students_user_id_key').on(t.user_id),
    index('students_school_id_index').on(t.school_id, t.id),
    index('students_class_id_index').on(t.class_id),
    index('students_person_index').on(sql`${t.person} collate "fr-x-icu"`, t.id),
    index('students_class_level_index').on(t.current_class_level, t.id),
    index('students_search_index').using('gin', t.search.op('gin_trgm_ops')),
    check('students_student_code_check', sql`length(trim(${t.student_code})) > 0`),
    check(
      'students_maternal_status_check',
      sql`${t.maternal_status} in ('none', 'pregnant', 'mother', 'pregnant_mother')`,
    ),
    ...[
      ['vision', t.disability_vision] as const,
      ['hearing', t.disability_hearing] as const,
      ['mobility', t.disability_mobility] as const,
      ['cognition', t.disability_cognition] as const,
      ['selfcare', t.disability_selfcare] as const,
      ['communication', t.disability_communication] as const,
      ['other', t.disability_other] as const,
    ].map(([name, column]) => check(`students_${name}_check`, sql`${column} in ${scale}`)),
  ],
)

/** Guardians. */
export const parents = pgTable(
  'parents',
  {
    id: id(),
    user_id: ref('user_id')
      .notNull()
      .references(() => users.id),
    parent_assigned_id: text('parent_assigned_id').notNull(),
    contact_1: text('contact_1'),
    contact_2: text('contact_2'),
    displaced_or_resident: text('displaced_or_resident').$type<'displaced' | 'resident'>(),
    is_handicap: boolean('is_handicap'),
    profession: text('profession'),
    boys_in_f1: integer('boys_in_f1'),
    girls_in_f1: integer('girls_in_f1'),
    /** Last and first name, kept by the database: what lists are searched and sorted by. */
    person: text('person').notNull().default(''),
    version: version(),
    created_at: createdAt(),
    search: searchText('search').generatedAlwaysAs(
      (): SQL =>
        sql`portal_search(person || ' ' || person || ' ' || parent_assigned_id || ' ' || coalesce(contact_1, '') || ' ' || coalesce(contact_2, ''))`,
    ),
  },
  (t) => [
    unique('parents_parent_assigned_id_key').on(t.parent_assigned_id),
    unique('parents_user_id_key').on(t.user_id),
    index('parents_person_index').on(sql`${t.person} collate "fr-x-icu"`, t.id),
    index('parents_search_index').using('gin', t.search.op('gin_trgm_ops')),
    check('parents_displaced_check', sql`${t.displaced_or_resident} in ('displaced', 'resident')`),
    check('parents_children_check', sql`${t.boys_in_f1} >= 0 and ${t.girls_in_f1} >= 0`),
  ],
)

/** Whose guardian a parent is. */
export const parentStudents = pgTable(
  'parent_students',
  {
    parent_id: ref('parent_id')
      .notNull()
      .references(() => parents.id, { onDelete: 'cascade' }),
    student_id: ref('student_id')
      .notNull()
      .references(() => students.id),
  },
  (t) => [
    primaryKey({ name: 'parent_students_key', columns: [t.parent_id, t.student_id] }),
    index('parent_students_student_id_index').on(t.student_id),
  ],
)
