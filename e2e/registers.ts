import { expect, type Locator, type Page } from '@playwright/test'
import ExcelJS from 'exceljs'
import { row, rows } from './database.ts'

/** A file as a person chooses it. */
type File = { name: string; mimeType: string; buffer: Buffer }
/** A guardian's row of a workbook, by the French headings people use. */
export type GuardianRow = {
  code: string
  first_name: string
  last_name: string
  phone: string
  student?: string
}

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

const guardianHeadings = ['Code parent', 'Prénom', 'Nom', 'Téléphone', 'Code élève', 'Observations']

/** A workbook of guardians with a column that the portal does not know. */
export async function guardians(
  name: string,
  list: readonly GuardianRow[],
  headings: readonly string[] = guardianHeadings,
): Promise<File> {
  const book = new ExcelJS.Workbook()
  const sheet = book.addWorksheet('Tuteurs')
  sheet.addRow([...headings])
  for (const { code, first_name, last_name, phone, student } of list)
    sheet.addRow([code, first_name, last_name, phone, student ?? '', 'vu'])
  return { name: `${name}.xlsx`, mimeType: xlsx, buffer: Buffer.from(await book.xlsx.writeBuffer()) }
}

/** A row of a workbook of students, all of one school and at class level 4. */
export type StudentRow = { code: string; first_name: string; last_name: string; born: string }

/** A workbook of new students, with the names of the fields as headings. */
export async function newStudents(name: string, list: readonly StudentRow[]): Promise<File> {
  const { admin_code } = await row<{ admin_code: string }>(
    `select s.admin_code from schools s join caps c on c.id = s.cap_id join academies a on a.id = c.academy_id
     join regions r on r.id = a.region_id where r.country = 'ml' order by s.id limit 1`,
  )
  const book = new ExcelJS.Workbook()
  const sheet = book.addWorksheet('Élèves')
  sheet.addRow([
    'student_code',
    'first_name',
    'last_name',
    'date_of_birth',
    'admin_code',
    'current_class_level',
  ])
  for (const { code, first_name, last_name, born } of list)
    sheet.addRow([code, first_name, last_name, born, admin_code, '4'])
  return { name: `${name}.xlsx`, mimeType: xlsx, buffer: Buffer.from(await book.xlsx.writeBuffer()) }
}

/** Codes of students that the register holds. */
export async function studentCodes(count: number): Promise<string[]> {
  const found = await rows<{ student_code: string }>(
    'select student_code from students order by id limit $1',
    count,
  )
  return found.map(({ student_code }) => student_code)
}

/** Chooses a file on the page of an import and waits until it was read there. */
export async function chooseFile(page: Page, file: File): Promise<Locator> {
  await page.locator('input[type=file]').first().setInputFiles(file)
  const headings = page.locator('.maps li')
  await expect(headings.first()).toBeVisible()
  return headings
}

/** The bar with the decision, and its button that says the act in figures. */
export const decision = (page: Page): Locator => page.locator('.decide')
export const decide = (page: Page): Locator => decision(page).getByRole('button', { name: /\d/ })

/** Uploads the chosen file, waits for its review, and returns the id of the import. */
export async function uploadForReview(page: Page): Promise<number> {
  await decide(page).click()
  await expect(category(page, 'rejected')).toBeVisible({ timeout: 60_000 })
  return Number(new URL(page.url()).searchParams.get('import'))
}

/** The tab of a category of rows, with its count. */
export const category = (
  page: Page,
  kind: 'new' | 'changed' | 'unchanged' | 'duplicate' | 'rejected',
): Locator => page.locator(`.tabs a[href*="kind=${kind}"]`)

/** What is stored of an import. */
export const storedImport = (id: number) =>
  row<{
    state: string
    rows_new: number
    rows_changed: number
    rows_unchanged: number
    rows_rejected: number
  }>('select state, rows_new, rows_changed, rows_unchanged, rows_rejected from imports where id = $1', id)
