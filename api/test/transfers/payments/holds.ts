import { afterAll, beforeEach } from 'vitest'
import { type Mark, readMarkFile, writeMarkFile } from '../../../src/transfers/sending-hold/sending-mark.ts'
import { compareMarks } from '../../../src/transfers/sending-hold/sending-watch.jobs.ts'
import { addPeople, addRound } from '../../people.ts'
import { startPortal, until } from '../../portal.ts'
import { startAgency } from '../agencies/agency.ts'

export const holdPath = '/admin/transfers/sending-hold'

export type Order = { reference: string; key: string; phone: string; amount?: number }

/** A portal and its agency for tests of holds. Each test starts from the same state. */
export async function startHolds() {
  const agency = await startAgency()
  afterAll(() => agency.close())
  const portal = await startPortal({ agencyHosts: [agency.host] })
  const pool = portal.db.pool
  const approver = await portal.signedInAs('Transfer Approver')
  await addPeople(portal.db, 40, agency.url)
  const officer = (await portal.account('Transfer Officer')).id
  let cohorts = 0
  let stopWorker: (() => Promise<void>) | null = null

  const rest = async () => {
    await stopWorker?.()
    stopWorker = null
  }
  /** The state before each test: no worker runs, no hold is open, and nothing is to be paid. */
  beforeEach(async () => {
    await rest()
    await agency.set({ unreachable: false, latency_ms: 0, hostile: [], corrected: [] })
    await pool.query(
      'update sending_holds set released_at = now(), released_by = $1 where released_at is null',
      [approver.user.id],
    )
    await portal.owner.query("update transfer_cohorts set stopped_at = now() where status = 'approved'")
    await compareMarks(portal.context)
  })

  const payments = async (
    round: number,
  ): Promise<{ reference: string; key: string; phone: string; status: string; n: number }[]> =>
    (
      await pool.query(
        `select p.reference, payment_key(p.reference, 1) as key, p.receiver_phone_number as phone, p.status,
           (select count(*) from payment_attempts a where a.payroll_id = p.id) as n
         from transfer_payrolls p where p.payroll_group_id = $1 order by p.id`,
        [round],
      )
    ).rows
  const idsOf = async (round: number): Promise<number[]> =>
    (
      await pool.query('select id from transfer_payrolls where payroll_group_id = $1 order by id', [round])
    ).rows.map(({ id }) => id)
  const readHold = async () => (await approver.get(holdPath)).body.hold
  /** Lines of the agency's ledger, by the payment's reference. */
  const linesOf = async (orders: readonly { reference: string }[]) => {
    const ours = new Set(orders.map(({ reference }) => reference))
    return (await agency.ledger()).filter(({ reference }) => ours.has(reference))
  }

  return {
    agency,
    portal,
    pool,
    approver,
    officer,
    rest,
    payments,
    idsOf,
    readHold,
    linesOf,
    async work() {
      stopWorker = await portal.worker()
    },
    newRound: (size: number, lastTwo?: (n: number) => number, atBank?: boolean) =>
      addRound(portal.db, officer, size, `Held ${++cohorts}`, lastTwo, atBank),
    /** Changes the mark outside the database, as a restored backup or a wrong clock would. */
    async moveMark(change: (mark: Mark) => Partial<Mark>) {
      const file = await readMarkFile(portal.settings)
      if (file.kind !== 'read') throw new Error('there is no mark')
      await writeMarkFile(portal.settings, { ...file.mark, ...change(file.mark) })
    },
    /** The hold after the agency was asked about everything. It is read again, because its counts come from several queries. */
    asked: async () => {
      await until(async () => {
        const hold = await readHold()
        return hold && hold.asked === hold.entries && hold.barred === null
      })
      return readHold()
    },
    settled: (round: number) =>
      until(async () => {
        const now = await payments(round)
        return now.every(({ status }) => status === 'success') && now
      }),
    /** Number of orders that the agency received for the payments of a round. */
    received: async (round: number) =>
      (await linesOf(await payments(round))).reduce((sum, line) => sum + line.received, 0),
    /** Makes the agency pay an order that this database does not know, as if the lost database had sent it. */
    async payElsewhere({ key, amount = 10_500, ...order }: Order) {
      const answer = await fetch(`${agency.url}/payments`, {
        method: 'POST',
        headers: { 'idempotency-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ ...order, amount, currency: 'XOF', name: await nameOf(order.phone) }),
      })
      if (answer.status >= 500) throw new Error(await answer.text())
    },
  }

  async function nameOf(phone: string): Promise<string> {
    const { rows } = await pool.query(
      `select receiver_first_name || ' ' || receiver_last_name as name from transfer_master_list
       where receiver_phone_number = $1 limit 1`,
      [phone],
    )
    return rows[0]?.name ?? 'Somebody'
  }
}
