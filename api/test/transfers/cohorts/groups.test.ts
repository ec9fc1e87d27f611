import { expect, test } from 'vitest'
import { dayFromNow, recipient, startStage } from '../../cohorts.ts'

const stage = await startStage(40)
const { portal, officer, approver, imported, approve, progress } = stage
await portal.worker()

// Its first round is made with the approval and sent tomorrow, so nothing of it moves meanwhile.
const list = Array.from({ length: 20 }, (_, n) => recipient(n + 1))
const ahead = await imported('Zone nord', list, { from: dayFromNow(1), to: dayFromNow(60) })
await approve(ahead)
const read = async (path: string) => (await officer.get(`/admin/transfers/cohorts/${path}`)).body

test('an officer reads each round of a cohort with its cohort and its first fifteen payments', async () => {
  for (const path of [`${ahead}/summary`, `${ahead}/payrolls`]) {
    const { transfer_payroll_groups: groups } = (await read(path)).cohort
    expect(groups, path).toMatchObject({ current_page: 1, last_page: 1, per_page: 15, total: 1 })
    const [group] = groups.data
    expect(group, path).toMatchObject({
      n: 1,
      count: 20,
      transfer_cohort: { id: ahead, name: 'Zone nord', status: 'approved' },
      transfer_payrolls: { current_page: 1, last_page: 2, per_page: 15, total: 20 },
    })
    expect(group.transfer_payrolls.data, path).toHaveLength(15)
    const { payrollGroup } = await read(`payroll/${group.id}`)
    // The round's own page says besides what can be done about each payment.
    expect(payrollGroup.transfer_payrolls, path).toMatchObject(group.transfer_payrolls)
  }
})

test('an officer reads no rounds of a cohort that nobody has approved', async () => {
  const waiting = await imported('Zone sud', [recipient(25)])
  const { transfer_payroll_groups: groups } = (await read(`${waiting}/summary`)).cohort
  expect(groups).toEqual({ data: [], current_page: 1, last_page: 1, per_page: 15, total: 0 })
})

test('an approver who watches a round polls the same counts and sums as the page has', async () => {
  const now = await progress(ahead, ({ round }) => round !== null)
  const { cohort } = await read(`${ahead}/summary`)
  expect(now.transfer_cohort_stats).toEqual(cohort.transfer_cohort_stats)
  expect(now.round).toMatchObject({ total: 20, pending: 20, sending: 0, success: 0, failed: 0, unknown: 0 })
  expect(cohort.master_list_statuses).toMatchObject({ pending: 20, sending: 0, rejected: 0 })
})

test('an officer reads of a rejected list that it was rejected, and no longer that its payments are pending', async () => {
  const refused = await imported('Zone est', [recipient(31), recipient(32)])
  const before = (await read(`${refused}/summary`)).cohort
  expect(before.master_list_statuses).toMatchObject({ pending: 2, rejected: 0 })
  await approver.post(`/admin/transfers/cohorts/${refused}/approve`, { action: 'rejected' })
  const { cohort } = await read(`${refused}/summary`)
  expect(cohort.master_list_statuses).toEqual({
    pending: 0,
    sending: 0,
    success: 0,
    failed: 0,
    unknown: 0,
    withheld: 0,
    written_off: 0,
    rejected: 2,
    erased: 0,
  })
  expect(cohort.transfer_master_list.data).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
  const narrowed = async (status: string) =>
    (await read(`${refused}/summary?status=${status}`)).cohort.transfer_master_list.total
  expect(await narrowed('rejected')).toBe(2)
  expect(await narrowed('pending')).toBe(0)
})
