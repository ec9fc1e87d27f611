import type { Download } from '@playwright/test'
import ExcelJS from 'exceljs'
import { rows } from './database.ts'

/** A row of a target list; `amount` where it differs from the parameter's. */
export type Recipient = {
  first_name: string
  last_name: string
  phone: string
  student_code: string
  amount?: number
}

const headings = [
  'Receiver first name',
  'Receiver last name',
  'Receiver phone number',
  'Student code',
  'Amount',
]

/** Each call takes students that no list of this run had before, so that no journey pays another one's. */
const taken: string[] = []

/**
 * Recipients for students of the register. Their numbers end as asked, which is what decides how the sandbox agency
 * answers; the rest end in 10 to 99, which succeed.
 */
export async function recipients(count: number, endings: readonly string[] = []): Promise<Recipient[]> {
  const students = await rows<{ student_code: string; last_name: string }>(
    // From the end: the fixture has the first ones.
    `select s.student_code, u.last_name from students s join users u on u.id = s.user_id
     where s.student_code <> all ($1) order by s.id desc limit $2`,
    taken,
    count,
  )
  const before = taken.length
  taken.push(...students.map(({ student_code }) => student_code))
  return students.map(({ student_code, last_name }, at) => ({
    first_name: 'Aminata',
    last_name,
    phone: `7${String(before + at).padStart(5, '0')}${endings[at] ?? 10 + (at % 90)}`,
    student_code,
  }))
}

/** A workbook as somebody's upload. */
export async function workbook(name: string, list: readonly Recipient[], head: string[] = headings) {
  const book = new ExcelJS.Workbook()
  const sheet = book.addWorksheet('Liste')
  sheet.addRow(head)
  for (const { first_name, last_name, phone, student_code, amount } of list)
    sheet.addRow([first_name, last_name, phone, student_code, amount])
  const buffer = Buffer.from(await book.xlsx.writeBuffer())
  return {
    name: `${name}.xlsx`,
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer,
  }
}

/** The rows of a downloaded workbook, each by the headings of the first one. */
export async function readWorkbook(download: Download): Promise<Record<string, ExcelJS.CellValue>[]> {
  const book = new ExcelJS.Workbook()
  await book.xlsx.readFile(await download.path())
  const [sheet] = book.worksheets
  if (!sheet) throw new Error('The workbook has no sheet.')
  const valuesOf = (at: number) => (sheet.getRow(at).values as ExcelJS.CellValue[]).slice(1)
  const head = valuesOf(1).map(String)
  return Array.from({ length: sheet.rowCount - 1 }, (_, at) => {
    const values = valuesOf(at + 2)
    return Object.fromEntries(head.map((name, place) => [name, values[place] ?? null]))
  })
}

/** An account whose key is right. */
export const bankAccount = 'ML13ML0160120102600100668497'

/** A list for a bank; all money goes to one account. */
export async function bankList(name: string, count: number) {
  const book = new ExcelJS.Workbook()
  const sheet = book.addWorksheet('Liste')
  sheet.addRow(['Prénom', 'Nom', 'Code élève', 'Compte', 'BIC'])
  for (const { first_name, last_name, student_code } of await recipients(count))
    sheet.addRow([first_name, last_name, student_code, bankAccount, 'BMSMMLBA'])
  const buffer = Buffer.from(await book.xlsx.writeBuffer())
  const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  return { name: `${name}.xlsx`, mimeType, buffer }
}
