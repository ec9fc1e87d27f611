import { beforeEach, expect, test } from 'vitest'
import type { Client } from '../client.ts'
import { startPortal, until } from '../portal.ts'
import { addPlaces, addSchools, addStudents, fileOf, sheetFile, stopped } from '../registers/registers.ts'
import { dayBack, figures, machine, makeToken, minutesAgo, report, settled } from './sync.ts'

const portal = await startPortal()
const { owner } = portal
await portal.worker()
let manager: Client

beforeEach(async () => {
  await portal.clear()
  await addPlaces(portal)
  await addSchools(portal)
  manager = await portal.signedIn('sync.manage')
})

const today = dayBack(0)
const row = (cells: Record<string, string | number | null> = {}) => ({
  school_admin_code: 'KIT-1',
  date: today,
  class: '7A',
  learners_enrolled: 50,
  learners_present: 41,
  teachers_enrolled: 6,
  teachers_present: 5,
  ...cells,
})
const upload = (file: File, review = false) =>
  manager.upload(`/home/attendance/import${review ? '?review=1' : ''}`, { attendance_file: file })

async function imported(rows: ReturnType<typeof row>[], review = false) {
  const answer = await upload(fileOf(rows), review)
  expect(answer.status).toBe(200)
  const ended = await stopped(manager, answer.body.import.id)
  await settled(portal)
  return ended
}
const sent = async () => (await owner.query('select count(*)::int as n from synced_messages')).rows[0].n

test('a manager imports a day from Excel with French headings, and it counts once however often she uploads it', async () => {
  const [, month, day] = today.split('-')
  const file = () =>
    sheetFile([
      ['Code école', 'Jour', 'Classe', 'Inscrits', 'Présents', 'Enseignants', 'Enseignants présents'],
      ['kit-1', `${day}/${month}/${today.slice(0, 4)}`, '7 a', 50, 41, 6, 5],
      ['KIT-1', today, '8A', '45', '38', null, null],
      ['KIT-2', today, null, 90, 80, null, null],
    ])
  const first = await stopped(manager, (await upload(file())).body.import.id)
  expect(first).toMatchObject({ state: 'imported', kind: 'attendance', rows_new: 3, rows_rejected: 0 })
  await settled(portal)
  const counted = await figures(portal)
  expect(counted).toMatchObject([
    { school: 'KIT-1', who: 'learners', class: '7A', enrolled: 50, present: 41 },
    { school: 'KIT-1', who: 'learners', class: '8A', enrolled: 45, present: 38 },
    { school: 'KIT-1', who: 'teachers', enrolled: 6, present: 5 },
    { school: 'KIT-2', who: 'learners', class: 'ALL', enrolled: 90, present: 80 },
  ])
  const again = await stopped(manager, (await upload(file())).body.import.id)
  expect(again).toMatchObject({ state: 'imported', rows_unchanged: 3 })
  expect([await sent(), await figures(portal)]).toEqual([3, counted])
})

test('when a manager uploads one file twice at the same time, it makes one report', async () => {
  const answers = await Promise.all([upload(fileOf([row()])), upload(fileOf([row()]))])
  for (const { body } of answers) await stopped(manager, body.import.id)
  await settled(portal)
  expect(await sent()).toBe(1)
})

test('a manager corrects a device’s report by Excel after reviewing the change, and can restore an earlier number', async () => {
  const send = machine(portal, await makeToken(portal))
  await send({ messages: [report()] })
  await settled(portal)
  const corrected = [row({ learners_present: 43, teachers_enrolled: null, teachers_present: null })]
  const waiting = await imported(corrected, true)
  expect(waiting).toMatchObject({ state: 'review', rows_changed: 1 })
  const { rows } = (await manager.get(`/imports/${waiting.id}/rows?kind=changed`)).body
  expect(rows.data[0].changes).toEqual([{ column: 'learners_present', old_value: '41', new_value: '43' }])
  expect(await figures(portal)).toMatchObject([{ present: 41 }])
  await manager.post(`/imports/${waiting.id}/confirm`, {})
  await until(async () => (await figures(portal))[0].present === 43)
  for (const learners_present of [42, 43]) await imported([row({ ...corrected[0], learners_present })])
  expect(await figures(portal)).toMatchObject([{ present: 43 }])
  expect(await sent()).toBe(4)
})

test('when a manager corrects a row in the review, it is still compared with the teachers that other rows of its school have', async () => {
  const waiting = await imported([row(), row({ class: '8D', teachers_present: 4 })], true)
  expect(waiting).toMatchObject({ state: 'review', rows_new: 1, rows_rejected: 1 })
  const put = async (column: string, value: string) =>
    (await manager.post(`/imports/${waiting.id}/check`, { corrections: [{ row: 3, column, value }] })).body
      .import
  expect(await put('learners_present', '40')).toMatchObject({ rows_new: 1, rows_rejected: 1 })
  expect(await put('teachers_present', '3')).toMatchObject({ rows_new: 1, rows_rejected: 1 })
  expect(await put('teachers_present', '5')).toMatchObject({ rows_new: 2, rows_rejected: 0 })
  await manager.post(`/imports/${waiting.id}/confirm`, {})
  expect(await stopped(manager, waiting.id)).toMatchObject({ state: 'imported', rows_new: 2 })
})

test('when a manager leaves out a row and corrects the one that contradicted it at once, they no longer contradict each other', async () => {
  const waiting = await imported([row(), row({ class: '8D', teachers_present: 4 })], true)
  expect(waiting).toMatchObject({ state: 'review', rows_new: 1, rows_rejected: 1 })
  const corrections = [{ row: 3, column: 'learners_present', value: '40' }]
  const checked = (await manager.post(`/imports/${waiting.id}/check`, { corrections, leave_out: [2] })).body
  expect(checked.import).toMatchObject({ rows_new: 1, rows_rejected: 1 })
  const back = (await manager.post(`/imports/${waiting.id}/check`, { take_back: [2] })).body
  expect(back.import).toMatchObject({ rows_new: 1, rows_rejected: 1 })
  await manager.post(`/imports/${waiting.id}/confirm`, {})
  expect(await stopped(manager, waiting.id)).toMatchObject({ state: 'imported', rows_new: 1 })
  await settled(portal)
  expect(await figures(portal)).toMatchObject([
    { who: 'learners', class: '7A', present: 41 },
    { who: 'teachers', present: 5 },
  ])
})

test('when a manager leaves out the row that contradicted the others of its day, they are accepted, and rejected again once it is back', async () => {
  const others = ['8D', '8E'].map((name) => row({ class: name, teachers_present: 4 }))
  const other = row({ date: dayBack(1), class: '8F', teachers_present: 3 })
  const waiting = await imported([row(), ...others, other], true)
  expect(waiting).toMatchObject({ state: 'review', rows_new: 2, rows_rejected: 2 })
  const act = async (path: string, body = {}) =>
    (await manager.post(`/imports/${waiting.id}/${path}`, body)).body.import
  expect(await act('check', { leave_out: [2] })).toMatchObject({ rows_new: 3, rows_rejected: 1 })
  expect(await act('undo')).toMatchObject({ rows_new: 2, rows_rejected: 2 })
  const rejected = (await manager.get(`/imports/${waiting.id}/rows?kind=rejected`)).body.rows.data
  expect(rejected.map(({ row }: { row: number }) => row)).toEqual([3, 4])
  const corrections = [{ row: 2, column: 'teachers_present', value: '4' }]
  expect(await act('check', { corrections })).toMatchObject({ rows_new: 4, rows_rejected: 0 })
  const moved = [{ row: 3, column: 'date', value: dayBack(1) }]
  expect(await act('check', { corrections: moved })).toMatchObject({ rows_new: 3, rows_rejected: 1 })
  await act('confirm')
  expect(await stopped(manager, waiting.id)).toMatchObject({ state: 'imported', rows_new: 3 })
})

test('a manager reads column and reason of each impossible row, and the other rows count', async () => {
  await addStudents(portal, 5)
  const ended = await imported([
    row(),
    row({ school_admin_code: 'KIT-77' }),
    row({ class: '8A', learners_present: 51, teachers_enrolled: null, teachers_present: null }),
    row({ class: '8B', date: dayBack(15) }),
    row({ class: '8C', date: dayBack(-2) }),
    row({ class: '8D', teachers_present: 4 }),
    row({
      class: null,
      learners_enrolled: null,
      learners_present: null,
      teachers_enrolled: null,
      teachers_present: null,
    }),
    row({ class: '9A', learners_enrolled: null, teachers_enrolled: null, teachers_present: null }),
    row({ class: '9B', learners_present: 20_000, teachers_enrolled: null, teachers_present: null }),
  ])
  expect(ended).toMatchObject({ state: 'imported', rows_new: 1, rows_rejected: 8 })
  expect(
    ended.errors.map((one: { row: number; column: string; message: string }) => [
      one.row,
      one.column,
      one.message,
    ]),
  ).toEqual([
    [3, 'school_admin_code', 'No school has the code KIT-77.'],
    [4, 'learners_present', '51 present are more than the 50 enrolled.'],
    [5, 'date', 'Attendance is taken up to 14 days back.'],
    [6, 'date', 'This date lies in the future.'],
    [7, 'teachers_present', 'Row 2 has the same Date but other values. Keep one of the two.'],
    [8, 'learners_present', 'Neither learners nor teachers are reported.'],
    [9, 'learners_enrolled', 'Write how many are enrolled: the register does not know.'],
    [10, 'learners_present', 'Write a number from 0 to 10000.'],
  ])
  expect(await sent()).toBe(1)
})

test('only a manager may upload a workbook, and one without the column of the school is refused at the field', async () => {
  const refused = await upload(
    sheetFile([
      ['Date', 'Class'],
      [today, '7A'],
    ]),
  )
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['attendance_file']])
  const officer = await portal.signedInAs('School Officer')
  expect((await officer.upload('/home/attendance/import', { attendance_file: fileOf([row()]) })).status).toBe(
    403,
  )
  expect((await officer.get('/imports?kind=attendance')).status).toBe(403)
  expect((await manager.get('/imports?kind=attendance')).body.imports.total).toBe(0)
})

test('a row that a device withdrew counts again once a manager uploads it again', async () => {
  const cells = { teachers_enrolled: null, teachers_present: null }
  await imported([row(cells)])
  const send = machine(portal, await makeToken(portal))
  await send({
    messages: [report({ learners: undefined }, { created_at: new Date().toISOString(), action: 'delete' })],
  })
  await settled(portal)
  expect(await figures(portal)).toEqual([])
  expect(await imported([row(cells)])).toMatchObject({ state: 'imported', rows_new: 1 })
  expect(await figures(portal)).toMatchObject([{ class: '7A', present: 41 }])
})

test('a manager who confirms a review after the fourteen days sees the rows that no longer count, and imports the others', async () => {
  const only = { teachers_enrolled: null, teachers_present: null }
  const waiting = await imported([row(only), row({ ...only, class: '8A', date: dayBack(14) })], true)
  expect(waiting).toMatchObject({ state: 'review', rows_new: 2, rows_rejected: 0 })
  // A day passes.
  await owner.query(
    `update import_rows set key = replace(key, $1, $2), cells = replace(cells::text, $1, $2)::jsonb, entry = replace(entry::text, $1, $2)::jsonb
     where "row" = 3`,
    [dayBack(14), dayBack(15)],
  )
  await manager.post(`/imports/${waiting.id}/confirm`, {})
  const back = await stopped(manager, waiting.id)
  expect(back).toMatchObject({ state: 'review', rows_new: 1, rows_rejected: 1 })
  expect(back.problem).toBe(
    'Some of these rows can no longer be imported, and each says why. Nothing was saved: look at the changes again and confirm.',
  )
  const { rows } = (await manager.get(`/imports/${waiting.id}/rows?kind=rejected`)).body
  expect(rows.data).toMatchObject([
    { row: 3, errors: [{ column: 'date', message: 'Attendance is taken up to 14 days back.' }] },
  ])
  expect(await sent()).toBe(0)
  await manager.post(`/imports/${waiting.id}/confirm`, {})
  expect(await stopped(manager, waiting.id)).toMatchObject({
    state: 'imported',
    rows_new: 1,
    rows_rejected: 1,
  })
  await settled(portal)
  expect(await figures(portal)).toMatchObject([{ class: '7A', present: 41 }])
})

test('a manager corrects a report of a device whose clock is ahead, and her correction counts', async () => {
  const send = machine(portal, await makeToken(portal))
  await send({ messages: [report({}, { created_at: minutesAgo(-9) })] })
  await settled(portal)
  const only = { teachers_enrolled: null, teachers_present: null }
  for (const learners_present of [43, 44, 43]) {
    expect(await imported([row({ ...only, learners_present })])).toMatchObject({ rows_changed: 1 })
    expect(await figures(portal)).toMatchObject([{ class: '7A', present: learners_present }])
  }
  // What the device reports later counts again.
  await send({ messages: [report({}, { created_at: minutesAgo(-9.5) })] })
  await settled(portal)
  expect(await figures(portal)).toMatchObject([{ present: 41 }])
})

test('a correction with an empty number of enrolled keeps the one that was reported, whatever the register counts', async () => {
  await addStudents(portal, 5)
  const send = machine(portal, await makeToken(portal))
  const learners = { enrolled: 50, present: 4 }
  await send({
    messages: [
      report({ learners, teachers: { enrolled: 6, present: 4 } }),
      report({ class: 'ALL', learners: { enrolled: 90, present: 80 } }),
    ],
  })
  await settled(portal)
  const ended = await imported([
    row({ learners_enrolled: null, learners_present: 3, teachers_enrolled: null, teachers_present: 5 }),
    row({
      class: null,
      learners_enrolled: null,
      learners_present: 81,
      teachers_enrolled: null,
      teachers_present: null,
    }),
    row({ class: '8A', learners_enrolled: null, teachers_enrolled: null, teachers_present: null }),
  ])
  expect(ended).toMatchObject({ rows_changed: 2, rows_rejected: 1 })
  // Nothing is stored of the third one, and its class has nobody in the register.
  expect(ended.errors).toMatchObject([{ row: 4, column: 'learners_enrolled' }])
  expect(await figures(portal)).toMatchObject([
    { who: 'learners', class: '7A', enrolled: 50, present: 3 },
    { who: 'learners', class: 'ALL', enrolled: 90, present: 81 },
    { who: 'teachers', enrolled: 6, present: 5 },
  ])
})
