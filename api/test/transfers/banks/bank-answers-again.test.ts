import { expect, test } from 'vitest'
import { startStage } from '../../cohorts.ts'
import { untilLocked } from '../../locks.ts'
import { pain002, tx, why } from './answers.ts'
import { addBank, type SentFile, sentFile } from './bank.ts'

const stage = await startStage(60)
const { portal, officer, approver, progress } = stage
await portal.worker()
const agency = await addBank(portal)

const sent = (name: string, numbers: number[]) => sentFile(stage, agency, name, numbers)
const answer = (file: File) => officer.upload('/admin/transfers/bank-answers', { answer_file: file })
const latest = async ({ round }: SentFile) =>
  (await officer.get(`/admin/transfers/cohorts/payroll/${round}/bank-files`)).body.bank_files[0].answers[0]
const now = async ({ cohort: id }: SentFile) => (await progress(id, () => true)).round
const payments = async ({ round }: SentFile) =>
  (await approver.get(`/admin/transfers/cohorts/payroll/${round}`)).body.payrollGroup.transfer_payrolls.data
/** The bank's own id of a payment. */
const id = (text: string) => `<AcctSvcrRef>${text}</AcctSvcrRef>`

test('an officer who uploads a refusal again reads that nothing has changed, and a later payment of it is for a person', async () => {
  const made = await sent('Refused again', [1])
  const [name] = made.names
  const refusal = tx(name, 'RJCT', why('AC04') + id('R-1'))
  expect((await answer(pain002(made.message, refusal))).body.message).toBe('Paid: 0. Refused: 1. Others: 0.')
  expect(await payments(made)).toMatchObject([{ status: 'failed', external_trx_id: 'R-1' }])
  const again = await answer(pain002(made.message, `${refusal} `))
  expect(again.body.message).toBe('Paid: 0. Refused: 0. Others: 1.')
  expect(await latest(made)).toMatchObject({ failed: 0, unchanged: 1, others: 0, to_look_at: [] })
  expect((await answer(pain002(made.message, tx(name, 'ACSC')))).status).toBe(200)
  expect(await latest(made)).toMatchObject({ paid: 0, others: 1, to_look_at: [{ effect: 'contradicts' }] })
})

test('of two girls with one transaction of the bank the first is paid, and the officer reads that the other does not agree', async () => {
  const made = await sent('One transaction', [11, 12])
  const [first, second] = made.names
  const both = tx(first, 'ACSC', id('T-1')) + tx(second, 'ACSC', id('T-1'))
  expect((await answer(pain002(made.message, both))).body.message).toBe('Paid: 1. Refused: 0. Others: 1.')
  expect(await now(made)).toMatchObject({ success: 1, unknown: 1 })
  expect(await latest(made)).toMatchObject({
    paid: 1,
    others: 1,
    to_look_at: [{ end_to_end_id: second, effect: 'differs' }],
  })
})

test('a girl whom the bank has paid counts as paid, although it names a duplicate beside it', async () => {
  const made = await sent('Paid once', [21])
  await answer(pain002(made.message, tx(made.names[0], 'ACSC', why('AM05'))))
  expect(await now(made)).toMatchObject({ success: 1, pending: 0 })
})

test('a girl whom the bank refuses in one line and names without a status in another is left to a person', async () => {
  const made = await sent('Named twice', [41])
  const [name] = made.names
  const silent = `<TxInfAndSts><OrgnlEndToEndId>${name}</OrgnlEndToEndId></TxInfAndSts>`
  const { body } = await answer(pain002(made.message, tx(name, 'RJCT', why('AC04')) + silent))
  expect(body.message).toBe('Paid: 0. Refused: 0. Others: 2.')
  expect(await now(made)).toMatchObject({ failed: 0, pending: 1 })
})

test('two officers who upload one answer at once get the same one, and the log has what it said', async () => {
  const made = await sent('Uploaded at once', [31, 32, 33])
  const [paid, refused, waits] = made.names
  const file = pain002(made.message, tx(paid, 'ACSC') + tx(refused, 'RJCT', why('AC04')) + tx(waits, 'ACSP'))
  const lock = await portal.owner.connect()
  let both: ReturnType<typeof answer>[] = []
  try {
    await lock.query('begin')
    await lock.query('select from agency_leases where agency_id = $1 for update', [agency])
    both = [answer(file), answer(file)]
    await untilLocked(portal.owner, { count: 2 })
  } finally {
    await lock.query('commit')
    lock.release()
  }
  const [one, other] = await Promise.all(both)
  expect([one?.status, other?.status]).toEqual([200, 200])
  expect(one?.body.bank_answer).toEqual(other?.body.bank_answer)
  expect(await now(made)).toMatchObject({ success: 1, failed: 1, pending: 1 })
  const { rows } = await portal.owner.query(
    `select v.new_values from audits a join audit_values v on v.audit_id = a.id
     where a.event = 'bank answer uploaded' and a.auditable_type = 'round' and a.auditable_id = $1`,
    [made.round],
  )
  expect(rows).toEqual([
    {
      new_values: {
        bank_file: expect.any(Number),
        bank_answer: one?.body.bank_answer.id,
        paid: 1,
        failed: 1,
        payments: 3,
      },
    },
  ])
})
