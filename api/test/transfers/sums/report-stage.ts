import type { DonorReport } from '@portal/contracts/transfers/donor-report'
import type { Workbook } from 'exceljs'
import { expect } from 'vitest'
import { settlePast } from '../../../src/demo/transfers.seed.ts'
import { bookOf, exported } from '../../exports/workbook.ts'
import { addPeople, addRound } from '../../people.ts'
import { startPortal, until } from '../../portal.ts'

export const path = '/admin/transfers/report'
const statements = '/admin/transfers/statements'

export const year = ['2026-01-01', '2026-12-31'] as const

/** A portal with payments of half a year, of which a donor reads. */
export async function startReport() {
  const portal = await startPortal()
  const { owner, db } = portal
  const { officer: uploader } = await addPeople(db, 30, 'http://127.0.0.1:9')
  // Of thirty girls two are in year 7 of Yélimané, eight in its year 8; of Kayes six are in year 7, the others of no known class.
  await owner.query(`
  with cap as (insert into caps (academy_id, name) select id, 'CAP YÉLIMANÉ' from academies returning id),
  school as (insert into schools (name, admin_code, type_of_school, cap_id, academic_year)
    select 'Yélimané 1', 'YEL-001', 'primary', id, '2026-2027' from cap returning id)
  update students s set school_id = case when n.n <= 10 then (select id from school) else s.school_id end,
    current_class_level = case when n.n <= 2 or n.n between 11 and 16 then '7' when n.n <= 10 then '8' end
  from (select id, row_number() over (order by id) as n from students) n where n.id = s.id`)
  await owner.query(`insert into reference_values (list, code, en, fr, position) values
  ('class_level', '7', 'Year 7, fundamental', '7e année, fondamentale', 7),
  ('class_level', '8', 'Year 8, fundamental', '8e année, fondamentale', 8)`)
  const lastEvent = async (): Promise<number> =>
    (await owner.query('select coalesce(max(id), 0) as id from money_events')).rows[0].id
  /** What was noted after this event is of a day of the past. */
  const noted = (after: number, day: string) =>
    owner.query(`begin; set local portal.maintenance = 'on';
    update money_events set created_at = '${day}' where id > ${after}; commit`)
  /** A round of all girls on a day of the past; the agency refuses as many of the first ones as it is told. */
  async function roundOn(day: string, refused: number) {
    const before = await lastEvent()
    const { round } = await addRound(db, uploader, 30, day, (n) => (n < refused ? 2 : 10 + n))
    await owner.query('update transfer_payrolls set created_at = $2 where payroll_group_id = $1', [
      round,
      day,
    ])
    await noted(before, day)
    return round
  }
  const february = await roundOn('2026-02-28T23:50:00Z', 2)
  // Its payments are settled two minutes later, on the first of April.
  await roundOn('2026-03-31T23:59:00Z', 1)
  await db.transaction().execute((tx) => settlePast(tx))
  // The last girl is on hold in June; all others are paid.
  await owner.query(
    `insert into payee_holds (student_id, reason, user_id, created_at)
   select max(id), '=HYPERLINK("x")', $1, '2026-06-01' from students`,
    [uploader],
  )
  const june = await roundOn('2026-06-10T08:00:00Z', 0)
  /** An agency pays what waits, on the day of the round, but for the numbers that it refuses. */
  async function settleAll() {
    const { rows } = await owner.query(
      `insert into payment_attempts (payroll_id, state, reason, created_at, settled_at)
     select id, case when refused then 'failed' else 'success' end, case when refused then 'Refused' end, created_at, created_at
     from (select *, right(receiver_phone_number, 2) = '02' as refused from transfer_payrolls where status = 'pending') p
     returning payroll_id, state`,
    )
    await owner.query(`update transfer_payrolls set status = 'sending' where status = 'pending'`)
    for (const state of ['success', 'failed'])
      await owner.query('update transfer_payrolls set status = $1 where id = any($2)', [
        state,
        rows.filter((row) => row.state === state).map((row) => row.payroll_id),
      ])
  }
  await settleAll()
  const firstOf = async (round: number, offset = 0): Promise<number> =>
    (
      await owner.query(
        'select id from transfer_payrolls where payroll_group_id = $1 order by id offset $2 limit 1',
        [round, offset],
      )
    ).rows[0].id
  /** A payment that failed or was withheld is made again, with a new attempt unless one waits, and succeeds. */
  async function payAgain(id: number, n: number, at: string) {
    const before = await lastEvent()
    await owner.query(
      `insert into payment_attempts (payroll_id, n, state, created_at) values ($1, $2, 'pending', $3)
     on conflict (payroll_id, n) do nothing`,
      [id, n, at],
    )
    for (const status of ['pending', 'sending'])
      await owner.query(
        'update transfer_payrolls set status = $2, failure_reason = null, withheld_at = null where id = $1',
        [id, status],
      )
    await owner.query(
      `update payment_attempts set state = 'success', settled_at = $3 where payroll_id = $1 and n = $2`,
      [id, n, at],
    )
    await owner.query(`update transfer_payrolls set status = 'success' where id = $1`, [id])
    await noted(before, at)
  }
  // The second girl of February is paid in March, and the payment of the first one is written off in May.
  await payAgain(await firstOf(february, 1), 2, '2026-03-10T12:00:00Z')
  await owner.query(
    `insert into payment_write_offs (payroll_id, reason, user_id, two_people, created_at)
   values ($1, 'Moved away', $2, false, '2026-05-05')`,
    [await firstOf(february), uploader],
  )
  const officer = await portal.signedInAs('Transfer Officer')
  const approver = await portal.signedInAs('Transfer Approver')
  const auditor = await portal.signedInAs('Auditor')
  await portal.worker()
  const read = async (from: string, to: string, more = ''): Promise<DonorReport> => {
    const { status, body } = await auditor.get(`${path}?from=${from}&to=${to}${more}`)
    expect(status, JSON.stringify(body)).toBe(200)
    return body.report
  }
  /** Asks for an export and waits for its workbook. */
  const exportedBook = async (of: string, body: object, language: string): Promise<Workbook> =>
    bookOf(await exported(officer, `/admin/transfers/${of}`, body, language))
  /** Uploads what the agency says of twenty payments of February, with a fee of its own, and resolves the differences. */
  async function resolvedStatement() {
    const { rows } = await owner.query(
      `select p.reference, p.amount from transfer_payrolls p join payment_attempts a on a.payroll_id = p.id
       where a.state = 'success' and a.n = 1 and p.payroll_group_id = ${february} order by p.id limit 20`,
    )
    const lines = rows.map(({ reference, amount }) => [reference, amount, 100, '2026-02-28'].join(';'))
    const file = new File([['Reference;Amount;Fee;Date', ...lines].join('\r\n')], '=february.csv')
    const sent = await officer.upload(statements, {
      statement_file: file,
      transfer_agency_id: 1,
      from: '2026-02-01',
      to: '2026-02-28',
    })
    expect(sent.body.message).toBe('The statement is being read and compared.')
    const address = `${statements}/${sent.body.statement.id}`
    const { totals } = await until(async () => {
      const { body } = await officer.get(address)
      return body.statement.state === 'open' && body.statement
    })
    for (const { category } of totals)
      await officer.post(`${address}/resolve`, { category, reason: 'Agreed with the agency' })
    return address
  }
  async function sign(address: string) {
    const { version } = (await officer.get(address)).body.statement
    const signed = await approver.post(`${address}/sign`, { version })
    expect(signed.status, JSON.stringify(signed.body)).toBe(200)
  }
  const releaseAll = () =>
    owner.query('update payee_holds set released_at = now(), released_by = $1 where released_at is null', [
      uploader,
    ])
  return {
    portal,
    uploader,
    noted,
    february,
    payAgain,
    officer,
    approver,
    auditor,
    read,
    exportedBook,
    releaseAll,
    resolvedStatement,
    sign,
    june,
    owner,
    db,
    roundOn,
    lastEvent,
    settleAll,
    firstOf,
  }
}
