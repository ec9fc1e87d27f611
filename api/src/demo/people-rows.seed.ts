import { sql } from 'kysely'
import type { Tx } from '../kit/database/db.ts'
import { at, insertAll } from './bulk.ts'
import { dayAfter, momentOf } from './days.ts'
import { academicYear, functions } from './families.seed.ts'
import type { Registers } from './registers.seed.ts'

/** The ids of the written rows, in the order of the registers' lists. */
export type WrittenRegisters = {
  schools: number[]
  classes: number[]
  teachers: number[]
  guardians: number[]
  students: number[]
}

type Key = { key: string; id: number }

/** Writes schools, classes and people. `partners` are the ids of the partners that support the schools. */
export async function addRegisters(
  tx: Tx,
  registers: Registers,
  partners: readonly number[],
  author: number,
  today: string,
): Promise<WrittenRegisters> {
  const schools = await addSchools(tx, registers, author, today)
  await addSupport(tx, registers, schools, partners)
  const classes = await insertAll(
    tx,
    'classes',
    { school_id: 'bigint', name: 'text' },
    registers.classes.map(({ school, name }) => ({ school_id: at(schools, school), name })),
  )
  const teachers = await addTeachers(tx, registers, schools, classes)
  const guardians = await addGuardians(tx, registers)
  const students = await addStudents(tx, registers, schools, classes, guardians, today)
  return { schools, classes, teachers, guardians, students }
}

async function addSchools(tx: Tx, { schools }: Registers, author: number, today: string): Promise<number[]> {
  const caps = await keyed(
    tx,
    sql`
    select g.country || '/' || a.name || '/' || p.name as key, p.id
    from caps p join academies a on a.id = p.academy_id join regions g on g.id = a.region_id`,
  )
  const places = await keyed(
    tx,
    sql`
    select g.country || '/' || g.name || '/' || c.name || '/' || m.name || '/' || a.name as key, a.id
    from arrondissements a join communes m on m.id = a.commune_id join cercles c on c.id = m.cercle_id
    join regions g on g.id = c.region_id`,
  )
  const rows = schools.map(({ country, academy, cap, place, name, admin_code, type_of_school }, k) => ({
    name,
    admin_code,
    type_of_school,
    cap_id: caps.get([country, academy, cap].join('/')),
    arrondissement_id: places.get(
      [country, place.region, place.cercle, place.commune, place.arrondissement].join('/'),
    ),
    academic_year: academicYear(today),
    user_id: author,
    created_at: momentOf(dayAfter(today, -480 + (k % 60))),
  }))
  const types = {
    name: 'text',
    admin_code: 'text',
    type_of_school: 'text',
    cap_id: 'bigint',
    arrondissement_id: 'bigint',
    academic_year: 'text',
    user_id: 'bigint',
    created_at: 'timestamptz',
  }
  return insertAll(tx, 'schools', types, rows)
}

/** Links most schools to one or two partners. The last partner works in Senegal only. */
async function addSupport(
  tx: Tx,
  { schools }: Registers,
  ids: readonly number[],
  partners: readonly number[],
): Promise<void> {
  const rows = schools.flatMap(({ country }, k) => {
    if (country === 'sn') return [{ partner_id: at(partners, partners.length - 1), school_id: at(ids, k) }]
    const own = k % 9 === 4 ? [] : k % 7 === 2 ? [k % 4, (k + 1) % 4] : [k % 4]
    return own.map((one) => ({ partner_id: at(partners, one), school_id: at(ids, k) }))
  })
  await insertAll(tx, 'partner_schools', { partner_id: 'bigint', school_id: 'bigint' }, rows, {
    withId: false,
  })
}

async function addTeachers(
  tx: Tx,
  registers: Registers,
  schools: number[],
  classes: number[],
): Promise<number[]> {
  const { teachers } = registers
  const types = {
    first_name: 'text',
    last_name: 'text',
    gender: 'text',
    type: 'text',
    email: 'text',
    user_title: 'text',
  }
  const users = await insertAll(
    tx,
    'users',
    types,
    teachers.map((teacher) => ({ ...teacher, type: 'teacher', classes: undefined })),
  )
  const rows = teachers.map(({ school, email, phone_1, start_date, employment_type }, k) => ({
    user_id: at(users, k),
    school_id: at(schools, school),
    natural_key: email ?? phone_1,
    start_date,
    employment_type,
    phone_1,
  }))
  const ids = await insertAll(
    tx,
    'teachers',
    {
      user_id: 'bigint',
      school_id: 'bigint',
      natural_key: 'text',
      start_date: 'date',
      employment_type: 'text',
      phone_1: 'text',
    },
    rows,
  )
  const links = teachers.flatMap((teacher, k) =>
    teacher.classes.map((one) => ({ teacher_id: at(ids, k), class_id: at(classes, one) })),
  )
  await insertAll(tx, 'teacher_classes', { teacher_id: 'bigint', class_id: 'bigint' }, links, {
    withId: false,
  })
  return ids
}

async function addGuardians(tx: Tx, { guardians }: Registers): Promise<number[]> {
  // None of the four types of users is for guardians, so theirs stays empty.
  const users = await insertAll(
    tx,
    'users',
    { first_name: 'text', last_name: 'text', gender: 'text' },
    guardians,
  )
  const types = {
    user_id: 'bigint',
    parent_assigned_id: 'text',
    contact_1: 'text',
    contact_2: 'text',
    displaced_or_resident: 'text',
    is_handicap: 'boolean',
    profession: 'text',
    boys_in_f1: 'int',
    girls_in_f1: 'int',
  }
  return insertAll(
    tx,
    'parents',
    types,
    guardians.map((guardian, k) => ({ ...guardian, user_id: at(users, k) })),
  )
}

async function addStudents(
  tx: Tx,
  registers: Registers,
  schools: number[],
  classes: number[],
  guardians: number[],
  today: string,
): Promise<number[]> {
  const { students } = registers
  const person = {
    first_name: 'text',
    last_name: 'text',
    gender: 'text',
    type: 'text',
    date_of_birth: 'date',
  }
  const users = await insertAll(
    tx,
    'users',
    person,
    students.map(({ first_name, last_name, gender, date_of_birth }) => ({
      first_name,
      last_name,
      gender,
      type: 'student',
      date_of_birth,
    })),
  )
  const types = {
    user_id: 'bigint',
    school_id: 'bigint',
    class_id: 'bigint',
    student_code: 'text',
    student_assigned_id: 'text',
    current_class_level: 'text',
    admission_number: 'text',
    academic_year: 'text',
    start_date: 'date',
    language_spoken: 'text',
    maternal_status: 'text',
    ...Object.fromEntries(functions.map((name) => [`disability_${name}`, 'text'])),
  }
  const rows = students.map((student, k) => ({
    ...student,
    ...Object.fromEntries(functions.map((name) => [`disability_${name}`, student.disability[name]])),
    disability: undefined,
    user_id: at(users, k),
    school_id: at(schools, student.school),
    class_id: at(classes, student.class),
    academic_year: academicYear(today),
  }))
  const ids = await insertAll(tx, 'students', types, rows)
  const links = students.map(({ guardian }, k) => ({
    parent_id: at(guardians, guardian),
    student_id: at(ids, k),
  }))
  await insertAll(tx, 'parent_students', { parent_id: 'bigint', student_id: 'bigint' }, links, {
    withId: false,
  })
  return ids
}

async function keyed(tx: Tx, statement: ReturnType<typeof sql>): Promise<Map<string, number>> {
  const { rows } = await statement.$castTo<Key>().execute(tx)
  return new Map(rows.map(({ key, id }) => [key, id]))
}
