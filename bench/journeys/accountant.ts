import { dayFromNow } from '../../e2e/cohorts.ts'
import { row } from '../../e2e/database.ts'
import { emailOf, password } from '../../e2e/people.ts'
import type { Journey } from '../walker.ts'

/** The CAP that most payments of the demo were made in. */
const busiestCap = () =>
  row<{ name: string }>(
    `select c.name from transfer_payrolls e join transfer_master_list m on m.id = e.master_list_id
     join students st on st.id = m.student_id join schools s on s.id = st.school_id join caps c on c.id = s.cap_id
     group by c.id order by count(*) desc, c.id limit 1`,
  )

export const accountant: Journey = {
  name: 'an accountant filters the reconciliations by CAP and period and exports them',
  async steps(walk) {
    const cap = await busiestCap()
    const me = await walk()
    const { page, say } = me
    await me.signsIn(emailOf('officer'), password)
    await me.goes('/admin/transfers')
    await me.goes('/admin/transfers/reconciliations')
    const table = page.getByRole('table', { name: say('Cohorts') })
    await me.sees(table.locator('tbody td'))
    if (me.device.width === 360) await me.click(page.getByRole('button', { name: say('Filters') }))
    await me.choose(page.getByRole('combobox', { name: say('CAP') }), cap.name)
    await me.answered(
      (response) => /reconciliations\?.*from=/.test(response.url()),
      () => me.fill(page.getByRole('textbox', { name: say('From'), exact: true }), dayFromNow(-365)),
    )
    await me.sees(
      page.getByText(say('The amounts are those of payments for students of {cap}.', { cap: cap.name })),
      'the filtered list',
    )
    await me.downloads(page.getByRole('button', { name: say('Export Reconciliations (Excel)') }))
  },
}
