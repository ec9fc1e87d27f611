import { expect } from '@playwright/test'
import { openApproval, openSummary } from '../cohorts.ts'
import { row } from '../database.ts'
import { test } from '../test.ts'

/** A list that waits, with the approved list of its parameter and girls before it, and how many girls are new. */
const waiting = `
  select c.id, c.name, e.name as earlier, (select count(*) from transfer_master_list m where m.cohort_id = c.id
    and m.student_id not in (select student_id from transfer_master_list where cohort_id = e.id)) as joined
  from transfer_cohorts c cross join lateral (
    select o.id, o.name from transfer_cohorts o where o.transfer_parameter_id = c.transfer_parameter_id
      and o.status in ('approved', 'error') and (o."from", o.id) < (c."from", c.id)
      and (select count(*) from transfer_master_list a join transfer_master_list b using (student_id)
        where a.cohort_id = c.id and b.cohort_id = o.id) * 2 >= least(c.master_list_count, o.master_list_count)
    order by o."from" desc, o.id desc limit 1) e
  where c.status = 'pending' and c.imported_at is not null order by c.created_at, c.id limit 1`

test('an approver goes from the approval to the changes since the earlier list, and sees only the new girls', async ({
  person,
}) => {
  const { id, name, earlier, joined } = await row<{
    id: number
    name: string
    earlier: string
    joined: number
  }>(waiting)
  const page = await person('approver')
  await openSummary(page, id)
  const dialog = await openApproval(page)
  await expect(dialog.getByRole('heading', { name: `Since “${earlier}”` })).toBeVisible()
  await dialog.getByRole('link', { name: 'See every change' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `What changed on “${name}”` })).toBeVisible()
  await page.getByRole('combobox', { name: 'Change', exact: true }).selectOption('joined')
  const changes = page.getByRole('table', { name: 'Changes' }).locator('tbody tr')
  await expect(changes.filter({ hasNotText: 'New girl' })).toHaveCount(0)
  await expect(changes.filter({ hasText: 'New girl' })).toHaveCount(Math.min(Number(joined), 15))
})
