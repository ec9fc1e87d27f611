import { expect } from 'vitest'
import { startStage } from '../../cohorts.ts'
import { mortalWorkers } from '../../workers.ts'
import { addBank, bankList } from './bank.ts'

/** A portal with a bank that takes files, and the steps of whoever makes them. */
export async function startBankFiles() {
  const stage = await startStage(80)
  const { portal, approver, approve, progress } = stage
  mortalWorkers(portal.settings).start()
  const bank = await addBank(portal)
  const accountant = await portal.signedInAs('Transfer Approver')
  return {
    ...stage,
    bank,
    accountant,
    /** Uploads a list for the bank and approves it. Returns its cohort and round. */
    async approved(name: string, rows: (string | number | null)[][]) {
      const sent = await stage.upload(bankList(rows), { name, transfer_agency_id: bank })
      expect(sent.body).toMatchObject({ import: { id: expect.any(Number) } })
      expect(await stage.ended(sent.body.import.id)).toMatchObject({ state: 'imported' })
      const cohort = sent.body.cohort.id
      expect((await approve(cohort)).status).toBe(200)
      const { round } = await progress(cohort, ({ round }) => round?.pending === rows.length)
      return { cohort, round: round.id as number }
    },
    filesOf: async (round: number) =>
      (await accountant.get(`/admin/transfers/cohorts/payroll/${round}/bank-files`)).body,
    make: (round: number, confirmed: object, who: Pick<typeof approver, 'post'> = accountant) =>
      who.post(`/admin/transfers/cohorts/payroll/${round}/bank-files`, confirmed),
    /** The bank refuses every payment of a round, because the accounts are closed. */
    refuseAll: (round: number) =>
      portal.owner.query(
        `with a as (update payment_attempts a set state = 'failed', reason = 'AC04', settled_at = now() from transfer_payrolls p
           where p.id = a.payroll_id and p.payroll_group_id = $1 returning a.payroll_id)
         update transfer_payrolls p set status = 'failed', failure_reason = 'AC04' from a where p.id = a.payroll_id`,
        [round],
      ),
    download: (url: string) => accountant.get(url),
  }
}
