import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '../api/src/kit/database/db.ts'
import { addPeople, addRound } from '../api/test/people.ts'
import { type Figure, seconds } from './figures.ts'
import { onStage } from './stage.ts'
import { send, signInAdministrator } from './visitor.ts'

const command = 'npm run bench -- acts'
/** The longest that a call of a person may take, a third of the limit of the server. */
const aimSeconds = 5

/** What a person does to a whole cohort of 150,000: make again all that failed, make the bank's file, close it. */
export function measureActs(scale: number): Promise<Figure[]> {
  const count = Math.round(150_000 * scale)
  return onStage(async ({ context, agency, superuserUrl, startApi }) => {
    const { db } = context
    const { officer } = await addPeople(db, count, agency.url)
    const failed = await addRound(db, officer, count, 'Failed')
    const banked = await addRound(db, officer, count, 'Banked')
    const database = new pg.Client({ connectionString: superuserUrl })
    await database.connect()
    // A worker says every second that the database is the one that it knows. None runs, so that nothing is paid.
    const mark = () =>
      sql`update sending_marks set incarnation = sending_incarnation(), at = now()`.execute(db)
    const beat = setInterval(() => void mark(), 1_000)
    try {
      // States that took hours are set past the triggers; the acts themselves go through all of them.
      await database.query("set session_replication_role = 'replica'")
      await makeFailed(database, failed.round)
      await makeBanked(database, banked)
      await database.query('vacuum analyze')
      const approver = await signInAdministrator(context, await startApi(), 'approver@portal.example')
      const act = async <T>(path: string, body: object): Promise<{ ms: number; answer: T }> => {
        const began = performance.now()
        const answer = await send<T>(approver, path, body)
        const ms = performance.now() - began
        console.log(`${path}: ${seconds(ms)}`)
        return { ms, answer }
      }
      const wanted = { cohort_id: failed.cohort, reason: 'account_blocked' }
      // Each call makes a part again, until none is left.
      const retries: number[] = []
      for (let left = count; left > 0; ) {
        const call = await act<{ left: number }>('/admin/transfers/payrolls/retry', wanted)
        retries.push(call.ms)
        left = call.answer.left
      }
      const { rows } = await database.query('select pending from transfer_payroll_groups where id = $1', [
        failed.round,
      ])
      if (rows[0]?.pending !== count) throw new Error(`${rows[0]?.pending} of ${count} payments wait`)
      const sums = await waiting(db, banked.round)
      const filed = await act(`/admin/transfers/cohorts/payroll/${banked.round}/bank-files`, sums)
      await makePaid(database, failed.round)
      const closed = await act(`/admin/transfers/cohorts/${failed.cohort}/close`, {
        reason: 'All are paid.',
      })
      const many = count.toLocaleString('en-US')
      const all = retries.reduce((sum, ms) => sum + ms, 0)
      return [
        timed(
          `All ${many} failed payments of a cohort made again, the longest call`,
          Math.max(...retries),
          ` of ${retries.length}, ${seconds(all)} in all`,
        ),
        timed(`Bank’s file of a round of ${many}, made by one call`, filed.ms),
        timed(`Cohort of ${many} paid recipients, closed by one call`, closed.ms),
      ]
    } finally {
      clearInterval(beat)
      await database.end()
    }
  })
}

const timed = (figure: string, ms: number, more = ''): Figure => ({
  figure,
  measured: `${seconds(ms)}${more}`,
  aim: `≤ ${aimSeconds} s`,
  holds: ms <= aimSeconds * 1000,
  command,
})

/** The count and sum that the person confirms. */
async function waiting(db: Db, round: number): Promise<{ payments: number; amount: number }> {
  const { rows } = await sql<{ payments: number; amount: number }>`
    select count(*)::int as payments, sum(amount)::float8 as amount from transfer_payrolls
    where payroll_group_id = ${round} and status = 'pending'`.execute(db)
  if (!rows[0]) throw new Error('Nothing waits')
  return rows[0]
}

/** Every payment of a round was refused once. */
async function makeFailed(database: pg.Client, round: number) {
  await database.query(
    `insert into payment_attempts (payroll_id, n, state, tries, agency_id, line_id, sent_at, settled_at, reason, idempotency_key)
     select id, 1, 'failed', 1, (select min(id) from transfer_agencies), null, now(), now(), 'account_blocked', gen_random_uuid()
     from transfer_payrolls where payroll_group_id = $1`,
    [round],
  )
  await database.query(
    "update transfer_payrolls set status = 'failed', failure_reason = 'account_blocked' where payroll_group_id = $1",
    [round],
  )
  await database.query(
    'update transfer_payroll_groups set pending = 0, pending_amount = 0, failed = total, failed_amount = expected_amount where id = $1',
    [round],
  )
}

/** Every payment of a round was made. */
async function makePaid(database: pg.Client, round: number) {
  await database.query("update transfer_payrolls set status = 'success' where payroll_group_id = $1", [round])
  await database.query(
    `update transfer_payroll_groups set pending = 0, pending_amount = 0, failed = 0, failed_amount = 0, success = total, success_amount = expected_amount
     where id = $1`,
    [round],
  )
}

/** A round goes to accounts at a bank instead of numbers. */
async function makeBanked(database: pg.Client, { cohort, round }: { cohort: number; round: number }) {
  const to = `receiver_phone_number = null, receiver_bank = 'BDMAMLBA', receiver_account = 'ML13D00' || lpad(id::text, 21, '0')`
  await database.query(`update transfer_master_list set ${to} where cohort_id = $1`, [cohort])
  await database.query(
    `update transfer_payrolls p set receiver_phone_number = null, receiver_bank = m.receiver_bank, receiver_account = m.receiver_account
     from transfer_master_list m where m.id = p.master_list_id and p.payroll_group_id = $1`,
    [round],
  )
  await database.query(
    `insert into transfer_agencies (name, description, type, country, fees, endpoint, protocol, details, status, user_id)
     select 'Bank', 'Bank', 'bank', 'ml', 1, 'https://bank.example', 'file', $1, 'active', user_id from transfer_agencies limit 1`,
    [
      JSON.stringify({
        protocol: 'file',
        payer_name: 'Programme',
        payer_account: 'ML13D0001000100000000000000001',
        payer_bank: 'BDMAMLBA',
      }),
    ],
  )
  await database.query(
    `update transfer_cohorts set transfer_agency_id = (select max(id) from transfer_agencies), list_hash = transfer_list_hash(id)
     where id = $1`,
    [cohort],
  )
}
