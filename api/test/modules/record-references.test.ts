import type { Permission } from '@portal/contracts/permissions'
import exceljs from 'exceljs'
import { expect, test } from 'vitest'
import { transaction } from '../../src/kit/database/db.ts'
import { findPerson } from '../../src/privacy/person.service.ts'
import { traces } from '../../src/privacy/traces.ts'
import { startPortal, until } from '../portal.ts'
import { addPlaces, addSchools, addStudents } from '../registers/registers.ts'
import { declared, label, meal, mealStage, meals } from './meal-stage.ts'
import { release } from './modules.ts'

const portal = await startPortal({ moduleOverride: true })
mealStage(portal)
const { registry } = portal.context

const leads = (name: string, to: string, others = {}) => ({
  ...{ name, label: label(name, name), type: 'reference', to, filter: true },
  ...others,
})
const fields = [
  leads('school', 'school', { required: true }),
  leads('girl', 'student'),
  leads('about', 'case'),
]

/** Two schools, a girl, and two meals: the first is of the first school and names the girl, the other is of the second. */
async function recordedMeals() {
  await release(registry, {
    ...declared('5.0.0', false),
    collections: [{ name: 'meals', read: meal, write: meal, fields }],
  })
  await addPlaces(portal)
  await addSchools(portal, 2)
  const { rows: schools } = await portal.owner.query(
    'select id, admin_code as code, name from schools order by id',
  )
  await addStudents(portal, 1)
  const { rows: girls } = await portal.owner.query('select id, student_code as code from students')
  const nurse = await portal.signedIn(meal, 'schools.view', 'students.view')
  const data = { school: schools[0].id, girl: girls[0].id }
  const saved = await nurse.post(meals, { data: { ...data, school: String(data.school) } })
  await nurse.post(meals, { data: { school: schools[1].id } })
  return { schools, girl: girls[0], nurse, cook: await portal.signedIn(meal), data, saved }
}

test('a record leads to schools, students and cases, for whoever may see them', async () => {
  const { schools, girl, nurse, cook, data, saved } = await recordedMeals()
  expect(saved.body.record).toMatchObject({
    data,
    references: {
      school: { code: schools[0].code, name: schools[0].name },
      girl: { code: girl.code, name: 'Aïssata Traoré 1' },
    },
  })

  // The audit log has what people know, too, for whoever may see the thing.
  const auditedFor = async (...others: Permission[]) => {
    const auditor = await portal.signedIn('audit-logs.view', meal, ...others)
    const found = await auditor.get('/admin/users/audit/logs?auditable_type=module%20record&sort=created_at')
    return found.body.logs.data[0]
  }
  const inWords = { id: schools[0].id, name: `${schools[0].name} (${schools[0].code})` }
  const named = { id: girl.id, name: `Aïssata Traoré 1 (${girl.code})` }
  expect((await auditedFor('students.view')).new_values).toMatchObject({ school: inWords, girl: named })
  expect((await auditedFor()).new_values).toMatchObject({ school: inWords, girl: girl.id })

  // Whoever may not see them sees that they are there, keeps them, and cannot name others.
  const [seen] = (await cook.get(`${meals}?school=${data.school}`)).body.records.data
  expect(seen).toMatchObject({ data, references: { school: null, girl: null } })
  const change = { data, version: seen.version }
  expect((await cook.put(`${meals}/${seen.id}`, change)).status).toBe(200)
  const other = { data: { ...data, school: schools[1].id }, version: seen.version + 1 }
  expect((await cook.put(`${meals}/${seen.id}`, other)).body.errors).toEqual({
    'data.school': ['school: There is no such school, or you may not see it.'],
  })
  expect((await nurse.post(meals, { data: { ...data, about: 1, girl: 987654 } })).body.errors).toEqual({
    'data.girl': ['girl: There is no such student, or you may not see her.'],
    'data.about': ['about: There is no such case, or you may not see it.'],
  })
  expect((await nurse.post(meals, { data: { school: 'Coura' } })).status).toBe(422)
  // The list of one school is what a tab on its page asks for.
  expect((await nurse.get(`${meals}?school=${schools[1].id}`)).body.records.total).toBe(1)
})

test('a nurse chooses among what she finds in the lists of the portal, for a field that leads there', async () => {
  const { schools, girl, nurse, cook } = await recordedMeals()
  const places = { place: expect.any(String) }
  expect((await nurse.get(`${meals}/references/school?search=${schools[1].code}`)).body).toEqual({
    things: [{ ...schools[1], ...places }],
    more: false,
  })
  expect((await nurse.get(`${meals}/references/school`)).body.things).toHaveLength(3)
  expect((await nurse.get(`${meals}/references/girl?search=traore%20aiss`)).body.things).toEqual([
    { id: girl.id, code: girl.code, name: 'Aïssata Traoré 1', place: expect.any(String) },
  ])
  // Whoever looks for a girl by name is in the log, wherever she looks (Access 6.8).
  const searched = await portal.owner.query(
    `select auditable_type, new_values from audits a join audit_values w on w.audit_id = a.id where event = 'searched' and user_id = $1`,
    [nurse.user.id],
  )
  expect(searched.rows).toEqual([
    { auditable_type: 'student', new_values: { found: 1, first_found: [girl.id] } },
  ])
  expect((await nurse.get(`${meals}/references/girl?id=${girl.id}`)).body.things).toHaveLength(1)
  expect((await nurse.get(`${meals}/references/girl`)).body).toEqual({ things: [], more: false })
  const unseen = await cook.get(`${meals}/references/school?search=a`)
  expect(unseen).toMatchObject({ status: 403, body: { message: 'You may not see schools.' } })
  expect((await cook.get(`${meals}/references/about?search=a`)).body.things).toEqual([])
  expect((await nurse.get(`${meals}/references/name`)).status).toBe(404)
  const stranger = await portal.signedIn('schools.view')
  expect((await stranger.get(`${meals}/references/school`)).status).toBe(403)
})

/** The rows of the first sheet of a workbook. */
async function linesOf(bytes: Buffer) {
  const book = new exceljs.Workbook()
  await book.xlsx.load(bytes as never)
  return book.worksheets[0]?.getSheetValues() as unknown[][]
}

test('a file of records has names for whoever may see them, asked again when it is fetched', async () => {
  const { schools, girl, nurse, data, saved } = await recordedMeals()
  await portal.worker()
  const asked = await nurse.post(`${meals}/export`, { school: String(data.school) })
  expect(asked).toMatchObject({ status: 202, body: { file_name: expect.stringMatching(/^meals-meals-/) } })
  const address = `/storage/exports/${asked.body.file_name}`
  await until(async () => (await nurse.get(address)).status === 200)
  const lines = await linesOf((await nurse.get(address)).bytes)
  expect(lines[1]?.slice(1)).toEqual([
    ...[
      'No.',
      'school',
      'school: name',
      'girl',
      'girl: name',
      'about',
      'about: name',
      'Recorded by',
      'Last change',
    ],
  ])
  expect(lines[2]?.slice(1, 6)).toEqual([
    ...[saved.body.record.id, schools[0].code, schools[0].name, girl.code, 'Aïssata Traoré 1'],
  ])
  expect(lines).toHaveLength(3)
  expect((await nurse.post(`${meals}/export`, { colour: 'red' })).body.errors).toEqual({
    colour: ['This list has no such filter.'],
  })
  expect((await (await portal.signedIn('schools.view')).post(`${meals}/export`, {})).status).toBe(403)
  const { rows: logged } = await portal.owner.query(
    "select v.new_values from audits a join audit_values v on v.audit_id = a.id where a.event = 'exported'",
  )
  expect(logged).toMatchObject([
    { new_values: { module: 'mfe-meals', collection: 'meals', school: String(data.school), row_count: 1 } },
  ])
  await portal.owner.query(
    `delete from role_permissions rp using permissions p where p.id = rp.permission_id and p.name = 'students.view'`,
  )
  expect((await nurse.get(address)).status).toBe(403)
})

test('a record that leads to a student goes when she is erased', async () => {
  const { schools, girl, nurse } = await recordedMeals()
  const person = await findPerson(portal.db, { by: 'student', name: girl.code })
  if (!person) throw new Error('the student is not there')
  const [theirs] = traces.filter(({ table }) => table === 'module_records')
  await transaction(portal.db, (tx) => Promise.resolve(theirs?.erase?.(tx, person)))
  expect((await nurse.get(meals)).body.records.data).toMatchObject([{ data: { school: schools[1].id } }])
})
