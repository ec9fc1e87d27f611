import { approvedCohort, figure, francs } from '../cohorts.ts'
import { row } from '../database.ts'
import { settled } from '../openings.ts'
import { idOf } from '../screens/screen.ts'
import { expect, expectAccessible, test } from '../test.ts'
import { readWorkbook } from '../workbooks.ts'

test('an accountant filters reconciliations by CAP and period, sorts them by amount and exports what she sees', async ({
  person,
}) => {
  // A cohort that was paid long ago, and the CAP that most of it was paid in: nobody pays any of it meanwhile.
  const paid = await row<{ cohort: string; cap: number; name: string; disbursed: number }>(
    `select co.name as cohort, c.id as cap, c.name, sum(e.amount)::int as disbursed
     from transfer_cohorts co join transfer_master_list m on m.cohort_id = co.id
     join transfer_payrolls e on e.master_list_id = m.id and e.status = 'success'
     join students st on st.id = m.student_id join schools s on s.id = st.school_id join caps c on c.id = s.cap_id
     where co.id = (${approvedCohort}) group by co.id, c.id order by count(*) desc, c.id limit 1`,
  )
  const officer = await person('officer')
  await settled(officer, `/admin/transfers/reconciliations?search=${encodeURIComponent(paid.cohort)}`)
  await officer.getByRole('combobox', { name: 'CAP' }).selectOption(String(paid.cap))
  await expect(
    officer.getByText(`The amounts are those of payments for students of ${paid.name}.`),
  ).toBeVisible()
  await officer.getByRole('textbox', { name: 'From', exact: true }).fill('01/01/2020')
  const table = officer.getByRole('table', { name: 'Cohorts' })
  await table.getByRole('button', { name: 'Disbursed (XOF)' }).click()
  await expect(officer).toHaveURL(/cap=\d+&from=2020-01-01&sort=total_amount_disbursed/)
  await expect(table.locator('tbody tr')).toHaveCount(1)
  const cell = table.locator('tbody td[data-label="Disbursed (XOF)"]')
  await expect.poll(async () => francs(await cell.textContent())).toBe(paid.disbursed)
  await expect.poll(() => figure(officer, 'Total disbursed')).toBe(paid.disbursed)
  await expectAccessible(officer, 'filtered reconciliations')
  const saving = officer.waitForEvent('download')
  await officer.getByRole('button', { name: 'Export Reconciliations (Excel)' }).click()
  const lines = await readWorkbook(await saving)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({ Cohort: paid.cohort, Status: 'Approved' })
  expect(Number(lines[0]?.['Disbursed (XOF)'])).toBe(paid.disbursed)
})

test('an accountant who has just chosen a CAP sees it chosen, and exports what the fields show', async ({
  person,
}) => {
  const officer = await person('officer')
  await settled(officer, '/admin/transfers/reconciliations')
  const cap = officer.getByRole('combobox', { name: 'CAP' })
  const wanted = await idOf('select min(id) as id from caps')
  await expect(cap.locator(`option[value="${wanted}"]`)).toHaveCount(1)
  const asked = officer.waitForRequest(
    (request) => request.method() === 'POST' && /export/.test(request.url()),
  )
  // Both within one task of the browser, before anything new can be drawn.
  const shown = await cap.evaluate((select: HTMLSelectElement, value) => {
    select.value = value
    select.dispatchEvent(new Event('change', { bubbles: true }))
    const after = select.value
    const buttons = [...document.querySelectorAll('main button')] as HTMLButtonElement[]
    buttons.find((button) => button.textContent?.startsWith('Export Reconciliations'))?.click()
    return after
  }, String(wanted))
  expect(shown).toBe(String(wanted))
  expect((await asked).postDataJSON()).toMatchObject({ cap: String(wanted) })
})
