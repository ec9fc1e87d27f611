import { expect, test } from 'vitest'
import { verifyLedger } from '../../../src/transfers/ledger/ledger-check.service.ts'
import { atItsEnd, bothAtOnce } from '../../at-once.ts'
import { dayFromNow } from '../../cohorts.ts'
import { until } from '../../portal.ts'
import { type Entry, startRetries } from './retries.ts'

const stage = await startRetries()
const { portal, agency, officer, approver, imported, approve, ending, progress, payments } = stage
const statements = '/admin/transfers/statements'
const colleague = await portal.signedInAs('Transfer Officer')
const reason = 'The agency wrote on Monday'

/** Uploads a statement with a line of the payment and waits until it is compared. Returns its page. */
async function stated({ reference, amount }: Entry, name: string, day = dayFromNow(-1)) {
  const file = `Client reference;Amount;Date;Name\r\n${reference};${amount};${day};${name}`
  const sent = await officer.upload(statements, {
    statement_file: new File([file], `${name}.csv`),
    transfer_agency_id: 1,
    from: day,
    to: day,
  })
  const page = `${statements}/${sent.body.statement.id}`
  await until(async () => (await officer.get(page)).body.statement.state === 'open')
  return page
}
/** A payment of unknown outcome, and a statement with a line that shows it. */
async function shown(name: string) {
  await agency.set({ hostile: [{ mode: 'not_json', numbers: ['32'] }] })
  const id = await imported(name, ending(32))
  await approve(id)
  await progress(id, ({ round }) => round?.unknown === 1)
  const [payment] = (await payments(id)) as [Entry]
  const statement = await stated(payment, name)
  const path = `/admin/transfers/payments/${payment.id}`
  const { lines } = (await officer.get(`${path}/evidence`)).body
  return {
    payment,
    statement,
    propose: () =>
      officer.upload(`${path}/settlements`, { outcome: 'paid', line_id: String(lines[0].id), reason }),
    withdraw: () => colleague.post(`${statement}/withdraw`, { reason: 'Of another agency' }),
  }
}
/** Another officer resolves the lines without a payment of their own, and an approver signs the statement. Returns how many they were. */
async function sign(page: string) {
  const { body } = await colleague.post(`${page}/resolve`, { category: 'theirs', reason: 'Looked at' })
  const { version } = (await officer.get(page)).body.statement
  expect((await approver.post(`${page}/sign`, { version })).status).toBe(200)
  return body.resolved ?? 0
}

test('a statement is not withdrawn at the moment at which an officer proposes a line of it as evidence', {
  timeout: 60_000,
}, async () => {
  const { propose, withdraw } = await shown('Proposed first')
  const [proposed, withdrawn] = await bothAtOnce(portal, atItsEnd, propose, withdraw)
  expect(proposed.status).toBe(200)
  expect(withdrawn).toMatchObject({ status: 409, body: { message: expect.stringContaining('evidence') } })
})

test('a line is no evidence whose statement is withdrawn at the moment at which an officer proposes it', {
  timeout: 60_000,
}, async () => {
  const { propose, withdraw } = await shown('Withdrawn first')
  const [withdrawn, proposed] = await bothAtOnce(portal, atItsEnd, withdraw, propose)
  expect(withdrawn.status).toBe(200)
  expect(proposed).toMatchObject({ status: 422, body: { errors: { line_id: [expect.any(String)] } } })
})

test('a statement can be signed that shows once more a payment that people have settled by a line of another one', {
  timeout: 60_000,
}, async () => {
  const { payment, propose, statement } = await shown('Shown twice')
  expect((await propose()).status).toBe(200)
  // As long ago as calls to the agency last at most.
  await portal.owner.query(
    `begin; set local session_replication_role = replica;
     update payment_settlements set created_at = created_at - interval '3 minutes'; commit`,
  )
  const { settlements } = (await approver.get('/admin/transfers/settlements')).body
  const { id } = settlements.data.find(({ reference }: Entry) => reference === payment.reference)
  const decided = await approver.post(`/admin/transfers/settlements/${id}/decide`, { action: 'approved' })
  expect(decided.status).toBe(200)
  expect(await sign(statement)).toBe(1)
  // The same line is no difference a second time. Another one says that the agency has paid twice.
  expect(await sign(await stated(payment, 'The same line'))).toBe(0)
  expect(await sign(await stated(payment, 'Another line', dayFromNow(-2)))).toBe(1)
  expect((await verifyLedger(portal.db)).faults).toEqual([])
})
