import { expect, test } from 'vitest'
import { cohortForm, headings, recipient, sheetFile, startStage } from './cohorts.ts'
import { stopped } from './registers.ts'

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
