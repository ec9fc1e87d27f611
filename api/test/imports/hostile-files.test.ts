import { expect, test } from 'vitest'
import type { Client } from '../client.ts'
import { bookOf, exported } from '../exports/workbook.ts'
import { oneOf } from '../mutations/bytes.ts'
import { oddValues } from '../mutations/values.ts'
import { forXml, slippedXml } from '../mutations/xml.ts'
import { until } from '../portal.ts'
import { Random } from '../random.ts'
import {
  addStudents,
  startImports,
  stopped,
  student,
  studentHeadings,
  studentLine,
} from '../registers/registers.ts'
import { dayBack } from '../sync/sync.ts'
import { sheetXml, workbookParts, zip } from './workbooks.ts'

/**
 * Good lists of every register with cells that a program or a person wrote badly, over HTTP and through the worker. A failure names
 * the seed; `RANDOM_SEED` and `RANDOM_RUNS` make others, and more.
 */
const seed = Number(process.env.RANDOM_SEED ?? 20_261_130)
const runs = Number(process.env.RANDOM_RUNS ?? 1)
const { portal, owner } = await startImports(2)
type Row = Record<string, string | number | null>

const school = {
  ...{ admin_code: 'KIT-5', name: 'École de Kita 5', type_of_school: 'public', academic_year: '2026/2027' },
  ...{ admin_district_as_cap: 'CAP KITA', education_authority_as_ae: 'AE KAYES', classes: '7A; 8A' },
}
const teacher = {
  ...{
    admin_code: 'KIT-1',
    first_name: 'Moussa',
    last_name: 'Keïta',
    email: 'moussa@example.org',
    phone_1: '76123456',
  },
  ...{ classes: '7A', employment_type: 'contract', start_date: '2020-10-01' },
}
const parent = {
  ...{
    first_name: 'Fanta',
    last_name: 'Coulibaly',
    parent_assigned_id: 'P-1',
    contact_1: '76123456',
    contact_2: null,
  },
  ...{ student_codes: 'S-1', profession: 'Cultivatrice', boys_in_f1: 2, girls_in_f1: 3, is_handicap: 'non' },
}
const partner = {
  ...{
    name: 'Sahel Aid',
    email: 'aid@example.org',
    partner_type: 'ngo',
    partner_since: '2020-01-01',
    schools: 'KIT-1',
  },
}
const place = { region: 'KAYES', cercle: 'BAFOULABE', commune: 'SIDIBELA', arrondissement: 'OUSSOUBIDIAGNA' }
const day = {
  ...{
    school_admin_code: 'KIT-1',
    date: dayBack(0),
    class: '7A',
    learners_enrolled: 50,
    learners_present: 41,
  },
  ...{ teachers_enrolled: 6, teachers_present: 5 },
}
const girl = {
  ...student(1),
  gender: 'female',
  language_spoken: 'bamanankan',
  start_date: '2025-10-01',
  maternal_status: 'none',
}

const lists: [kind: string, path: string, field: string, good: Row, shown: string][] = [
  ['locations', '/admin/geo/locations/import', 'locations_file', place, '/admin/geo/locations/list'],
  ['schools', '/admin/schools/import', 'schools_file', school, '/admin/schools/list'],
  [
    'partners',
    '/admin/schools/partners/import',
    'school_partners_file',
    partner,
    '/admin/schools/partners/list',
  ],
  [
    'teachers',
    '/admin/schools/teachers/import',
    'school_teachers_file',
    teacher,
    '/admin/schools/teachers/list',
  ],
  [
    'students',
    '/admin/schools/students/import',
    'school_students_file',
    girl,
    '/admin/schools/students/list',
  ],
  ['parents', '/admin/schools/parents/import', 'school_parents_file', parent, '/admin/schools/parents/list'],
  ['attendance', '/home/attendance/import', 'attendance_file', day, '/home/messages'],
]

const numbers = [0, -1, 0.1, 1.5, 1e21, 2 ** 53, 2 ** 31, 40_942, 2_958_466, 1e-7]

/** Six rows of a list; some of their cells are odd, and sometimes the XML of the sheet is. */
function hostile(random: Random, good: Row): { what: string; file: File } {
  const what: string[] = []
  const names = Object.keys(good)
  const rows: (string | number | null)[][] = Array.from({ length: 6 }, () => Object.values(good))
  for (let n = random.between(1, 8); n > 0; n--) {
    const [row, at] = [oneOf(random, rows), random.between(0, names.length - 1)]
    row[at] = random.chance(0.25) ? oneOf(random, numbers) : oneOf(random, oddValues)
    what.push(`${names[at]}=${JSON.stringify(row[at]).slice(0, 40)}`)
  }
  const cellOf = (cell: string | number | null) =>
    typeof cell === 'number'
      ? `<c><v>${cell}</v></c>`
      : `<c t="inlineStr"><is><t>${forXml(cell ?? '')}</t></is></c>`
  const xml = sheetXml([names, ...rows].map((row) => `<row>${row.map(cellOf).join('')}</row>`).join(''))
  let bytes: Buffer = Buffer.from(xml)
  if (random.chance(0.2)) {
    const slipped = slippedXml(random, xml)
    bytes = slipped.bytes
    what.push(slipped.what)
  }
  const parts = workbookParts([{ name: 'List', xml: '' }]).map((part) =>
    part.name.endsWith('sheet1.xml') ? { ...part, data: bytes } : part,
  )
  return { what: what.join(', '), file: new File([new Uint8Array(zip(parts))], 'list.xlsx') }
}

const isSentence = (text: unknown) =>
  typeof text === 'string' && / .+\./s.test(text) && !/\[object/.test(text)

/** What is wrong with how a list is taken, its import ends and its refused rows can be read. */
async function faultsOf(
  person: Client,
  path: string,
  field: string,
  file: File,
  review: boolean,
): Promise<string[]> {
  const sent = await person.upload(`${path}${review ? '?review=1' : ''}`, { [field]: file })
  if (sent.status === 422)
    return Object.values<string[]>(sent.body.errors).flat().every(isSentence)
      ? []
      : [JSON.stringify(sent.body)]
  if (sent.status !== 200) return [`status ${sent.status} ${JSON.stringify(sent.body)}`]
  const { id } = sent.body.import
  let made = await stopped(person, id, 20_000).catch(() => null)
  if (!made) {
    const { rows } = await owner.query(
      `select state, (select output->>'message' from pgboss.job where name like 'import%' and output is not null order by created_on desc limit 1) as why from imports where id = $1`,
      [id],
    )
    return [`does not end: ${JSON.stringify(rows[0]).slice(0, 600)}`]
  }
  const faults: string[] = []
  const pages = [`/imports/${id}`, `/imports/${id}/rows?kind=rejected`, `/imports/${id}/rejected.xlsx`]
  if (made.state === 'review') {
    pages.push(`/imports/${id}/rows?kind=new`)
    for (const page of pages) faults.push(...(await read(person, page)))
    if (made.rows_new + made.rows_changed + made.rows_unchanged > 0) {
      const confirmed = await person.post(`/imports/${id}/confirm`, {})
      if (![200, 409, 422].includes(confirmed.status)) faults.push(`confirmed ${confirmed.status}`)
      made = await until(async () => {
        const now = (await person.get(`/imports/${id}`)).body.import
        return ['imported', 'failed'].includes(now.state) && now
      }, 20_000).catch(() => null)
      if (!made) return [...faults, 'does not end after the review']
    }
  } else for (const page of pages) faults.push(...(await read(person, page)))
  if (made.state === 'failed' && (!isSentence(made.problem) || /on our side/.test(made.problem)))
    faults.push(`failed: ${made.problem}`)
  for (const error of made.errors)
    if (!isSentence(error.message) || !(error.row > 0)) faults.push(JSON.stringify(error))
  return faults
}

async function read(person: Client, path: string): Promise<string[]> {
  const { status, bytes } = await person.get(path)
  if (status === 200 && path.endsWith('.xlsx')) await bookOf({ bytes })
  return status === 200 || status === 404 ? [] : [`${path} answers ${status}`]
}

test.each(lists)(
  'an officer’s broken list of %s is imported or refused, and all that is stored can be read',
  async (kind, path, field, good, shown) => {
    await addStudents(portal, 2)
    const person = await portal.signedInAs('Administrator')
    const faults: string[] = []
    for (let n = 0; n < runs; n++) {
      const random = new Random(seed + n)
      const { what, file } = hostile(random, good)
      const found = await faultsOf(person, path, field, file, random.chance(0.5))
      faults.push(...found.map((fault) => `${seed + n} ${what}: ${fault}`))
    }
    for (const page of [shown, `${shown}?search=a`, '/admin/users/audit/logs', `/imports?kind=${kind}`])
      faults.push(...(await read(person, page)))
    if (kind === 'schools' || kind === 'students')
      await bookOf(await exported(person, `/admin/schools${kind === 'students' ? '/students' : ''}/export`))
    expect(faults).toEqual([])
  },
  60_000 * runs,
)

const numbered = (r: number, cells: string[]) =>
  `<row r="${r}">${cells.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`

test.each([
  ['two rows of one number', [2, 2]],
  ['a row below the last of a sheet', [2, 3_000_000_000]],
])(
  'an officer whose workbook has %s reads at once that it is damaged, and no import is made',
  async (_, [first = 0, second = 0]) => {
    const person = await portal.signedInAs('School Officer')
    const xml = sheetXml(
      numbered(1, studentHeadings) + numbered(first, studentLine(1)) + numbered(second, studentLine(2)),
    )
    const file = new File([new Uint8Array(zip(workbookParts([{ name: 'List', xml }])))], 'list.xlsx')
    const sent = await person.upload('/admin/schools/students/import', { school_students_file: file })
    expect([sent.status, sent.body.errors?.school_students_file]).toEqual([
      422,
      ['The file is cut off or damaged. Open it in Excel, save it again and choose it once more.'],
    ])
    expect((await owner.query('select from imports')).rows).toHaveLength(0)
  },
)
