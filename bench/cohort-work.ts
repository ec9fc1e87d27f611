import { sql } from 'kysely'
import type { Db } from '../api/src/kit/database/db.ts'
import { until } from './until.ts'
import { read, send, type Visitor } from './visitor.ts'

/** Waits until the first round of a cohort is paid. Returns its group and the time from the first payment to the last. */
export async function pay(db: Db, cohort: number): Promise<{ group: number; ms: number }> {
  let began = 0
  return until(async () => {
    const { rows } = await sql<{ id: number; total: number; pending: number; success: number }>`
      select id, total, pending, success from transfer_payroll_groups where cohort_id = ${cohort}`.execute(db)
    const [round] = rows
    if (!round) return
    if (!began && round.pending < round.total) began = performance.now()
    return round.success === round.total ? { group: round.id, ms: performance.now() - began } : undefined
  }, 900)
}

type Payment = { reference: string; trx: string; phone: string; amount: number; day: string }

/** The agency's statement of a paid round, as it would export it. */
export async function statementFile(
  db: Db,
  group: number,
): Promise<{ file: File; from: string; to: string }> {
  const { rows } = await sql<Payment>`
    select p.reference, a.external_trx_id as trx, p.receiver_phone_number as phone, p.amount,
      to_char(a.settled_at at time zone 'utc', 'YYYY-MM-DD') as day
    from transfer_payrolls p join payment_attempts a on a.payroll_id = p.id and a.state = 'success'
    where p.payroll_group_id = ${group} order by a.settled_at`.execute(db)
  const lines = rows.map(({ reference, trx, phone, amount, day }) =>
    [reference, trx, phone, amount, Math.round(amount / 100), day].join(';'),
  )
  const head = 'Client reference;Transaction id;Mobile;Amount;Fee;Date'
  return {
    file: new File([[head, ...lines].join('\r\n')], 'statement.csv', { type: 'text/csv' }),
    from: rows[0]?.day ?? '',
    to: rows.at(-1)?.day ?? '',
  }
}

type Compared = {
  statement: { state: string; problem: string | null; totals: { category: string; count: number }[] }
}

/** Uploads a statement and waits until each of its lines is matched. */
export async function compareStatement(
  visitor: Visitor,
  { file, from, to }: Awaited<ReturnType<typeof statementFile>>,
  count: number,
) {
  const form = new FormData()
  form.append('transfer_agency_id', '1')
  form.append('from', from)
  form.append('to', to)
  form.append('statement_file', file)
  const path = '/admin/transfers/statements'
  const { statement } = await send<{ statement: { id: number } }>(visitor, path, form)
  await until(async () => {
    const { statement: now } = await read<Compared>(visitor, `${path}/${statement.id}`)
    if (now.state === 'failed') throw new Error(`Statement: ${now.problem}`)
    if (now.state !== 'open') return
    const matched = now.totals.find(({ category }) => category === 'matched')?.count
    if (matched !== count) throw new Error(`Statement: ${JSON.stringify(now.totals)}`)
    return true
  }, 600)
}

/** Asks for an export and waits for its file. Returns its size in bytes. */
export async function exportFile(visitor: Visitor, path: string, body: object): Promise<number> {
  const { file_name } = await send<{ file_name: string }>(visitor, path, body)
  return until(async () => {
    const answer = await fetch(`${visitor.url}/storage/exports/${file_name}`, { headers: visitor.headers })
    const { byteLength } = await answer.arrayBuffer()
    if (answer.status === 200) return byteLength
    if (answer.status !== 202) throw new Error(`The file answered ${answer.status}`)
    return undefined
  }, 300)
}
