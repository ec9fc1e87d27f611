import { Workbook, type Worksheet } from 'exceljs'
import { expect, test } from 'vitest'
import { exportName } from '../../../src/transfers/export-names.ts'
import type { Answer, Client } from '../../client.ts'
import { recipient, startStage } from '../../cohorts.ts'
import { until } from '../../portal.ts'

const stage = await startStage(60)
const { portal, agency, officer, approver, imported, approve, progress } = stage
const id = await (async () => {
  const stop = await portal.worker()
  const rows = [
    ['=HYPERLINK("x")', '+cmd', '+22376000010', 'KYS-000001', 2_000_000],
    ...Array.from({ length: 30 }, (_, n) =>
      recipient(n + 2, { amount: 1000 + n, ...(n < 3 ? { lastTwo: n + 2 } : {}) }),
    ),
  ]
  const made = await imported('Éxport: n° 1/2', rows)
  await approve(made)
  await progress(made, ({ round }) => round?.pending === 0)
  await stop()
  return made
})()
const { round } = await progress(id, (now) => now.round)

/** Asks for an export and waits for its file. */
async function exported(
  who: Client,
  path: string,
  body: object,
  headers = {},
): Promise<{ answer: Answer; file: Answer }> {
  const answer = await who.post(`/admin/transfers/${path}`, body, headers)
  expect(answer.status).toBe(202)
  const file = await until(async () => {
    const got = await who.get(`/storage/exports/${answer.body.file_name}`)
    return got.status === 200 && got
  }, 20_000)
  return { answer, file }
}
async function sheetOf(file: Answer): Promise<Worksheet> {
  const book = new Workbook()
  await book.xlsx.load(new Uint8Array(file.bytes).buffer)
  const sheet = book.worksheets[0]
  if (!sheet) throw new Error('the workbook has no sheet')
  return sheet
}
/** The values under a heading. */
function column(sheet: Worksheet, heading: string): unknown[] {
  const headings = (sheet.getRow(1).values as string[]).slice(1)
  const at = headings.indexOf(heading)
  expect(at, heading).toBeGreaterThanOrEqual(0)
  return Array.from({ length: sheet.rowCount - 1 }, (_, n) => sheet.getRow(n + 2).getCell(at + 1).value)
}
const sum = (values: unknown[]) => values.reduce((all: number, value) => all + (value as number), 0)

test('a person who asks for an export gets a response at once and the file later; nobody else gets it', async () => {
  const accepted = await officer.post('/admin/transfers/cohorts/export', { cohort_id: id })
  expect(accepted).toMatchObject({ status: 202, body: { message: 'Your export is being prepared.' } })
  expect(accepted.body.file_name).toMatch(/^master-list-[a-z0-9-]+\.xlsx$/)
  const path = `/storage/exports/${accepted.body.file_name}`
  expect(await officer.get(path)).toMatchObject({ status: 202, body: { rows_done: 0 } })
  expect((await approver.get(path)).status).toBe(404)
  expect((await officer.get('/storage/exports/master-list-nobody.xlsx')).status).toBe(404)
  await portal.worker()
  await until(async () => (await officer.get(path)).status === 200)
  expect((await approver.get(path)).status).toBe(404)
  expect((await (await portal.visitor()).get(path)).status).toBe(401)
  await portal.owner.query("update exports set expires_at = now() - interval '1 second'")
  expect((await officer.get(path)).status).toBe(404)
})

test('an officer’s exported payroll matches the round, the reconciliation and the agency’s ledger', async () => {
  const { file } = await exported(officer, 'cohorts/payroll/export', { payroll_id: round.id })
  expect(file.headers['content-type']).toContain('spreadsheetml')
  const sheet = await sheetOf(file)
  const amounts = column(sheet, 'Amount (XOF)')
  const statuses = column(sheet, 'Status')
  expect(amounts).toHaveLength(31)
  expect(amounts.every((amount) => typeof amount === 'number')).toBe(true)
  const paid = sum(amounts.filter((_, n) => statuses[n] === 'Success'))
  const { body: payroll } = await officer.get(`/admin/transfers/cohorts/payroll/${round.id}`)
  expect(sum(amounts)).toBe(payroll.payrollGroup.expected)
  expect(paid).toBe(payroll.payrollGroup.disbursed)
  const settings = (await officer.get('/admin/transfers/settings')).body
  expect(settings.totalAmountDisbursed).toBe(paid)
  expect(sum((await agency.ledger()).filter(({ executed }) => executed).map(({ amount }) => amount))).toBe(
    paid,
  )
  expect(
    column(sheet, 'Recipient number').every(
      (phone) => typeof phone === 'string' && /^\+223\d{8}$/.test(phone),
    ),
  ).toBe(true)
  expect(statuses.filter((status) => status === 'Failed')).toHaveLength(3)
})

test('an officer’s exported master list has phone numbers as text, amounts as numbers, and no formulas', async () => {
  const { file } = await exported(approver, 'cohorts/export', { cohort_id: id })
  const sheet = await sheetOf(file)
  const [sent, fees, expected] = ['Sent amount (XOF)', 'Fees (XOF)', 'Expected amount (XOF)'].map(
    (heading) => column(sheet, heading) as number[],
  )
  expect(expected?.slice(0, 2)).toEqual([2_000_000, 1000])
  expect(fees?.slice(0, 2)).toEqual([40_000, 20])
  expect(sent).toEqual(expected?.map((amount, n) => amount + (fees?.[n] ?? Number.NaN)))
  const reasons = column(sheet, 'Reason of failure')
  expect(reasons.filter(Boolean).toSorted()).toEqual([
    'No account has this number.',
    'The account is blocked.',
    'The amount exceeds the account’s limit.',
  ])
  expect(column(sheet, 'Status').filter((_, n) => reasons[n])).toEqual(['Failed', 'Failed', 'Failed'])
  const cohort = await stage.cohort(id)
  expect(sum(expected ?? [])).toBe(cohort.list_amount)
  expect(sum(fees ?? [])).toBe(cohort.list_fees)
  expect(column(sheet, 'Recipient number')[0]).toBe('+22376000010')
  const name = column(sheet, 'Parent name')[0]
  expect(typeof name).toBe('string')
  expect(name).toContain('HYPERLINK("x")')
  expect(name).not.toMatch(/^[=+\-@]/)
})

test('an officer exports the rows of a master list that search and filters leave', async () => {
  const failed = await sheetOf(
    (await exported(officer, 'cohorts/export', { cohort_id: id, status: 'failed' })).file,
  )
  expect(column(failed, 'Status')).toEqual(['Failed', 'Failed', 'Failed'])
  const searched = { cohort_id: id, search: 'kys-000004', status: 'failed' }
  const one = await sheetOf((await exported(officer, 'cohorts/export', searched)).file)
  expect(column(one, 'Student code')).toEqual(['KYS-000004'])
  const none = await sheetOf(
    (await exported(officer, 'cohorts/export', { cohort_id: id, shared: 'yes' })).file,
  )
  expect(none.rowCount).toBe(1)
})

test('a person gets an export in her language', async () => {
  const french = { 'accept-language': 'fr' }
  const { answer, file } = await exported(officer, 'cohorts/payroll/export', { payroll_id: round.id }, french)
  expect(answer.body.message).toBe('Votre export est en préparation.')
  const sheet = await sheetOf(file)
  expect(new Set(column(sheet, 'Statut'))).toEqual(new Set(['Succès', 'Échec']))
  expect(column(sheet, 'Motif de l’échec')).toContain('Le compte est bloqué.')
})

test('an officer of Ségou finds segou in the names of her files', () => {
  expect(exportName('payroll', 'Ségou – Kéniéba, février 2026')).toBe('payroll-segou-kenieba-fevrier-2026')
})
