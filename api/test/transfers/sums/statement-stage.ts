import { sql } from 'kysely'
import { settlePast } from '../../../src/demo/transfers.seed.ts'
import { retriedAfterDeadlock } from '../../../src/kit/database/db.ts'
import type { Client } from '../../client.ts'
import { addPeople, addRound } from '../../people.ts'
import { startPortal, until } from '../../portal.ts'

export const path = '/admin/transfers/statements'

export const size = 15_000

export const each = size / 100

export type Payment = {
  id: number
  reference: string
  key: string
  trx: string
  phone: string
  amount: number
  day: string
}

export type Line = (string | number | null)[]

export const titles = ['Client reference', 'Transaction id', 'Mobile', 'Amount', 'Fee', 'Timestamp']

export const lineOf = ({ reference, trx, phone, amount, day }: Payment): Line => [
  reference,
  trx,
  phone,
  amount,
  105,
  `${day}T00:00:00Z`,
]

export const csvOf = (lines: Line[], headings = titles, name = 'statement.csv') =>
  new File([[headings, ...lines].map((line) => line.join(';')).join('\r\n')], name)

type Total = { category: string; count: number; their_amount: number; our_amount: number }

export const countsOf = ({ totals }: { totals: Total[] }) =>
  Object.fromEntries(totals.map(({ category, count }) => [category, count]))

/** A portal with payments that an agency has made, and the steps that tests of its statements share. */
export async function startStatements() {
  const portal = await startPortal()
  const { officer: uploader } = await addPeople(portal.db, size + each, 'http://127.0.0.1:9')
  // They have an account too, and their agency names telephones.
  await addRound(portal.db, uploader, size + each, 'Kayes', (n) => (n === size ? 2 : 10 + (n % 90)), true)
  await portal.db.transaction().execute((tx) => settlePast(tx))
  // The demo's own agency charges one percent, as its tariff says.
  const { rows: payments } = await sql<Payment>`
  select p.id, p.reference, a.idempotency_key as key, a.external_trx_id as trx, p.receiver_phone_number as phone, p.amount,
    (a.settled_at at time zone 'utc')::date::text as day
  from transfer_payrolls p join payment_attempts a on a.payroll_id = p.id where p.status = 'success' order by p.id`.execute(
    portal.db,
  )
  const officer = await portal.signedInAs('Transfer Officer')
  await portal.worker()
  const [first, last] = [payments[0]?.day ?? '', payments.at(-1)?.day ?? '']
  const upload = (file: File, fields: Record<string, string | number> = {}, who: Client = officer) =>
    who.upload(path, { statement_file: file, transfer_agency_id: 1, from: first, to: last, ...fields })
  const read = async (id: number, who: Client = officer) => (await who.get(`${path}/${id}`)).body.statement
  const compared = (id: number) =>
    until(async () => {
      const statement = await read(id)
      return ['open', 'failed'].includes(statement.state) && statement
    })
  const findings = async (id: number, query = '') =>
    (await officer.get(`${path}/${id}/findings?${query}`)).body.findings
  /** Uploads lines and waits until they are compared. */
  async function statementOf(lines: Line[], fields: Record<string, string | number> = {}) {
    const sent = await upload(csvOf(lines), fields)
    if (sent.status !== 200) throw new Error(JSON.stringify(sent.body))
    return compared(sent.body.statement.id)
  }
  // Statements of one query are one transaction. It is repeated if it lost a deadlock with the worker.
  const reset = () =>
    retriedAfterDeadlock(() =>
      portal.owner.query(`set local portal.maintenance = 'on'; truncate payment_confirmations, round_confirmations, statement_totals,
      statement_findings, statement_resolutions, statement_lines, agency_statements, statement_mappings cascade`),
    )
  return { portal, payments, officer, first, last, upload, read, compared, findings, statementOf, reset }
}
