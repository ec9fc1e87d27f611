import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import type { Db } from '../api/src/kit/database/db.ts'
import { rowXml, workbookOf } from '../api/test/imports/workbooks.ts'
import type { Visitor } from './visitor.ts'

export const girls = [
  'Awa',
  'Fatoumata',
  'Mariam',
  'Kadiatou',
  'Aïssata',
  'Oumou',
  'Djénéba',
  'Salimata',
  'Rokia',
  'Assétou',
]
export const families = [
  'Traoré',
  'Coulibaly',
  'Diarra',
  'Keïta',
  'Dembélé',
  'Koné',
  'Sissoko',
  'Sidibé',
  'Cissé',
  'Touré',
  'Diallo',
  'Sangaré',
  'Maïga',
]

/** Inserts `schools` schools with three classes each in ten CAPs, and the class levels of Mali. */
export async function addSchools(db: Db, schools: number): Promise<void> {
  await sql`insert into regions (country, name) values ('ml', 'KAYES')`.execute(db)
  await sql`insert into academies (region_id, name) select id, 'AE KAYES' from regions`.execute(db)
  await sql`
    insert into caps (academy_id, name) select id, 'CAP ' || n from academies, generate_series(0, 9) n
  `.execute(db)
  await sql`
    insert into schools (name, admin_code, type_of_school, cap_id, academic_year)
    select 'École ' || n, 'ML-' || lpad(n::text, 4, '0'), 'public', c.id, '2026-2027'
    from generate_series(0, ${schools - 1}::int) n join caps c on c.name = 'CAP ' || n % 10 order by n
  `.execute(db)
  await sql`
    insert into classes (school_id, name) select id, k from schools, (values ('7'), ('8'), ('9')) v (k)
  `.execute(db)
  await sql`
    insert into reference_values (list, code, en, fr, country) select 'class_level', n::text, 'Year ' || n, n || 'e année', 'ml'
    from generate_series(1, 12) n on conflict do nothing`.execute(db)
}

/** Inserts `students` students spread over all schools, directly into the database. */
export async function addStudents(db: Db, students: number): Promise<void> {
  const names = (list: string[]) => sql`${list}::text[]`
  await sql`
    with u as (
      insert into users (first_name, last_name, gender, date_of_birth, type)
      select (${names(girls)})[1 + n % 10], (${names(families)})[1 + (n / 10) % 13] || ' ' || n, 'female', '2012-02-03', 'student'
      from generate_series(1, ${students}::int) n order by n returning id
    ), s as (select u.id, row_number() over (order by u.id) as n from u),
    k as (select id, school_id, row_number() over (order by id) as n, count(*) over () as many from classes)
    insert into students (user_id, school_id, class_id, student_code, current_class_level)
    select s.id, k.school_id, k.id, 'OLD-' || lpad(s.n::text, 6, '0'), '7' from s join k on k.n = 1 + s.n % k.many
  `.execute(db)
  await sql`
    update students s set person = u.last_name || ' ' || u.first_name from users u where u.id = s.user_id and person = ''
  `.execute(db)
}

const severities = ['no_difficulty', 'some_difficulty']

/** A file of students with every column of the sheet filled, like an exported file. */
export function studentsFile(count: number, schools: number): File {
  const headings = [
    'student_code',
    'first_name',
    'last_name',
    'gender',
    'date_of_birth',
    'admin_code',
    'class',
    'current_class_level',
    'student_assigned_id',
    'admission_number',
    'academic_year',
    'start_date',
    'maternal_status',
    'disability_vision',
    'disability_hearing',
    'disability_mobility',
    'disability_cognition',
    'disability_selfcare',
    'disability_communication',
    'disability_other',
  ]
  const rows = Array.from({ length: count }, (_, n) => {
    const level = String(7 + (n % 3))
    const severity = severities[n % 50 === 0 ? 1 : 0] ?? ''
    return [
      `NEW-${String(n).padStart(6, '0')}`,
      girls[n % 10] ?? '',
      families[n % 13] ?? '',
      'F',
      '03/02/2012',
      `ML-${String(n % schools).padStart(4, '0')}`,
      level,
      level,
      `A/${n}`,
      `2026-${n}`,
      '2026-2027',
      '01/10/2025',
      'none',
      ...Array.from({ length: 7 }, () => severity),
    ]
  })
  const path = workbookOf([headings, ...rows].map(rowXml).join(''))
  return new File([readFileSync(path)], 'students.xlsx')
}

/** Uploads a file of students. Returns the id of the import. */
export async function sendStudents({ url, headers }: Visitor, file: File, review: boolean): Promise<number> {
  const form = new FormData()
  form.append('school_students_file', file)
  const answer = await fetch(`${url}/admin/schools/students/import${review ? '?review=1' : ''}`, {
    method: 'POST',
    headers,
    body: form,
  })
  const { import: task } = (await answer.json()) as { import?: { id: number } }
  if (!task) throw new Error(`The upload answered ${answer.status}`)
  return task.id
}
