import type { Workbook } from 'exceljs'
import { expect, test } from 'vitest'
import { startReport, year } from './report-stage.ts'

const { portal, february, auditor, exportedBook, owner, releaseAll, resolvedStatement, sign } =
  await startReport()
// Nobody is on hold any more, and a statement is signed.
await releaseAll()
await sign(await resolvedStatement())

test('every export of transfers has numbers as numbers, days as days, headings in both languages, and no formulas', async () => {
  const { rows } = await owner.query(
    `select (select min(id) from agency_statements)::int as statement, (select min(id) from transfer_cohorts)::int as cohort`,
  )
  await owner.query(
    `insert into payment_exceptions (payroll_id, attempt_id, kind, expected, answered)
     select payroll_id, id, 'recipient', '-1+1', '@SUM(1+1)' from payment_attempts where state = 'success' order by id limit 1`,
  )
  await owner.query(`update users set first_name = '=HYPERLINK("x")' where type = 'student'`)
  const all = { from: year[0], to: year[1] }
  const wanted: Record<string, object> = {
    'accounting/export': { part: 'journal' },
    'arrears/export': {},
    'cohorts/attendance/export': { cohort_id: rows[0].cohort },
    'cohorts/changes/export': { cohort_id: rows[0].cohort },
    'cohorts/export': { cohort_id: rows[0].cohort },
    'cohorts/payroll/export': { payroll_id: february },
    'exceptions/export': {},
    'payee-holds/export': {},
    'reconciliations/export': {},
    'report/export': all,
    'statements/export': { statement_id: rows[0].statement },
    'statements/list/export': {},
  }
  const found = portal.endpoints.flatMap(({ path: of }) =>
    /^\/admin\/transfers\/.*\bexport$/.test(of) ? [of.slice('/admin/transfers/'.length)] : [],
  )
  // A target list from the register is the file that its import reads, the same in both languages; checks of names need an
  // agency that tells them. Both have tests of their own.
  const others = ['cohorts/names/export', 'target-selection/export']
  expect(found.toSorted()).toEqual([...Object.keys(wanted), ...others].toSorted())
  for (const [of, body] of Object.entries(wanted)) {
    const [english, french] = await Promise.all([exportedBook(of, body, 'en'), exportedBook(of, body, 'fr')])
    const headings = (book: Workbook) => book.worksheets.map((sheet) => sheet.getRow(1).values)
    expect(headings(english), of).not.toEqual(headings(french))
    let cells = 0
    for (const sheet of english.worksheets)
      sheet.eachRow((row, number) =>
        row.eachCell(({ value, numFmt, address }) => {
          if (number === 1) return
          cells += 1
          const where = `${of} ${address}: ${JSON.stringify(value)}`
          // A formula would be an object. What begins as one is text behind an apostrophe, or a telephone number.
          if (typeof value === 'string') expect(value, where).not.toMatch(/^(?:[=@\t\r]|[+-](?!\d[\d ]*$))/)
          else expect(typeof value === 'number' || value instanceof Date, where).toBe(true)
          if (/^(0|#,##0\.00)$/.test(numFmt ?? '') && value !== null)
            expect(typeof value === 'number' || /^hidden|–/.test(String(value)), where).toBe(true)
          if (/^dd\/mm\/yyyy/.test(numFmt ?? '')) expect(value, where).toBeInstanceOf(Date)
        }),
      )
    expect(cells, of).toBeGreaterThan(0)
  }
})

test('an export has the rows that search and filters of the list leave', async () => {
  const rowsOf = async (of: string, body: object) =>
    (await exportedBook(of, body, 'en')).worksheets[0]?.actualRowCount
  expect(await rowsOf('cohorts/payroll/export', { payroll_id: february })).toBe(31)
  // What was written off is no payment that failed and is still owed.
  expect(await rowsOf('cohorts/payroll/export', { payroll_id: february, status: 'failed' })).toBe(1)
  expect(await rowsOf('cohorts/payroll/export', { payroll_id: february, status: 'written_off' })).toBe(2)
  const listed = (await auditor.get(`/admin/transfers/cohorts/payroll/${february}?search=coulibaly+30`)).body
  const { total } = listed.payrollGroup.transfer_payrolls
  expect(total).toBeLessThan(30)
  expect(await rowsOf('cohorts/payroll/export', { payroll_id: february, search: 'coulibaly 30' })).toBe(
    total + 1,
  )
  expect(await rowsOf('exceptions/export', { state: 'closed' })).toBe(1)
  expect(await rowsOf('exceptions/export', { kind: 'recipient' })).toBe(2)
  expect(await rowsOf('payee-holds/export', { state: 'open' })).toBe(1)
  expect(await rowsOf('payee-holds/export', { state: 'ended' })).toBe(2)
  expect(await rowsOf('statements/list/export', { state: 'closed', search: 'february' })).toBe(2)
  expect(await rowsOf('statements/list/export', { to: '2020-01-01' })).toBe(1)
  expect(await rowsOf('statements/export', { statement_id: 1, category: 'fee' })).toBe(21)
  expect(await rowsOf('statements/export', { statement_id: 1, category: 'fee', search: 'nobody' })).toBe(1)
})

test('an export of a list needs its right', async () => {
  const reader = await portal.signedIn('transfers.view')
  const visitor = await portal.visitor()
  for (const list of ['exceptions/export', 'payee-holds/export', 'statements/list/export']) {
    expect((await reader.post(`/admin/transfers/${list}`, {})).status).toBe(403)
    expect((await visitor.post(`/admin/transfers/${list}`, {})).status).toBe(401)
  }
})
