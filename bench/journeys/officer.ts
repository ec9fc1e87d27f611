import { dayFromNow, paysInMali } from '../../e2e/cohorts.ts'
import { emailOf, password } from '../../e2e/people.ts'
import { recipients, workbook } from '../../e2e/workbooks.ts'
import type { Journey } from '../walker.ts'

/** The name of the list by the officer's language. The approver finds it by it. */
export const listNames = { en: 'Kita, second term', fr: 'Kita, deuxième trimestre' }

export const officer: Journey = {
  name: 'an officer uploads a list of 40 and corrects a row in the review',
  async steps(walk) {
    const list = await recipients(40)
    const mistyped = list.map((one, at) => (at === 7 ? { ...one, phone: `${one.phone.slice(0, -1)}O` } : one))

    const me = await walk()
    const { page, say } = me
    await me.signsIn(emailOf('officer'), password)
    await me.goes('/admin/transfers')
    await me.goes('/admin/transfers/cohorts/list')
    await me.click(page.getByRole('button', { name: say('Upload Target List File') }).first())

    const form = page.getByRole('dialog', { name: say('Upload Target List File') })
    await me.fill(form.getByLabel(say('Cohort name')), listNames[me.device.language])
    await me.fill(form.getByLabel(say('Description')), 'Grant of the second term')
    await me.fill(form.getByLabel(say('Start date')), dayFromNow(0))
    await me.fill(form.getByLabel(say('End date')), dayFromNow(20))
    await me.choose(form.getByLabel(say('Transfer agency')), paysInMali)
    await me.choose(form.getByLabel(say('Transfer parameter')), 'Monthly grant')
    await me.attach(form.locator('input[type=file]'), await workbook('Kita', mistyped))
    await me.sees(form.getByText(/1 row has a fault|1 ligne comporte une erreur/), 'the form with the file')
    await me.click(form.getByRole('button', { name: say('Upload target list') }))

    await me.sees(page.locator('input.cell'), 'the row with the fault')
    await me.fill(page.locator('input.cell'), list[7]?.phone ?? '')
    await me.click(page.locator('.decide').getByRole('button', { name: /\d/ }))
    await me.sees(page.locator('.tabs a[href*="kind=new"]').filter({ hasText: '40' }), 'the corrected list')
    await me.click(page.locator('.decide').getByRole('button', { name: /\d/ }))
    await me.sees(page.getByRole('link', { name: say('Go to Cohort Approval') }), 'the end')
  },
}
