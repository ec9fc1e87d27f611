import { beforeEach } from 'vitest'
import type { Client } from '../client.ts'
import { rowXml, sheetXml, workbookParts, zip } from '../imports/workbooks.ts'
import { type Portal, startPortal, until } from '../portal.ts'

type Cell = string | number | null

/** A workbook as a file to upload. */
export function sheetFile(rows: Cell[][], name = 'list.xlsx'): File {
  const bytes = zip(workbookParts([{ name: 'List', xml: sheetXml(rows.map(rowXml).join('')) }]))
  return new File([new Uint8Array(bytes)], name)
}

/** A file of rows, with the names of the fields as headings. */
export const fileOf = (rows: Record<string, Cell>[]) => {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return sheetFile([names, ...rows.map((row) => names.map((name) => row[name] ?? null))])
}

/** Inserts a region with a CAP for each country, and the closed lists that the registers need. */
export async function addPlaces({ owner }: Portal): Promise<void> {
  await owner.query(`
    insert into regions (country, name) values ('ml', 'KAYES'), ('ml', 'SEGOU'), ('sn', 'KOLDA');
    insert into cercles (region_id, name) select id, c from regions, (values ('KAYES', 'BAFOULABE'), ('KAYES', 'KENIEBA'), ('SEGOU', 'MACINA'), ('KOLDA', 'VELINGARA')) v (r, c) where name = r;
    insert into communes (cercle_id, name) select id, c from cercles, (values ('BAFOULABE', 'SIDIBELA'), ('MACINA', 'KOKRY')) v (e, c) where name = e;
    insert into arrondissements (commune_id, name) select id, c from communes, (values ('SIDIBELA', 'OUSSOUBIDIAGNA'), ('KOKRY', 'KOLONGOTOMO')) v (m, c) where name = m;
    insert into academies (region_id, name) select id, a from regions, (values ('KAYES', 'AE KAYES'), ('SEGOU', 'AE SEGOU'), ('KOLDA', 'IA KOLDA')) v (r, a) where name = r;
    insert into caps (academy_id, name) select id, c from academies, (values ('AE KAYES', 'CAP KITA'), ('AE KAYES', 'CAP BAFOULABE'), ('AE SEGOU', 'CAP MACINA'), ('IA KOLDA', 'IEF VELINGARA')) v (a, c) where name = a;
    insert into reference_values (list, code, en, fr, country) values
      ('class_level', '7', 'Year 7, fundamental', '7e année, fondamentale', 'ml'), ('class_level', '8', 'Year 8, fundamental', '8e année, fondamentale', 'ml'),
      ('class_level', '6E', '6e, middle school year 1', '6e, collège', 'sn'), ('class_level', 'CM2', 'CM2', 'CM2, cours moyen 2', 'sn'),
      ('language', 'bamanankan', 'Bambara', 'Bamanankan (bambara)', 'ml'), ('school_type', 'public', 'Public school', 'École publique', null),
      ('school_type', 'community', 'Community school', 'École communautaire', null), ('partner_type', 'ngo', 'Non-governmental organisation', 'Organisation non gouvernementale', null),
      ('employment_type', 'contract', 'Contract teacher', 'Contractuel', null) on conflict do nothing`)
}

/** Schools KIT-1… of CAP KITA, with classes 7A and 8A, and VEL-1 in Senegal with class 6E. */
export async function addSchools({ owner }: Portal, count = 2): Promise<void> {
  await owner.query(
    `insert into schools (name, admin_code, type_of_school, cap_id, academic_year)
     select 'École de Kita ' || n, 'KIT-' || n, 'public', c.id, '2026-2027' from caps c, generate_series(1, $1::int) n where c.name = 'CAP KITA'`,
    [count],
  )
  await owner.query(`insert into schools (name, admin_code, type_of_school, cap_id, academic_year)
    select 'CEM de Vélingara', 'VEL-1', 'public', id, '2026-2027' from caps where name = 'IEF VELINGARA'`)
  await owner.query(`insert into classes (school_id, name)
    select s.id, k from schools s, (values ('KIT', '7A'), ('KIT', '8A'), ('VEL', '6E')) v (p, k) where s.admin_code like p || '%'`)
}

/** Students S-1… of KIT-1, class 7A, with their persons. */
export async function addStudents({ owner }: Portal, count: number, prefix = 'S'): Promise<void> {
  await owner.query(
    `with u as (insert into users (first_name, last_name, gender, date_of_birth, type)
       select 'Aïssata', 'Traoré ' || n, 'female', '2012-02-03', 'student' from generate_series(1, $1::int) n order by n returning id)
     insert into students (user_id, school_id, class_id, student_code, student_assigned_id, current_class_level, maternal_status)
     select u.id, s.id, k.id, $2 || '-' || row_number() over (order by u.id), 'A' || row_number() over (order by u.id), '7', 'none'
     from u, schools s join classes k on k.school_id = s.id and k.name = '7A' where s.admin_code = 'KIT-1'`,
    [count, prefix],
  )
}

/** The columns that every list of students has, and a row of it. */
export const studentHeadings = [
  'student_code',
  'first_name',
  'last_name',
  'date_of_birth',
  'admin_code',
  'current_class_level',
]
export const studentLine = (n: number) => [`S-${n}`, 'Awa', 'Ba', '03/02/2012', 'KIT-1', '7']

/** A valid row of a file of students. */
export const student = (n: number, cells: Record<string, Cell> = {}): Record<string, Cell> => ({
  student_code: `S-${n}`,
  first_name: 'Aïssata',
  last_name: `Traoré ${n}`,
  date_of_birth: '03/02/2012',
  admin_code: 'KIT-1',
  class: '7A',
  current_class_level: '7',
  ...cells,
})

const fields = {
  locations: ['/admin/geo/locations/import', 'locations_file'],
  schools: ['/admin/schools/import', 'schools_file'],
  partners: ['/admin/schools/partners/import', 'school_partners_file'],
  teachers: ['/admin/schools/teachers/import', 'school_teachers_file'],
  students: ['/admin/schools/students/import', 'school_students_file'],
  parents: ['/admin/schools/parents/import', 'school_parents_file'],
} as const

/** Uploads a file of a register. With `review` the import stops in review. */
export function send(person: Client, kind: keyof typeof fields, file: File, review = false) {
  const [path, field] = fields[kind]
  return person.upload(`${path}${review ? '?review=1' : ''}`, { [field]: file })
}

/** Waits until the import is in review or has ended, and returns it. */
// biome-ignore lint/suspicious/noExplicitAny: an answer of the api, checked against its contract there
export function stopped(person: Client, id: number, ms = 30_000): Promise<any> {
  return until(async () => {
    const { body } = await person.get(`/imports/${id}`)
    return ['review', 'imported', 'failed', 'cancelled'].includes(body.import?.state) && body.import
  }, ms)
}

/** Uploads a file and waits until its import is in review or has ended. */
export async function imported(person: Client, kind: keyof typeof fields, file: File, review = false) {
  const sent = await send(person, kind, file, review)
  if (sent.status !== 200) throw new Error(JSON.stringify(sent.body))
  return stopped(person, sent.body.import.id)
}

/** A portal with a worker for tests of imports. Each test begins with the places of `addPlaces`, and with this many schools. */
export async function startImports(schools = 0) {
  const portal = await startPortal()
  const { owner } = portal
  await portal.worker()
  beforeEach(async () => {
    await portal.clear()
    await addPlaces(portal)
    if (schools > 0) await addSchools(portal, schools)
  })
  const all = async (query: string) => (await owner.query(query)).rows
  return {
    ...{ portal, owner, all },
    /** The first row of a query. */
    one: async (query: string) => (await all(query))[0],
    officer: () => portal.signedInAs('School Officer'),
  }
}
