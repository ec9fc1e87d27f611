import { expect } from 'vitest'
import { until } from '../../portal.ts'
import { type Entry, startRetries } from '../payments/retries.ts'

export const path = '/admin/transfers/statements'

const today = new Date().toISOString().slice(0, 10)

/** A payment as a line of a statement has it. */
type Stated = Entry & { transaction?: string }

type Listed = {
  id: number
  payroll_id: number
  kind: string
  expected: string
  answered: string
  status: string
}

/** A portal for tests of payments about which a statement says something else. */
export async function startDoubts() {
  const stage = await startRetries()
  const { portal, approver } = stage
  const officer = await portal.signedInAs('Transfer Officer')
  const colleague = await portal.signedInAs('Transfer Officer')
  const doubtful =
    /: An answer or a statement of the agency says something else about it and must be looked at first\.$/
  /** Uploads a statement that has a line with the reference of each payment, and waits until it is compared. */
  async function statementWith(
    name: string,
    entries: readonly Stated[],
  ): Promise<{ id: number; version: number }> {
    const lines = entries.map(({ reference, receiver_phone_number, amount, transaction }, at) =>
      [
        reference,
        transaction ?? `${name} ${at}`,
        receiver_phone_number,
        amount,
        105,
        `${today}T00:00:00Z`,
      ].join(';'),
    )
    const titles = 'Client reference;Transaction id;Mobile;Amount;Fee;Timestamp'
    const sent = await officer.upload(path, {
      statement_file: new File([[titles, ...lines].join('\r\n')], `${name}.csv`),
      transfer_agency_id: 1,
      // A period without payments, so that none is missing in the statement.
      from: '2020-01-01',
      to: '2020-01-31',
    })
    if (sent.status !== 200) throw new Error(JSON.stringify(sent.body))
    const { id } = sent.body.statement
    return until(async () => {
      const { statement } = (await officer.get(`${path}/${id}`)).body
      return statement.state === 'open' && statement
    }, 60_000)
  }
  /** Uploads such a statement and resolves its differences, so that it can be signed. */
  async function resolved(
    name: string,
    entries: readonly Stated[],
  ): Promise<{ id: number; version: number }> {
    const { id } = await statementWith(name, entries)
    await colleague.post(`${path}/${id}/resolve`, { category: 'theirs', reason: 'The agency says it paid' })
    return (await officer.get(`${path}/${id}`)).body.statement
  }
  const sign = ({ id, version }: { id: number; version: number }) =>
    approver.post(`${path}/${id}/sign`, { version })
  async function signed(name: string, entries: readonly Stated[]): Promise<number> {
    const statement = await resolved(name, entries)
    expect(await sign(statement)).toMatchObject({ status: 200 })
    return statement.id
  }
  /** The open exceptions of payments, in the order of the payments. */
  async function toLookAt(entries: readonly Entry[]): Promise<Listed[]> {
    const { body } = await approver.get('/admin/transfers/exceptions?state=open')
    const open: Listed[] = body.exceptions.data
    return entries.flatMap(({ id }) => open.filter(({ payroll_id }) => payroll_id === id))
  }
  return { ...stage, officer, colleague, doubtful, statementWith, resolved, sign, signed, toLookAt }
}
