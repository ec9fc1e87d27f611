import exceljs from 'exceljs'
import { expect, test } from 'vitest'
import { atItsEnd, bothAtOnce } from '../at-once.ts'
import { runCommand } from '../commands.ts'
import { declared, label, meal, mealStage, meals } from '../modules/meal-stage.ts'
import { release } from '../modules/modules.ts'
import { startPortal, until } from '../portal.ts'
import {
  addPlaces,
  addSchools,
  addStudents,
  fileOf,
  imported,
  send,
  student,
} from '../registers/registers.ts'
import { erasures, why } from './erasure-stage.ts'

const portal = await startPortal()
mealStage(portal)
const { owner } = portal

/** A girl, and an act of somebody else while she is erased. */
async function whileErased<Answer>(act: (girl: number) => PromiseLike<Answer>): Promise<Answer> {
  const { rows } = await owner.query('select id::int from students')
  const [erased, answer] = await bothAtOnce(
    portal,
    atItsEnd,
    () => runCommand(portal.settings, 'person-erase', ['--student', 'S-1']),
    () => act(rows[0].id),
  )
  expect(erased).toMatchObject({ code: 0 })
  return answer
}

const addGirl = async () => {
  await addPlaces(portal)
  await addSchools(portal)
  await addStudents(portal, 1)
}

test('a girl who may be in a file that waits to be imported is not erased', async () => {
  await addGirl()
  const officer = await portal.signedInAs('School Officer')
  await send(officer, 'students', fileOf([student(1, { first_name: 'Awa' })]), true)
  expect(await runCommand(portal.settings, 'person-erase', ['--student', 'S-1'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('- A file is being imported: try again in a minute.'),
  })
})

test('a nurse who records a meal of a girl while she is erased is told that there is no such student', async () => {
  const girl = { name: 'girl', label: label('Girl', 'Fille'), type: 'reference', to: 'student', filter: true }
  await release(portal.context.registry, {
    ...declared('5.0.0', false),
    collections: [{ name: 'meals', read: meal, write: meal, fields: [girl] }],
  })
  await addGirl()
  const nurse = await portal.signedIn(meal, 'students.view')
  const recorded = await whileErased((id) => nurse.post(meals, { data: { girl: id } }))
  expect(recorded.status).toBe(422)
  expect((await nurse.get(meals)).body.records.data).toEqual([])
})

test('a file of students that is asked for while a girl is erased does not have her', async () => {
  await addGirl()
  await portal.worker()
  const officer = await portal.signedInAs('School Officer')
  const bytes = await whileErased(async () => {
    const asked = await officer.post('/admin/schools/students/export', {})
    const address = `/storage/exports/${asked.body.file_name}`
    return (
      await until(async () => {
        const found = await officer.get(address)
        return found.status === 200 && found
      })
    ).bytes
  })
  const book = new exceljs.Workbook()
  await book.xlsx.load(bytes as never)
  expect(JSON.stringify(book.worksheets[0]?.getSheetValues())).not.toContain('Traoré')
})

test('of two administrators who ask for one erasure at the same moment, the second is told that it is asked for', async () => {
  await addGirl()
  const { rows } = await owner.query('select id::int from students')
  const [one, other] = [await portal.signedInAs('Administrator'), await portal.signedInAs('Administrator')]
  const path = `/admin/people/student/${rows[0].id}/erasures`
  const [first, second] = await bothAtOnce(
    portal,
    atItsEnd,
    () => one.post(path, why),
    () => other.post(path, why),
  )
  expect(first.status).toBe(200)
  expect(second).toMatchObject({
    status: 409,
    body: { message: 'The erasure of this person is already asked for.' },
  })
  expect(await erasures(one)).toHaveLength(1)
})

test('a file that an officer imports while a girl is erased keeps nothing that the register had of her', async () => {
  await addGirl()
  await portal.worker()
  const officer = await portal.signedInAs('School Officer')
  const [erased] = await bothAtOnce(
    portal,
    'lock table erasure_requests in exclusive mode',
    () => runCommand(portal.settings, 'person-erase', ['--student', 'S-1']),
    () => imported(officer, 'students', fileOf([student(1, { first_name: 'Awa' })]), true),
  )
  expect(erased).toMatchObject({ code: 0 })
  expect((await owner.query('select old_value from import_changes')).rows).toEqual([])
})
