import { expect, test } from 'vitest'
import { caseStage } from '../cases/case-stage.ts'
import type { Client } from '../client.ts'
import { cohortForm, headings, recipient, sheetFile, startStage } from '../cohorts.ts'
import { release } from '../modules/modules.ts'
import { until } from '../portal.ts'
import { fileOf, imported, student } from '../registers/registers.ts'

const stage = await startStage(6)
const { portal, officer, approver } = stage
await portal.worker()
await release(portal.context.registry, {
  name: 'mfe-lists',
  version: '1.0.0',
  links: [
    { kind: 'import.target-list', link: '/admin/lists/cohorts?import={id}' },
    { kind: 'import.students', link: '/admin/lists/students?import={id}' },
  ],
})
const { reviewer, filer, fileCase } = await caseStage(portal)

const nothing = {
  imports: { count: 0, rows_rejected: 0, oldest: null },
  cohorts: { rejected: 0, error: 0 },
  cases: { due: 0, overdue: 0 },
  builds: { count: 0, oldest: null },
}
const waiting = async (who: Client) => {
  const { status, body } = await who.get('/home/waiting')
  expect(status).toBe(200)
  return body
}
const list = async (who: Client, status: string) =>
  (await who.get(`/admin/transfers/cohorts?waits=${status}`)).body.cohorts.data.map(
    ({ name }: { name: string }) => name,
  )
const reject = (id: number) => stage.approve(id, { action: 'rejected' })

test('an officer sees her refused cohort until she uploads a list of the same title and period again', async () => {
  const id = await stage.imported('Kita, refused', [recipient(1)])
  await stage.imported('Kita, to decide', [recipient(2)])
  expect((await waiting(officer)).cohorts).toEqual({ rejected: 0, error: 0 })
  expect((await reject(id)).status).toBe(200)
  expect((await waiting(officer)).cohorts).toEqual({ rejected: 1, error: 0 })
  expect(await list(officer, 'rejected')).toEqual(['Kita, refused'])
  const colleague = await portal.signedInAs('Transfer Officer')
  expect(await waiting(colleague)).toEqual(nothing)
  expect(await list(colleague, 'rejected')).toEqual([])
  expect(await waiting(approver)).toEqual(nothing)
  await stage.imported('KITA, refused', [recipient(3)])
  expect((await waiting(officer)).cohorts).toEqual({ rejected: 0, error: 0 })
  expect(await list(officer, 'rejected')).toEqual([])
})

test('a refused cohort whose period is over waits for nobody, one in payment error waits for its uploader', async () => {
  const over = await stage.imported('Nioro, over', [recipient(1)])
  await reject(over)
  expect((await waiting(officer)).cohorts.rejected).toBe(1)
  await portal.owner.query(
    `update transfer_cohorts set "from" = current_date - 40, "to" = current_date - 10 where id = $1`,
    [over],
  )
  expect((await waiting(officer)).cohorts.rejected).toBe(0)
  const stopped = await stage.imported('Nioro, stopped', [recipient(4)])
  // One transaction, so that no worker finds the cohort approved.
  await portal.owner.query(
    `update transfer_cohorts set status = 'approved', decided_at = now(), decided_by = ${approver.user.id} where id = ${stopped};
     update transfer_cohorts set status = 'error', error_reason = 'funds' where id = ${stopped}`,
  )
  expect((await waiting(officer)).cohorts).toEqual({ rejected: 0, error: 1 })
  expect(await list(officer, 'error')).toEqual(['Nioro, stopped'])
  expect((await waiting(approver)).cohorts).toEqual({ rejected: 0, error: 0 })
})

test('an officer sees her own lists that wait in review, with the rows to correct and the way to the oldest', async () => {
  const rows = [recipient(1), recipient(2, { phone: '12' }), recipient(3, { phone: '13' })]
  const form = cohortForm(sheetFile([headings, ...rows], 'kayes.xlsx'), { name: 'In review' })
  const sent = await officer.upload('/admin/transfers/cohorts/import?review=1', form)
  const { id } = sent.body.import
  await until(async () => (await officer.get(`/imports/${id}`)).body.import?.state === 'review', 60_000)
  const link = `/admin/lists/cohorts?import=${id}`
  expect((await waiting(officer)).imports).toEqual({
    count: 1,
    rows_rejected: 2,
    oldest: { file_name: 'kayes.xlsx', link },
  })
  expect(await waiting(await portal.signedInAs('Transfer Officer'))).toEqual(nothing)
  await officer.post(`/imports/${id}/cancel`)
  expect((await waiting(officer)).imports).toEqual(nothing.imports)
})

test('a school officer sees her list of students that waits in review, and no list of others', async () => {
  const person = await portal.signedInAs('School Officer')
  const review = await imported(person, 'students', fileOf([student(1, { admin_code: 'NONE' })]), true)
  expect(review).toMatchObject({ state: 'review', rows_rejected: 1 })
  expect(await waiting(person)).toMatchObject({
    ...nothing,
    imports: {
      count: 1,
      rows_rejected: 1,
      oldest: { link: `/admin/lists/students?import=${review.id}` },
    },
  })
  expect(await waiting(await portal.signedInAs('School Officer'))).toEqual(nothing)
})

test('a reviewer and a filer see how many of their cases are due within a week, as the list shows them', async () => {
  const daily = await fileCase(filer, { title: 'Late', priority: 'high_1_day' })
  await fileCase(filer, { title: 'Soon', priority: 'medium_1_week' })
  await fileCase(filer, { title: 'Some time', priority: 'low_1_month' })
  const decided = await fileCase(filer, { title: 'Decided', priority: 'high_1_day' })
  await reviewer.post('/admin/cases/resolve', { complain_id: decided.id, action: 'resolve' })
  await portal.owner.query("update cases set created_at = now() - interval '9 days' where id = $1", [
    daily.id,
  ])
  for (const person of [reviewer, filer]) {
    expect(await waiting(person)).toEqual({ ...nothing, cases: { due: 2, overdue: 1 } })
    const shown = (await person.get('/admin/cases?due=mine&sort=due_on')).body.complains
    expect(shown.data.map(({ title }: { title: string }) => title)).toEqual(['Late', 'Soon'])
  }
  expect((await waiting(await portal.signedInAs('Case Reviewer'))).cases).toEqual(nothing.cases)
})

test('nothing waits for an auditor, and a person who is not signed in is refused', async () => {
  expect(await waiting(await portal.signedInAs('Auditor'))).toEqual(nothing)
  expect((await (await portal.visitor()).get('/home/waiting')).status).toBe(401)
})
