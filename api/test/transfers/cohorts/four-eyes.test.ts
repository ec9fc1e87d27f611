import { expect, test } from 'vitest'
import { cohortForm, dayFromNow, headings, recipient, sheetFile, startStage } from '../../cohorts.ts'
import { stopped } from '../../registers/registers.ts'

const stage = await startStage(30)
const { portal, officer, approver, imported, approve, cohort } = stage
await portal.worker()
let used = 0
const fresh = (count: number) => Array.from({ length: count }, () => recipient(++used))
const both = () => portal.signedIn('transfers.view', 'cohorts.create', 'cohorts.approve')
const later = { from: dayFromNow(5), to: dayFromNow(30) }

/** Uploads a list for review. Returns the ids of its import and its cohort. */
async function inReview(name: string, count: number) {
  const sent = await officer.upload(
    '/admin/transfers/cohorts/import?review=1',
    cohortForm(sheetFile([headings, ...fresh(count)]), { name, ...later }),
  )
  await stopped(officer, sent.body.import.id)
  return { review: sent.body.import.id as number, id: sent.body.cohort.id as number }
}

test('an officer who corrects recipients in the review and confirms it cannot approve the list', async () => {
  const other = await both()
  const { review, id } = await inReview('Her numbers', 3)
  const corrections = [2, 3].flatMap((row) => [
    { row, column: 'receiver_phone_number', value: '+22370009910' },
    { row, column: 'amount', value: '2000000' },
  ])
  expect((await other.post(`/imports/${review}/check`, { corrections })).status).toBe(200)
  // Sending the same cells again changes nothing, and the correction is listed once.
  expect((await other.post(`/imports/${review}/confirm`, { corrections })).status).toBe(200)
  expect(await stopped(officer, review)).toMatchObject({ state: 'imported', rows_new: 3 })

  const sentence = 'You corrected rows of this target list in its review, so somebody else must decide on it.'
  expect((await other.get(`/admin/transfers/cohorts/${id}/summary`)).body.cohort.check.barred).toBe(sentence)
  const refused = await other.post(`/admin/transfers/cohorts/${id}/approve`, { action: 'approved' })
  expect(refused).toMatchObject({ status: 403, body: { message: sentence } })
  expect((await cohort(id)).status).toBe('pending')

  // The approver reads who changed what before she decides.
  expect((await cohort(id)).check.review).toEqual({
    confirmed_by: { first_name: 'Awa', last_name: expect.any(String) },
    rows_changed: 2,
    rows_left_out: 0,
    headings: {},
    changed_by: [{ first_name: 'Awa', last_name: expect.any(String) }],
  })
  const { rows } = await portal.owner.query(
    `select a.user_id::int, v.old_values, v.new_values from audits a join audit_values v on v.audit_id = a.id
     where a.event = 'corrected' and a.auditable_type = 'import' and a.auditable_id = $1`,
    [review],
  )
  expect(rows).toEqual([
    {
      user_id: other.user.id,
      old_values: {
        'row 2': { receiver_phone_number: recipient(used - 2)[2], amount: null },
        'row 3': { receiver_phone_number: recipient(used - 1)[2], amount: null },
      },
      new_values: {
        'row 2': { receiver_phone_number: '+22370009910', amount: '2000000' },
        'row 3': { receiver_phone_number: '+22370009910', amount: '2000000' },
      },
    },
  ])
  expect((await approve(id)).status).toBe(200)
})

test('an officer who leaves a recipient out in the review cannot approve the list, and is named on it', async () => {
  const other = await both()
  const { review, id } = await inReview('Without one', 3)
  const checked = await other.post(`/imports/${review}/check`, { leave_out: [3] })
  expect(checked.body.import).toMatchObject({ rows_new: 2, rows_rejected: 1 })
  await officer.post(`/imports/${review}/confirm`, {})
  expect(await stopped(officer, review)).toMatchObject({ state: 'imported', rows_new: 2, rows_rejected: 1 })

  const refused = await other.post(`/admin/transfers/cohorts/${id}/approve`, { action: 'approved' })
  expect(refused).toMatchObject({
    status: 403,
    body: {
      message: 'You corrected rows of this target list in its review, so somebody else must decide on it.',
    },
  })
  expect((await cohort(id)).check.review).toMatchObject({
    rows_changed: 1,
    rows_left_out: 1,
    changed_by: [{ first_name: 'Awa' }],
  })
  expect((await cohort(id)).master_list_count).toBe(2)
  const { rows } = await portal.owner.query(
    `select a.user_id::int, v.old_values, v.new_values from audits a join audit_values v on v.audit_id = a.id
     where a.event = 'corrected' and a.auditable_id = $1`,
    [review],
  )
  expect(rows).toEqual([
    {
      user_id: other.user.id,
      old_values: { 'row 3': { left_out: null } },
      new_values: { 'row 3': { left_out: 'yes' } },
    },
  ])
  expect((await approve(id)).status).toBe(200)
})

test('an approver reads which headings of the file its uploader named', async () => {
  const list = [['Prénom', 'Nom', 'Cel maman', 'Matricule'], ...fresh(1).map((row) => row.slice(0, 4))]
  const sent = await officer.upload('/admin/transfers/cohorts/import', {
    ...cohortForm(sheetFile(list), { name: 'Other headings', ...later }),
    headings: JSON.stringify({ 'Cel maman': 'receiver_phone_number' }),
  })
  expect(await stage.ended(sent.body.import.id)).toMatchObject({ state: 'imported', rows_new: 1 })
  expect((await cohort(sent.body.cohort.id)).check.review).toMatchObject({
    rows_changed: 0,
    headings: { 'Cel maman': 'receiver_phone_number' },
  })
})

test('an officer who only confirmed a review cannot approve the list either', async () => {
  const other = await both()
  const { review, id } = await inReview('Confirmed', 1)
  await other.post(`/imports/${review}/confirm`, {})
  await stopped(officer, review)
  const refused = await other.post(`/admin/transfers/cohorts/${id}/approve`, { action: 'approved' })
  expect(refused).toMatchObject({
    status: 403,
    body: { message: 'You confirmed the review of this target list, so somebody else must decide on it.' },
  })
  expect((await cohort(id)).check.review).toMatchObject({ rows_changed: 0, changed_by: [] })
})

test('an officer who uploaded a list and may also approve cannot resume it, retry it or start a round of it', async () => {
  const uploader = await both()
  const sent = await uploader.upload(
    '/admin/transfers/cohorts/import',
    cohortForm(sheetFile([headings, ...fresh(1)]), { name: 'Her own', ...later }),
  )
  const { id } = sent.body.cohort
  await stage.ended(sent.body.import.id)
  await approve(id)
  const stop = await approver.post(`/admin/transfers/cohorts/${id}/stop`)
  expect(stop.status).toBe(200)
  const sentence = 'You uploaded this target list, so somebody else must decide on it.'
  for (const act of ['resume', 'rounds/1/start', 'approve']) {
    const refused = await uploader.post(`/admin/transfers/cohorts/${id}/${act}`, { action: 'approved' })
    expect(refused, act).toMatchObject({ status: 403, body: { message: sentence } })
  }
  expect((await cohort(id)).stopped).toBe(true)
  expect((await approver.post(`/admin/transfers/cohorts/${id}/resume`)).status).toBe(200)
})

test('an administrator who made the agency or parameter of a cohort cannot decide on it', async () => {
  const maker = await portal.signedIn(
    'transfers.view',
    'agencies.create',
    'parameters.create',
    'cohorts.create',
    'cohorts.approve',
  )
  await maker.post('/admin/transfers/agency', {
    name: 'Her agency',
    description: 'Mobile money',
    type: 'mobile_money',
    country: 'ml',
    fees: 1,
    endpoint: stage.agency.url,
    details: '{"protocol": "sandbox"}',
  })
  await maker.post('/admin/transfers/parameter', {
    name: 'Her parameter',
    description: 'Monthly',
    commission: 1,
    amount: 5000,
    currency: 'XOF',
    frequency: 1,
  })
  const idOf = async (table: string, name: string) =>
    (await portal.owner.query(`select id::int from ${table} where name = $1`, [name])).rows[0].id
  const terms = {
    agency: { transfer_agency_id: await idOf('transfer_agencies', 'Her agency') },
    parameter: { transfer_parameter_id: await idOf('transfer_parameters', 'Her parameter') },
  }
  const says = {
    agency: 'You set up or changed the agency of this cohort, so somebody else must decide on it.',
    parameter: 'You made the parameter of this cohort, so somebody else must decide on it.',
  }
  for (const what of ['agency', 'parameter'] as const) {
    const id = await imported(`By ${what}`, fresh(1), { ...later, ...terms[what] })
    const refused = await maker.post(`/admin/transfers/cohorts/${id}/approve`, { action: 'approved' })
    expect(refused).toMatchObject({ status: 403, body: { message: says[what] } })
    expect((await approve(id)).status).toBe(200)
  }
})
