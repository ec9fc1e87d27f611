import { row, rows } from '../database.ts'
import { settled } from '../openings.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test, walked } from '../test.ts'

const paidGirls = (from: string, to: string) =>
  row<{ girls: number; places: number }>(
    `select count(distinct m.student_id)::int as girls, count(distinct c.cap_id)::int as places from payment_attempts a
     join transfer_payrolls p on p.id = a.payroll_id join transfer_master_list m on m.id = p.master_list_id
     join students s on s.id = m.student_id join schools c on c.id = s.school_id
     where a.state = 'success' and (a.settled_at at time zone 'utc')::date between '${from}' and '${to}'`,
  )

for (const { language, locale, width } of [
  { language: 'English', locale: 'en-GB', width: 1280 },
  { language: 'French', locale: 'fr-FR', width: 360 },
])
  test.describe(`in ${language} at ${width}`, walked(locale === 'en-GB'), () => {
    test.use({ locale })

    test('an accountant makes the report of a period for donors, and prints it', async ({ person, say }) => {
      test.setTimeout(240_000)
      const officer = await person('officer', width === 360 ? { width } : {})
      await settled(officer, '/admin/transfers/report?from=2020-01-01&to=2039-12-31')
      const { girls, places } = await paidGirls('2020-01-01', '2039-12-31')
      const caps = officer.getByRole('table', { name: say('By CAP') }).locator('tbody tr')
      await expect(caps).toHaveCount(places)
      await expect(
        officer
          .locator('.facts div')
          .filter({ hasText: say('Girls reached') })
          .locator('dd'),
      ).toHaveText(String(girls))
      await expectAccessible(officer, `report at ${width}`)
      await expectNoSidewaysScroll(officer, `report at ${width}`)

      // A browser without a screen asks nobody which printer, so the button is heard and the paper made.
      await officer.evaluate(() => {
        window.print = () => document.body.setAttribute('data-asked', 'print')
      })
      await officer.getByRole('button', { name: say('Print'), exact: true }).click()
      await expect(officer.locator('body')).toHaveAttribute('data-asked', 'print')
      await officer.emulateMedia({ media: null })
      // What print needs comes when the page stands.
      await officer.waitForFunction(() => {
        window.dispatchEvent(new Event('beforeprint'))
        return document.body.dataset.printed
      })
      const paper = (await officer.pdf({ preferCSSPageSize: true })).toString('latin1')
      const pages = paper.match(/\/Type\s*\/Page\b/g)?.length ?? 0
      expect(pages).toBeGreaterThan(0)
      expect(pages).toBeLessThanOrEqual(3)

      // Nothing was paid in a year before the programme.
      await settled(officer, '/admin/transfers/report?from=2001-01-01&to=2001-12-31')
      await expect(officer.getByText(say('Nothing was disbursed in this period.')).first()).toBeVisible()

      // A nation was paid in another year, as the totals say from which a report takes its time: a worker counts it, and whoever
      // leaves meanwhile finds it later.
      const month = `${1900 + width / 20}-01-01`
      const [from, to] = [month, month.replace('01-01', '12-31')]
      await rows(
        `insert into payment_totals (cap_id, cohort_id, month, payments, amount)
         select c.id, t.id, $1::date, 9000000, 0 from caps c, transfer_cohorts t order by c.id, t.id limit 1`,
        month,
      )
      const large = `/admin/transfers/report?from=${from}&to=${to}`
      await settled(officer, large)
      await expectAccessible(officer, `large report at ${width}`)
      await expectNoSidewaysScroll(officer, `large report at ${width}`)
      await officer.getByRole('button', { name: say('Count the report') }).click()
      await expect(officer.getByText(say('A large report.'))).toBeHidden()
      await settled(officer, '/admin/transfers/accounting')
      await settled(officer, large)
      await expect(officer.getByText(say('Kept report.'))).toBeVisible({ timeout: 60_000 })
      await expect(officer.getByText(say('Nothing was disbursed in this period.')).first()).toBeVisible()
      await expectAccessible(officer, `kept report at ${width}`)
      await expectNoSidewaysScroll(officer, `kept report at ${width}`)
      await rows('delete from payment_totals where month = $1::date', month)
    })
  })
