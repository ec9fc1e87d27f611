import { expect } from 'vitest'
import { until } from '../../portal.ts'
import { holdPath, type startHolds } from './holds.ts'

/** Steps of a person whose restored database lacks the second round of a cohort. */
export function roundsPerhapsPaid(stage: Awaited<ReturnType<typeof startHolds>>) {
  const { approver, moveMark, newRound, portal, readHold, settled, work } = stage

  /** A cohort whose first round is paid; no worker runs. */
  async function paidFirst(size: number): Promise<number> {
    const { cohort, round } = await newRound(size)
    await work()
    await settled(round)
    await stage.rest()
    return cohort
  }

  /** The second round of a cohort, due today, which only the lost database has made. */
  async function unmadeSecond(cohort: number): Promise<void> {
    await portal.owner.query(
      "insert into transfer_rounds (cohort_id, n, due_on) values ($1, 2, (now() at time zone 'utc')::date)",
      [cohort],
    )
  }
  const restored = (moved?: Record<string, number>) =>
    moveMark((mark) => ({
      counter: mark.counter + 50,
      ...(moved && { changes: { ...mark.changes, ...moved } }),
    }))

  /** An approver confirms what the hold could not ask, and releases sending. */
  async function releaseByHand(): Promise<void> {
    await until(async () => {
      const hold = await readHold()
      for (const { id, failure, confirmed } of hold?.rounds ?? [])
        if (failure && !confirmed) await approver.post(`${holdPath}/rounds/${id}/confirm`)
      return hold?.barred === null
    })
    const released = await approver.post(`${holdPath}/release`)
    expect([released.status, released.body.errors]).toEqual([200, undefined])
  }
  const secondOf = async (cohort: number) =>
    (
      await portal.owner.query(
        `select r.state, g.id as round from transfer_rounds r left join transfer_payroll_groups g using (cohort_id, n)
         where r.cohort_id = $1 and r.n = 2`,
        [cohort],
      )
    ).rows[0]
  const startSecond = (cohort: number, paid_before?: boolean) =>
    approver.post(`/admin/transfers/cohorts/${cohort}/rounds/2/start`, { paid_before })
  const summaryOf = async (cohort: number) =>
    (await approver.get(`/admin/transfers/cohorts/${cohort}/summary`)).body.cohort
  const plannedSecond = async (cohort: number) =>
    (await summaryOf(cohort)).rounds.find(({ n }: { n: number }) => n === 2)

  /** A second round that only the lost database had paid, missed after the release of a hold. */
  async function perhapsPaidSecond(size: number): Promise<number> {
    const cohort = await paidFirst(size)
    await unmadeSecond(cohort)
    await restored({ 1: 9 })
    await work()
    await until(readHold)
    expect((await startSecond(cohort, true)).body.message).toMatch(/^Sending is held/)
    await releaseByHand()
    expect((await secondOf(cohort)).state).toBe('missed')
    return cohort
  }

  return {
    paidFirst,
    perhapsPaidSecond,
    plannedSecond,
    releaseByHand,
    restored,
    secondOf,
    startSecond,
    summaryOf,
    unmadeSecond,
  }
}
