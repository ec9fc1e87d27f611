import { expect, test } from 'vitest'
import { recipient, startStage } from '../../cohorts.ts'

const stage = await startStage(20)
const { portal, officer, imported, approve, progress } = stage
await portal.worker()

type Payment = { id: number; master_list_id: number; reference: string; external_trx_id: string }

const first = await imported('First', [recipient(1), recipient(2)])
const second = await imported('Second', [recipient(3), recipient(4)])
for (const id of [first, second]) {
  await approve(id)
  await progress(id, ({ round }) => round?.pending === 0)
}
const { round } = await progress(first, (now) => now.round)
const { round: another } = await progress(second, (now) => now.round)

const inRound = async (search: string, id = round.id): Promise<Payment[]> =>
  (await officer.get(`/admin/transfers/cohorts/payroll/${id}?search=${encodeURIComponent(search)}`)).body
    .payrollGroup.transfer_payrolls.data
const inList = async (search: string, id = first): Promise<{ id: number }[]> =>
  (await officer.get(`/admin/transfers/cohorts/${id}/summary?search=${encodeURIComponent(search)}`)).body
    .cohort.transfer_master_list.data
const [payment] = await inRound('KYS-000002')
if (!payment) throw new Error('there is no payment')
const { rows } = await portal.owner.query<{ key: string }>(
  'select idempotency_key as key from payment_attempts where payroll_id = $1',
  [payment.id],
)
const { reference, external_trx_id } = payment
/** What agencies and their statements call a payment, as somebody types it. */
const names = {
  'its reference': reference,
  'its reference in capitals': reference.toUpperCase(),
  'its reference between blanks': ` ${reference} `,
  'the name of a second order at a bank': `${reference}-2`,
  'the key of its order': String(rows[0]?.key),
  'the number of its transaction': external_trx_id,
}

test.each(Object.entries(names))(
  'an officer with a statement in her hand finds a payment in its round by %s',
  async (_, name) => {
    expect(await inRound(name)).toEqual([payment])
    expect(await inRound(name, another.id)).toEqual([])
  },
)

test('an officer finds a payment in its round by the beginning of its reference, beside a name too', async () => {
  expect(await inRound(reference.slice(0, 12))).toEqual([payment])
  expect(await inRound(`${reference} coulibaly`)).toEqual([payment])
  expect(await inRound(`${reference} nobody`)).toEqual([])
})

test.each(Object.entries(names))(
  'an officer finds the girl of a payment in the list of its cohort by %s',
  async (_, name) => {
    expect((await inList(name)).map(({ id }) => id)).toEqual([payment.master_list_id])
    expect(await inList(name, second)).toEqual([])
  },
)
