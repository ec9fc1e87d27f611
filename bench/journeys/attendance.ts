import ExcelJS from 'exceljs'
import { someSchool } from '../../e2e/devices.ts'
import { emailOf, password } from '../../e2e/people.ts'
import type { Journey } from '../walker.ts'

/** Monday to Friday of last week, as a school writes them down. */
async function weekOf(school: { admin_code: string }) {
  const book = new ExcelJS.Workbook()
  const sheet = book.addWorksheet('Présence')
  sheet.addRow(['Code de l’établissement', 'Date', 'Classe', 'Élèves inscrits', 'Élèves présents'])
  const sinceMonday = (new Date().getUTCDay() + 6) % 7
  for (let at = 0; at < 5; at += 1) {
    const day = new Date(Date.now() - (sinceMonday + 7 - at) * 86_400_000).toISOString().slice(0, 10)
    sheet.addRow([school.admin_code, day, '7', 50, 40 + at])
  }
  return {
    name: 'presence.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: Buffer.from(await book.xlsx.writeBuffer()),
  }
}

/** By an administrator: a school officer may read attendance, but not bring it in. */
export const attendance: Journey = {
  name: 'an administrator brings in the attendance of a week by Excel',
  async steps(walk) {
    const me = await walk()
    const { page, say } = me
    const school = await someSchool(me.device.language === 'en' ? 5 : 6)
    await me.signsIn(emailOf('admin'), password)
    await me.goes('/home/attendance')
    await me.click(page.getByRole('link', { name: say('Import'), exact: true }))
    await me.attach(page.locator('input[type=file]').first(), await weekOf(school))
    await me.sees(page.locator('.maps li'), 'the headings of the file')
    const decide = page.locator('.decide').getByRole('button', { name: /\d/ })
    await me.click(decide)
    await me.sees(page.locator('.tabs a[href*="kind=new"]'))
    await me.sees(page.locator('main table tbody td'), 'the rows')
    // Days that the school has reported before are changed, the others are new.
    await me.click(decide)
    await me.sees(page.getByText(say('The rows have been saved.')), 'the end')
  },
}
