import { Workbook } from 'exceljs'
import { expect, test } from 'vitest'
import { headings, recipient, sheetFile, startStage } from '../../cohorts.ts'
import { copyAgency } from '../agencies/copied.ts'

const stage = await startStage(60)
const { portal, officer, upload } = stage
await portal.worker()
let lists = 0

/** Uploads rows below the headings (the first is row 2) and returns the import when it has ended. */
async function importOf(rows: (string | number | null)[][]) {
  const sent = await upload(sheetFile([headings, ...rows]), { name: `List ${++lists}` })
  expect(sent.status).toBe(200)
  return { ...(await stage.ended(sent.body.import.id)), cohort_id: sent.body.cohort.id as number }
}

const [first, last] = ['Fatoumata', 'Coulibaly']
const row = (
  phone: string | number | null,
  code: string | number | null,
  amount: string | number | null = null,
) => [first, last, phone, code, amount]

test('an officer reads row, column, value and reason of every invalid cell, and the valid rows are imported', async () => {
  const list = await importOf([
    recipient(1),
    row('+221771234567', 'KYS-000002'),
    row('7612345', 'KYS-000003'),
    row('2.23761E+10', 'KYS-000004'),
    row(76123456, 'KYS-000005', -500),
    row(76123456, 'KYS-000006', 10500.5),
    row(76123456, 'KYS-000007', 2_000_001),
    row(76123456, 'KYS-999999'),
    row(null, 'KYS-000009', 0),
    row(76123456, null),
    [null, '12', 76123456, 'KYS-000011', '10,500'],
  ])
  expect(list).toMatchObject({ state: 'imported', rows_read: 11, rows_imported: 1, rows_rejected: 10 })
  expect(list.errors).toEqual([
    {
      row: 3,
      column: 'receiver_phone_number',
      value: '+221771234567',
      message: 'This number is not one of Mali, which start with +223.',
    },
    {
      row: 4,
      column: 'receiver_phone_number',
      value: '7612345',
      message: 'A number in Mali has 8 digits; this one has 7.',
    },
    {
      row: 5,
      column: 'receiver_phone_number',
      value: '2.23761E+10',
      message: 'Excel has shortened this number. Format the column as text and write it in full.',
    },
    { row: 6, column: 'amount', value: '-500', message: 'The amount is at least 1 franc.' },
    { row: 7, column: 'amount', value: '10500.5', message: 'Amounts are whole francs, without decimals.' },
    { row: 8, column: 'amount', value: '2000001', message: 'The amount is at most 2,000,000 francs.' },
    { row: 9, column: 'student_code', value: 'KYS-999999', message: 'No student has the code KYS-999999.' },
    { row: 10, column: 'receiver_phone_number', value: '', message: 'Fill in this field.' },
    { row: 10, column: 'amount', value: '0', message: 'The amount is at least 1 franc.' },
    { row: 11, column: 'student_code', value: '', message: 'Fill in this field.' },
    { row: 12, column: 'receiver_first_name', value: '', message: 'Fill in this field.' },
    { row: 12, column: 'receiver_last_name', value: '12', message: 'A name holds at least one letter.' },
    {
      row: 12,
      column: 'amount',
      value: '10,500',
      message: 'Write the amount in digits only, such as 10500; 10,500 can be read in two ways or none.',
    },
  ])
  const french = await officer.get(`/imports/${list.id}`, { 'accept-language': 'fr' })
  expect(french.body.import.errors[6].message).toBe('Aucun élève n’a le code KYS-999999.')
})

test('an officer’s phone numbers that Excel has changed are repaired where only one repair is possible', async () => {
  const phones = [
    76123456,
    '+223 76 12 34 56',
    '0022376123456',
    2.2376123456e10,
    "'76123456",
    '76-12-34-56',
    '76123456.0',
    '2.2376123456E+10',
  ]
  const list = await importOf(phones.map((phone, n) => recipient(n + 1, { phone })))
  expect(list).toMatchObject({ state: 'imported', rows_imported: phones.length, rows_rejected: 0 })
  const { rows } = await portal.owner.query(
    'select distinct receiver_phone_number from transfer_master_list where cohort_id = $1',
    [list.cohort_id],
  )
  expect(rows).toEqual([{ receiver_phone_number: '+22376123456' }])
})

test('an officer’s equal rows for one student count once, and contradicting rows are all rejected with each other’s row number', async () => {
  const list = await importOf([
    recipient(1),
    recipient(2),
    recipient(1),
    recipient(2, { amount: 9000 }),
    row(76123456, ' kys-000002 ', 8000),
    recipient(3),
  ])
  expect(list).toMatchObject({ rows_read: 6, rows_imported: 2, rows_duplicate: 1, rows_rejected: 3 })
  const conflict = (row: number, other: number) => ({
    row,
    column: 'student_code',
    value: 'KYS-000002',
    message: `Row ${other} has the same Student code but other values. Keep one of the two.`,
  })
  expect(list.errors).toEqual([conflict(3, 5), conflict(5, 3), conflict(6, 3)])
})

test.each([
  ['first', [recipient(4, { amount: -1 }), recipient(4)], 2],
  ['second', [recipient(4), recipient(4, { phone: '12' })], 3],
])(
  'an officer’s contradicting rows for one student are both rejected although the %s is also invalid',
  async (_, rows, wrong) => {
    const list = await importOf([...rows, recipient(5)])
    expect(list).toMatchObject({ rows_read: 3, rows_imported: 1, rows_rejected: 2, rows_duplicate: 0 })
    const named = list.errors.filter(({ column }: { column: string }) => column === 'student_code')
    expect(named).toMatchObject([
      { row: 2, message: 'Row 3 has the same Student code but other values. Keep one of the two.' },
      { row: 3, message: 'Row 2 has the same Student code but other values. Keep one of the two.' },
    ])
    expect(list.errors.filter(({ column }: { column: string }) => column !== 'student_code')).toMatchObject([
      { row: wrong },
    ])
  },
)

test('an officer’s invalid row that is there twice is reported once with its reason', async () => {
  const list = await importOf([recipient(6, { amount: 0 }), recipient(6, { amount: 0 }), recipient(7)])
  expect(list).toMatchObject({ rows_read: 3, rows_imported: 1, rows_rejected: 1, rows_duplicate: 1 })
  expect(list.errors).toMatchObject([{ row: 2, column: 'amount' }])
})

test('an officer reads an error for each row of an unknown student', async () => {
  const list = await importOf([row(76123456, 'NO-1'), row(76123457, 'NO-1'), recipient(7)])
  expect(list).toMatchObject({ rows_imported: 1, rows_rejected: 2 })
  const unknown = list.errors.filter(
    ({ message }: { message: string }) => message === 'No student has the code NO-1.',
  )
  expect(unknown).toMatchObject([{ row: 2 }, { row: 3 }])
})

test('an officer’s list without a valid row makes no cohort, and the import keeps its errors', async () => {
  const list = await importOf([row('1', 'KYS-000001'), row('2', 'KYS-000002')])
  expect(list).toMatchObject({
    state: 'failed',
    problem: 'Every row of the file was rejected, so no cohort was made.',
    rows_read: 2,
    rows_rejected: 2,
    rows_imported: 0,
  })
  expect(list.errors).toHaveLength(2)
  expect((await officer.get(`/admin/transfers/cohorts/${list.cohort_id}/summary`)).status).toBe(404)
  const { rows } = await portal.owner.query('select 1 from transfer_cohorts where import_id = $1', [list.id])
  expect(rows).toEqual([])
  const french = await officer.get(`/imports/${list.id}`, { 'accept-language': 'fr' })
  expect(french.body.import.problem).toMatch(/^Toutes les lignes du fichier ont été rejetées/)
})

test('an officer downloads the rejected rows, corrects them and uploads them again', async () => {
  const list = await importOf([recipient(8), recipient(9, { amount: -3 }), row('=1+1', 'KYS-000010', 7000)])
  expect(list).toMatchObject({ rows_imported: 1, rows_rejected: 2 })
  const file = await officer.get(`/imports/${list.id}/rejected.xlsx`)
  expect(file.status).toBe(200)
  expect(file.headers['content-disposition']).toContain('attachment')
  const book = new Workbook()
  await book.xlsx.load(
    file.bytes.buffer.slice(file.bytes.byteOffset, file.bytes.byteOffset + file.bytes.length) as ArrayBuffer,
  )
  const sheet = book.worksheets[0]
  if (!sheet) throw new Error('the workbook has no sheet')
  const header = (sheet.getRow(1).values as string[]).slice(1)
  const column = (name: string) => header.indexOf(name) + 1
  expect(sheet.rowCount).toBe(3)
  expect(sheet.getRow(2).getCell(column('What is wrong')).text).toBe(
    'Amount: The amount is at least 1 franc.',
  )
  sheet.getRow(2).getCell(column('Amount')).value = 9500
  sheet.getRow(3).getCell(column('Receiver phone number')).value = 76123456
  const bytes = new Uint8Array(await book.xlsx.writeBuffer())
  const again = await upload(new File([bytes], 'corrected.xlsx'), { name: 'Corrected' })
  expect(await stage.ended(again.body.import.id)).toMatchObject({
    state: 'imported',
    rows_imported: 2,
    rows_rejected: 0,
  })
  const { rows } = await portal.owner.query(
    'select student_code, amount::int, receiver_phone_number as phone from transfer_master_list where cohort_id = $1 order by id',
    [again.body.cohort.id],
  )
  expect(rows).toMatchObject([
    { student_code: 'KYS-000009', amount: 9500 },
    { student_code: 'KYS-000010', amount: 7000, phone: '+22376123456' },
  ])
})

test('an officer’s cell with a zero byte is rejected, and the other rows are imported', async () => {
  const list = await importOf([
    recipient(11),
    row('76_x0000_12', 'KYS-000012'),
    row(76123456, 'KYS-_x0000_13'),
  ])
  expect(list).toMatchObject({ state: 'imported', rows_imported: 1, rows_rejected: 2 })
})

test('an officer’s amounts are stored to the franc with their fees, and an empty amount is the parameter’s', async () => {
  const amounts = [null, 1, 25, 24, 10_500, 2_000_000]
  const list = await importOf(amounts.map((amount, n) => recipient(n + 1, { amount })))
  const { rows } = await portal.owner.query(
    'select amount::int, fees::int, total_amount::int as total from transfer_master_list where cohort_id = $1 order by id',
    [list.cohort_id],
  )
  expect(rows).toEqual([
    { amount: 10_500, fees: 210, total: 10_710 },
    { amount: 1, fees: 0, total: 1 },
    { amount: 25, fees: 1, total: 26 },
    { amount: 24, fees: 0, total: 24 },
    { amount: 10_500, fees: 210, total: 10_710 },
    { amount: 2_000_000, fees: 40_000, total: 2_040_000 },
  ])
})

test('an officer’s phone numbers are validated by the country of the agency', async () => {
  const transfer_agency_id = await copyAgency(portal, 'Dakar', { country: 'sn' })
  const rows = ['+221771234567', 771234567, '+22376123456', '77123456'].map((phone, n) =>
    recipient(n + 1, { phone }),
  )
  const sent = await upload(sheetFile([headings, ...rows]), { name: 'Senegal', transfer_agency_id })
  const list = await stage.ended(sent.body.import.id)
  expect(list).toMatchObject({ rows_imported: 2, rows_rejected: 2 })
  expect(list.errors.map(({ message }: { message: string }) => message)).toEqual([
    'This number is not one of Senegal, which start with +221.',
    'A number in Senegal has 9 digits; this one has 8.',
  ])
})

test('an officer’s list for a bank needs the account column and a valid account in each row, and no phone number', async () => {
  const transfer_agency_id = await copyAgency(portal, 'Bank', { type: 'bank' })
  const without = await upload(sheetFile([headings, recipient(1)]), { name: 'Bank', transfer_agency_id })
  expect(without).toMatchObject({
    status: 422,
    body: { errors: { target_list_file: ['Headings are missing: Receiver account.'] } },
  })
  const accounts = ['ML13 ML01 6012 0102 6001 0066 8497', 'ML14 ML01 6012 0102 6001 0066 8497', null]
  const rows = accounts.map((account, n) => [...recipient(n + 1, { phone: null }), account])
  const sent = await upload(sheetFile([[...headings, 'IBAN'], ...rows]), { name: 'Bank', transfer_agency_id })
  const list = await stage.ended(sent.body.import.id)
  expect(list).toMatchObject({ state: 'imported', rows_imported: 1, rows_rejected: 2 })
  expect(list.errors).toMatchObject([
    { row: 3, column: 'receiver_account', message: 'This IBAN is mistyped: its check digits do not fit.' },
    { row: 4, column: 'receiver_account', message: 'Fill in this field.' },
  ])
})
