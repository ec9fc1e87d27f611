import { families, girls } from '../nation.ts'
import type { Filling, Nation } from './size.ts'

const list = (names: readonly string[]) => `(array[${names.map((name) => `'${name}'`).join(', ')}])`
const first = (n: string) => `${list(girls)}[1 + ${n} % ${girls.length}]`
const family = (n: string) => `${list(families)}[1 + (${n} / ${girls.length}) % ${families.length}]`
/** Ids of people: students first, then guardians, teachers and accounts. */
export const firstAccount = ({ students, guardians, teachers }: Nation) => students + guardians + teachers + 1

/** Places, schools, people and accounts. */
export function registerRows(nation: Nation): Filling[] {
  const { students, guardians, teachers, schools, caps, accounts } = nation
  const people = students + guardians + teachers
  const fill = (table: string, columns: string, values: string, from: string): Filling => ({
    table,
    sql: `insert into ${table} (${columns}) overriding system value select ${values} from ${from}`,
  })
  const upTo = (many: number) => `generate_series(1, ${many}) n`
  const person = (n: string) => `${family(n)} || ' ' || ${first(n)}`
  return [
    fill('regions', 'id, country, name', `n, 'ml', 'REGION ' || n`, upTo(10)),
    fill('academies', 'id, region_id, name', `n, 1 + n % 10, 'AE ' || n`, upTo(20)),
    fill('caps', 'id, academy_id, name', `n, 1 + n % 20, 'CAP ' || n`, upTo(caps)),
    fill(
      'schools',
      'id, name, admin_code, type_of_school, cap_id, academic_year',
      `n, 'École ' || ${family('n')} || ' ' || n, 'ML-' || lpad(n::text, 6, '0'), 'public', 1 + n % ${caps}, '2026-2027'`,
      upTo(schools),
    ),
    fill('classes', 'id, school_id, name', `n, 1 + (n - 1) / 3, (7 + n % 3)::text`, upTo(schools * 3)),
    fill(
      'users',
      'id, first_name, last_name, gender, date_of_birth, type, email, account',
      `n, ${first('n')}, ${family('n')}, 'female', date '2008-01-01' + n % 2000,
        case when n <= ${students} then 'student' when n <= ${students + guardians} then null
          when n <= ${people} then 'teacher' else 'partner' end,
        case when n > ${people} then 'account' || n || '@portal.example' end, n > ${people}`,
      upTo(people + accounts),
    ),
    fill(
      'students',
      'id, user_id, school_id, class_id, student_code, admission_number, current_class_level, person',
      `n, n, s, 3 * s - n / ${schools} % 3, 'ML-' || lpad(n::text, 8, '0'), 'A/' || n, (7 + n % 3)::text, ${person('n')}`,
      `(select n, 1 + n % ${schools} as s from ${upTo(students)}) as each`,
    ),
    fill(
      'parents',
      'id, user_id, parent_assigned_id, contact_1, displaced_or_resident, person',
      `n, ${students} + n, 'G-' || lpad(n::text, 8, '0'), '+223' || 70000000 + n,
        case when n % 9 = 0 then 'displaced' else 'resident' end, ${person(`(n + ${students})`)}`,
      upTo(guardians),
    ),
    fill('parent_students', 'parent_id, student_id', `1 + n % ${guardians}, n`, upTo(students)),
    fill(
      'teachers',
      'id, user_id, school_id, natural_key, phone_1, person',
      `n, ${students + guardians} + n, 1 + n % ${schools}, 'T' || n, '+223' || 60000000 + n, ${person(`(n + ${students + guardians})`)}`,
      upTo(teachers),
    ),
    // Each class is reported on each school day of three months; one school of ten has been silent for the last two: schools in a row, because each tenth one has girls of one name.
    fill(
      'attendance',
      'school_id, date, who, class, enrolled, present, reported_at',
      `k.school_id, d.day, 'learners', k.name, 33, 33 - (k.id * 7 + extract(day from d.day)::int) % 12, d.day + interval '9 hours'`,
      `(select day::date from generate_series(current_date - 90, current_date, interval '1 day') g (day) where extract(isodow from day) < 6) d
        join classes k on k.school_id / 10 % 10 <> 3 or d.day < current_date - 60 order by d.day, k.id`,
    ),
  ]
}
