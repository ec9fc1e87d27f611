import { expect } from 'vitest'
import { verifyLedger } from '../../../src/transfers/ledger/ledger-check.service.ts'
import { type Entry as Paid, startRetries } from './retries.ts'

export type Entry = Paid & { master_list_id: number; student_id: number }
export const path = '/admin/transfers/payee-holds'
export const reason = 'Two families say that they are her guardians'

/** A portal with a worker, and the steps of people who put girls on hold. */
export async function startPayeeHolds() {
  const stage = await startRetries()
  const { portal, officer, approver } = stage
  const { owner } = portal
  const holds = async (query = '') => (await approver.get(`${path}?per_page=100&${query}`)).body.holds.data
  const openHoldOf = async (student: number) => (await holds(`state=open&student_id=${student}`))[0]
  return {
    ...stage,
    owner,
    holds,
    openHoldOf,
    hold: (student_id: number, fields: object = {}, who = officer) =>
      who.post(path, { student_id, reason, ...fields }),
    release: async (student: number, who = approver) =>
      who.post(`${path}/${(await openHoldOf(student)).id}/release`),
    studentOf: async (code: string): Promise<number> =>
      Number((await owner.query('select id from students where student_code = $1', [code])).rows[0].id),
    roundOf: async (id: number) =>
      (await approver.get(`/admin/transfers/cohorts/${id}/payrolls`)).body.cohort.transfer_payroll_groups
        .data[0],
    ledgerHolds: async () => expect((await verifyLedger(portal.db)).faults).toEqual([]),
  }
}
