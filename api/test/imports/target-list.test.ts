import { expect, test } from 'vitest'
import { cohortForm, headings, recipient, sheetFile, startStage } from '../cohorts.ts'
import { fileOf, imported, stopped } from '../registers/registers.ts'
import { rowXml, sheetXml, workbookParts, zip } from './workbooks.ts'

const { portal, officer, cohort } = await startStage(10)
await portal.worker()

test('an officer reviews and corrects a target list before its cohort is made', async () => {
  const rows = [recipient(1), recipient(2), recipient(3, { phone: '12' })]
  const sent = await officer.upload(
    '/admin/transfers/cohorts/import?review=1',
    cohortForm(sheetFile([headings, ...rows])),
  )
  const { id } = sent.body.import
  expect(await stopped(officer, id)).toMatchObject({
    state: 'review',
    rows_new: 2,
    rows_rejected: 1,
    cohort_id: sent.body.cohort.id,
  })
  const listed = async () => (await officer.get('/admin/transfers/cohorts')).body.cohorts.total
  expect(await listed()).toBe(0)
  const corrections = [{ row: 4, column: 'receiver_phone_number', value: '76 12 34 56' }]
  expect((await officer.post(`/imports/${id}/confirm`, { corrections })).status).toBe(200)
  expect(await stopped(officer, id)).toMatchObject({ state: 'imported', rows_new: 3, rows_rejected: 0 })
  expect(await listed()).toBe(1)
  expect(await cohort(sent.body.cohort.id)).toMatchObject({ master_list_count: 3 })
})

test('an officer’s list finds a girl whose code has spaces, and sees that it is there twice', async () => {
  const rows = [recipient(8).with(3, 'kys - 000008'), recipient(9), recipient(9).with(3, 'KYS- 000009')]
  const sent = await officer.upload(
    '/admin/transfers/cohorts/import?review=1',
    cohortForm(sheetFile([headings, ...rows, recipient(10).with(3, 'NO 1')]), { name: 'Spaces' }),
  )
  const { id } = sent.body.import
  const checked = await stopped(officer, id)
  expect(checked).toMatchObject({ rows_new: 2, rows_duplicate: 1, rows_rejected: 1 })
  expect(checked.errors).toMatchObject([{ row: 5, column: 'student_code', value: 'NO1' }])
  expect((await officer.post(`/imports/${id}/confirm`, {})).status).toBe(200)
  expect(await stopped(officer, id)).toMatchObject({ state: 'imported' })
  const { rows: stored } = await portal.owner.query(
    'select student_code from transfer_master_list where cohort_id = $1 order by "row"',
    [sent.body.cohort.id],
  )
  expect(stored).toEqual([{ student_code: 'KYS-000008' }, { student_code: 'KYS-000009' }])
})

test('when an officer cancels a target list in review, its cohort is removed', async () => {
  const sent = await officer.upload(
    '/admin/transfers/cohorts/import?review=1',
    cohortForm(sheetFile([headings, recipient(5)]), { name: 'Another' }),
  )
  await stopped(officer, sent.body.import.id)
  await officer.post(`/imports/${sent.body.import.id}/cancel`)
  expect((await officer.get(`/imports/${sent.body.import.id}`)).body.import).toMatchObject({
    state: 'cancelled',
    cohort_id: null,
  })
  expect(
    (await portal.owner.query(`select count(*)::int as n from transfer_cohorts where name = 'Another'`)).rows,
  ).toEqual([{ n: 0 }])
})

test('a cell that a spreadsheet left without a value stays refused until the officer corrects it, and again once she takes that back', async () => {
  const cells = (n: number, xml: Record<number, string>) =>
    `<row>${recipient(n, { phone: '12' })
      .map((cell, at) => xml[at] ?? rowXml([cell]).slice(5, -6))
      .join('')}</row>`
  const rows = [
    cells(1, { 4: '<c><f>B2*2</f></c>' }),
    cells(2, { 1: '<c t="e"><v>#N/A</v></c>' }),
    cells(3, { 3: '<c><v>1.2e20</v></c>' }),
    cells(4, { 0: '<c t="e"><v>#SPILL!</v></c>' }),
  ]
  const xml = sheetXml(rowXml(headings) + rows.join(''))
  const file = new File([new Uint8Array(zip(workbookParts([{ name: 'List', xml }])))], 'list.xlsx')
  const form = cohortForm(file, { name: 'Without values' })
  const { id } = (await officer.upload('/admin/transfers/cohorts/import?review=1', form)).body.import
  expect(await stopped(officer, id)).toMatchObject({ state: 'review', rows_rejected: 4 })
  const refused = async () =>
    (await officer.get(`/imports/${id}`)).body.import.errors.map((error: Record<string, string>) => [
      error.row,
      error.column,
      error.message,
    ])
  const left = [
    [2, 'amount', 'This cell holds a formula. Write its value instead.'],
    [3, 'receiver_last_name', 'This cell holds the spreadsheet’s error #N/A.'],
    [4, 'student_code', 'Excel has shortened this number. Format the column as text and write it in full.'],
    [5, 'receiver_first_name', 'This cell holds the spreadsheet’s error #SPILL!.'],
  ]
  const phones = [2, 3, 4, 5].map((row) => ({ row, column: 'receiver_phone_number', value: `7612340${row}` }))
  await officer.post(`/imports/${id}/check`, { corrections: phones })
  expect(await refused()).toEqual(left)
  const written = await officer.post(`/imports/${id}/check`, {
    corrections: [
      { row: 2, column: 'amount', value: null },
      { row: 3, column: 'receiver_last_name', value: 'Diarra' },
    ],
  })
  expect(written.body.import).toMatchObject({ rows_new: 2, rows_rejected: 2 })
  await officer.post(`/imports/${id}/undo`)
  expect(await refused()).toEqual(left)
  const { bytes } = await officer.get(`/imports/${id}/rejected.xlsx`)
  const again = await officer.upload(
    '/admin/transfers/cohorts/import?review=1',
    cohortForm(new File([new Uint8Array(bytes)], 'rejected.xlsx'), { name: 'Without values again' }),
  )
  expect(await stopped(officer, again.body.import.id)).toMatchObject({ rows_rejected: 4 })
})

test('an officer who may not see the register finds the student of an unknown code by name, and no more of her', async () => {
  const rows = [recipient(6), recipient(7).with(3, 'NOBODY-1')]
  const sent = await officer.upload(
    '/admin/transfers/cohorts/import?review=1',
    cohortForm(sheetFile([headings, ...rows]), { name: 'By name' }),
  )
  const { id } = sent.body.import
  await stopped(officer, id)
  expect((await officer.get('/admin/schools/students/list')).status).toBe(403)
  const path = `/imports/${id}/students`
  const { girl, student_code, first_name, last_name, school } = (
    await portal.owner.query(`select s.id as girl, s.student_code, u.first_name, u.last_name, sc.name as school from students s
      join users u on u.id = s.user_id join schools sc on sc.id = s.school_id order by s.id desc limit 1`)
  ).rows[0]
  expect((await officer.get(`${path}?search=${student_code}`)).body).toEqual({
    students: [{ code: student_code, name: `${first_name} ${last_name}`, place: school }],
    more: false,
  })
  // Whoever looks for a girl by name is in the log, wherever she looks (Access 6.8).
  const searched = await portal.owner.query(
    `select auditable_type, new_values from audits a join audit_values w on w.audit_id = a.id
     where event = 'searched' and user_id = $1`,
    [officer.user.id],
  )
  expect(searched.rows).toEqual([
    { auditable_type: 'student', new_values: { found: 1, first_found: [girl] } },
  ])
  const many = await officer.get(`${path}?search=${encodeURIComponent(`${last_name} ${first_name}`)}`)
  expect(many.body.students.length).toBeLessThanOrEqual(8)
  for (const search of ['', 'a', '%20%20a%20'])
    expect((await officer.get(`${path}?search=${search}`)).status).toBe(422)
  expect((await officer.get(`${path}?search=,;`)).body).toEqual({ students: [], more: false })

  const approver = await portal.signedInAs('Transfer Approver')
  expect((await approver.get(`${path}?search=${student_code}`)).status).toBe(403)
  const corrections = [{ row: 3, column: 'student_code', value: student_code }]
  expect((await officer.post(`/imports/${id}/confirm`, { corrections })).status).toBe(200)
  expect(await stopped(officer, id)).toMatchObject({ state: 'imported', rows_new: 2 })
  expect((await officer.get(`${path}?search=${student_code}`)).status).toBe(409)
})

test('an officer who reviews an import that names no student is not offered to look for one', async () => {
  const officerOfSchools = await portal.signedInAs('School Officer')
  const review = await imported(
    officerOfSchools,
    'parents',
    fileOf([{ parent_assigned_id: 'P-1', first_name: 'Awa', last_name: 'Ba', contact_1: '76 12 34 56' }]),
    true,
  )
  expect((await officerOfSchools.get(`/imports/${review.id}/students?search=awa`)).status).toBe(404)
})

const girl = (n: number) => `KYS-${String(n).padStart(6, '0')}`

/** A girl gets another code in the register. */
const recode = (from: string, to: string) =>
  portal.owner.query('update students set student_code = $2 where student_code = $1', [from, to])

/** Uploads a list that is reviewed. */
async function reviewed(name: string, rows: ReturnType<typeof recipient>[]) {
  const form = cohortForm(sheetFile([headings, ...rows]), { name })
  const { body } = await officer.upload('/admin/transfers/cohorts/import?review=1', form)
  return { id: body.import.id, cohort_id: body.cohort.id, state: await stopped(officer, body.import.id) }
}

test('a girl whose code was corrected during the review of her list is not on it under both codes', async () => {
  const list = await reviewed('Two codes', [recipient(6), recipient(6, { phone: '12' }).with(3, 'KYS-NEW')])
  expect(list.state).toMatchObject({ rows_new: 1, rows_rejected: 1 })
  await recode(girl(6), 'KYS-NEW')
  const corrections = [{ row: 3, column: 'receiver_phone_number', value: '76 12 34 56' }]
  expect((await officer.post(`/imports/${list.id}/confirm`, { corrections })).status).toBe(200)
  const again = await stopped(officer, list.id)
  expect(again).toMatchObject({ state: 'review', rows_new: 1, rows_rejected: 1 })
  expect(again.errors).toMatchObject([{ row: 2, column: 'student_code', value: girl(6) }])
  expect((await officer.post(`/imports/${list.id}/confirm`, {})).status).toBe(200)
  expect(await stopped(officer, list.id)).toMatchObject({ state: 'imported', rows_new: 1 })
  const { rows } = await portal.owner.query(
    'select student_code from transfer_master_list where cohort_id = $1',
    [list.cohort_id],
  )
  expect(rows).toEqual([{ student_code: 'KYS-NEW' }])
})

test('an officer decides again about a row whose code went to another girl during the review', async () => {
  const list = await reviewed('Passed on', [recipient(7), recipient(10)])
  expect(list.state).toMatchObject({ rows_new: 2 })
  await recode(girl(7), 'KYS-GONE')
  await recode(girl(9), girl(7))
  expect((await officer.post(`/imports/${list.id}/confirm`, {})).status).toBe(200)
  const again = await stopped(officer, list.id)
  expect(again).toMatchObject({ state: 'review', rows_new: 1, rows_rejected: 1 })
  expect(again.errors[0].message).toContain('belongs to another student by now')
  // The officer says that the other girl is meant.
  const { body } = await officer.post(`/imports/${list.id}/confirm`, { leave_out: [2] })
  expect(body).toBeDefined()
  expect(await stopped(officer, list.id)).toMatchObject({ state: 'imported', rows_new: 1 })
})

test('an officer who has left out every row of a list is told so when she confirms it', async () => {
  const list = await reviewed('Nobody', [recipient(8)])
  const answer = await officer.post(`/imports/${list.id}/confirm`, { leave_out: [2] })
  expect([answer.status, answer.body.message]).toEqual([
    409,
    'No row of this list is accepted, so there is nothing to import.',
  ])
  expect((await officer.get(`/imports/${list.id}`)).body.import.state).toBe('review')
})

test('the database keeps a girl from being twice on a list', async () => {
  const list = await reviewed('Once', [recipient(8)])
  await officer.post(`/imports/${list.id}/confirm`, {})
  await stopped(officer, list.id)
  const twice = portal.owner.query(
    `insert into transfer_master_list (cohort_id, "row", receiver_first_name, receiver_last_name, receiver_phone_number, student_id,
       student_code, amount, fees)
     select cohort_id, 9, receiver_first_name, receiver_last_name, receiver_phone_number, student_id, 'other', amount, fees
     from transfer_master_list where cohort_id = $1`,
    [list.cohort_id],
  )
  await expect(twice).rejects.toThrow('girl')
})
