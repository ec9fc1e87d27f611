import type { Locator } from '@playwright/test'
import { settled } from '../openings.ts'
import { expect, test } from '../test.ts'

const boxOf = async (of: Locator) => {
  const box = await of.boundingBox()
  expect(box).not.toBeNull()
  return box ?? { x: 0, y: 0, width: 0, height: 0 }
}

/** Boxes are measured one after the other, and the page may move between two of them. */
const atRest = (measure: () => Promise<void>) => expect(measure).toPass({ timeout: 20_000 })

test('on a phone an administrator reads the name of a transfer parameter before its amount and date', async ({
  person,
}) => {
  const admin = await person('admin', { width: 360 })
  await settled(admin, '/admin/transfers/parameters/list')
  // The budgets below have a row of that name too.
  const list = admin.getByRole('table', { name: 'Transfer parameters' })
  const card = list.locator('tbody tr', { hasText: 'Monthly grant' })
  await atRest(async () => {
    const name = await boxOf(card.getByText('Monthly grant', { exact: true }))
    const amount = await boxOf(card.locator('.card-main .money'))
    expect(name.x + name.width).toBeLessThan(amount.x)
    expect(name.y).toBeLessThan((await boxOf(card.locator('.card-note').first())).y)
  })
})

test('on a phone an administrator finds the columns of a list beside its views', async ({ person }) => {
  const admin = await person('admin', { width: 360 })
  await settled(admin, '/admin/users/audit/logs')
  await atRest(async () => {
    const views = await boxOf(admin.getByRole('button', { name: 'Views' }))
    const columns = await boxOf(admin.getByRole('button', { name: 'Columns' }))
    expect(columns.y).toBe(views.y)
    expect(columns.x).toBeGreaterThan(views.x)
  })
})

for (const width of [1280, 360])
  test(`an administrator reads the whole of all shares on one line under the shares at ${width}`, async ({
    person,
  }) => {
    const admin = await person('admin', width === 360 ? { width } : {})
    await settled(admin, '/home')
    const shares = admin.getByRole('table', { name: 'Disbursement by CAP' }).locator('.pc')
    await atRest(async () => {
      const [share, whole] = [await boxOf(shares.first()), await boxOf(shares.last())]
      expect(whole.height).toBe(share.height)
      expect(Math.round(whole.x + whole.width)).toBe(Math.round(share.x + share.width))
    })
  })

test('an administrator reads on one line in the reconciliations that a cohort is not approved', async ({
  person,
}) => {
  // At 1280 larger amounts than these leave the column as little room.
  const admin = await person('admin', { width: 1200 })
  await settled(admin, '/admin/transfers/reconciliations')
  const list = admin.getByRole('table')
  await atRest(async () => {
    const approved = await boxOf(list.getByText('APPROVED', { exact: true }).first())
    const not = await boxOf(list.getByText('NOT APPROVED', { exact: true }).first())
    expect(not.height).toBe(approved.height)
  })
})

for (const locale of ['en-GB', 'fr-FR'])
  test.describe(`in ${locale}`, () => {
    test.use({ locale })

    test('a reviewer reads the title of a case on two lines in the list of cases', async ({ person }) => {
      const reviewer = await person('reviewer')
      await settled(reviewer, '/admin/cases')
      const title = reviewer.getByRole('link', { name: 'Girl no longer comes to school' }).first()
      await expect(title).toBeVisible()
      await atRest(async () =>
        expect(await title.evaluate((link) => link.getClientRects().length)).toBeLessThan(3),
      )
    })
  })
