import type { Locator } from '@playwright/test'
import { openUpload } from '../cohorts.ts'
import { row, rows } from '../database.ts'
import { place } from '../stage/place.ts'
import { expect, expectAccessible, test } from '../test.ts'

const fields = {
  Name: 'Bafing Mobile Money',
  Description: 'Wallets along the river',
  Fees: '1.5',
  Endpoint: 'https://10.0.0.1/pay',
  'More details': 'rate: 5',
}

async function fillIn(dialog: Locator, values: Record<string, string>) {
  for (const [label, value] of Object.entries(values)) await dialog.getByLabel(label).fill(value)
}

test('an administrator adds an agency, reads what is wrong with it on the way, and never sees its secret again', async ({
  person,
}) => {
  const admin = await person('admin')
  await admin.goto('/admin/transfers/settings')
  await admin.getByRole('button', { name: 'Create agency' }).first().click()
  const dialog = admin.getByRole('dialog', { name: 'Create transfer agency' })
  const create = dialog.getByRole('button', { name: 'Create agency' })
  const [endpoint, more] = [dialog.getByLabel('Endpoint'), dialog.getByLabel('More details')]
  const protocol = dialog.getByLabel('Protocol')
  await fillIn(dialog, fields)
  await dialog.getByLabel('Type').selectOption('mobile_money')
  await dialog.getByLabel('Country').selectOption('ml')
  await create.click()
  await expect(more).toHaveAccessibleDescription(/Write the details as a JSON object/)
  await expectAccessible(admin, 'a form with an error')

  await more.fill('{"rate": 5}')
  await create.click()
  await expect(protocol).toHaveAccessibleDescription(/The protocol is one of: /)
  // A wallet of Wave needs its key; without one nothing is stored.
  await protocol.selectOption('wave')
  await dialog.getByLabel('Wallet').fill('Programme')
  await create.click()
  await expect(dialog.getByLabel('API key')).toHaveAccessibleDescription(/Fill in this field/)
  await protocol.selectOption('sandbox')
  await dialog.getByLabel('Token').fill('open-sesame')
  await create.click()
  await expect(endpoint).toHaveAccessibleDescription(/This address is not a public one\./)
  await endpoint.fill(place.agencyUrl)
  await create.click()
  await expect(dialog).toBeHidden()

  await admin.getByRole('button', { name: fields.Name, exact: true }).click()
  const seen = admin.getByRole('dialog')
  await expect(seen.getByText(place.agencyUrl)).toBeVisible()
  await expect(seen).not.toContainText('open-sesame')
  const stored = await row<{ details: object; secret_names: string[]; sealed: string }>(
    `select details, secret_names, encode(secrets, 'escape') as sealed from transfer_agencies where name = $1`,
    fields.Name,
  )
  expect(stored).toMatchObject({ details: { protocol: 'sandbox', rate: 5 }, secret_names: ['token'] })
  expect(JSON.stringify(stored)).not.toContain('open-sesame')
})

test('an administrator reads why an agency without a connector cannot be activated, and is not offered to', async ({
  person,
}) => {
  await rows(
    `insert into transfer_agencies (name, description, type, country, fees, endpoint, protocol, details, status, user_id)
     select 'Banque sans connecteur', description, type, country, fees, endpoint, 'swift', '{"protocol": "swift"}', 'inactive', user_id
     from transfer_agencies where name = 'Banque du Fleuve'`,
  )
  const admin = await person('admin')
  await admin.goto('/admin/transfers/settings')
  await admin.getByRole('button', { name: 'Banque sans connecteur', exact: true }).click()
  const dialog = admin.getByRole('dialog')
  await expect(dialog).toContainText('This portal has no connector for this protocol yet')
  await expect(dialog.getByRole('button', { name: 'Change address or account' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Activate' })).toHaveCount(0)
})

test('an agency’s new account waits for a second administrator, who sees old and new side by side', async ({
  person,
}) => {
  const name = 'Sikasso Wallets'
  const admin = await person('admin')
  await admin.goto('/admin/transfers/settings')
  await admin.getByRole('button', { name: 'Create agency' }).first().click()
  const creating = admin.getByRole('dialog', { name: 'Create transfer agency' })
  await fillIn(creating, {
    ...fields,
    Name: name,
    Endpoint: place.agencyUrl,
    'More details': '',
  })
  await creating.getByLabel('Protocol').selectOption('sandbox')
  await creating.getByLabel('Token').fill('first-token')
  await creating.getByLabel('Type').selectOption('mobile_money')
  await creating.getByLabel('Country').selectOption('ml')
  await creating.getByRole('button', { name: 'Create agency' }).click()
  await expect(creating).toBeHidden()

  await admin.getByRole('button', { name, exact: true }).click()
  await admin.getByRole('button', { name: 'Change address or account' }).click()
  const proposing = admin.getByRole('dialog', { name: 'Change address or account' })
  await proposing.getByRole('button', { name: 'Propose the change' }).click()
  await expect(proposing.getByLabel('Token')).toHaveAccessibleDescription(/Fill in this field/)
  await proposing.getByLabel('Token').fill('second-token')
  await expectAccessible(admin, 'proposing a change of an agency')
  // On a slow line she opens the agency before it has been read again.
  const line = Promise.withResolvers<void>()
  await admin.route('**/api/admin/transfers/settings', async (route) => {
    await line.promise
    await route.continue()
  })
  await proposing.getByRole('button', { name: 'Propose the change' }).click()
  await expect(proposing).toBeHidden()
  await admin.getByRole('button', { name, exact: true }).click()
  await expect(admin.getByRole('button', { name: 'Change address or account' })).toBeVisible()
  line.resolve()

  await admin.getByRole('button', { name: 'Confirm the change' }).click()
  const own = admin.getByRole('dialog', { name: `Confirm the change of ${name}?` })
  const barred = own.getByText('You proposed this change, so somebody else must confirm it.')
  await expect(barred.first()).toBeVisible()
  await expect(own.getByRole('button', { name: 'Confirm the change' })).toBeDisabled()

  // A second administrator: nobody else may change an agency.
  await rows(
    `insert into user_roles (user_id, role_id) select u.id, r.id from users u, roles r
     where u.email = 'reviewer@portal.example' and r.administrator`,
  )
  const second = await person('reviewer')
  for (const width of [1280, 360]) {
    await second.setViewportSize({ width, height: 900 })
    await second.goto('/admin/transfers/settings')
    await second.getByRole('button', { name, exact: true }).click()
    const seen = second.getByRole('dialog')
    await expect(seen.getByRole('table', { name: 'Old and new' })).toContainText('Token (fingerprint)')
    await expect(seen).not.toContainText('second-token')
    await expectAccessible(second, `a proposed change at ${width}`)
  }
  await second.getByRole('button', { name: 'Confirm the change' }).click()
  const confirming = second.getByRole('dialog', { name: `Confirm the change of ${name}?` })
  await confirming.getByRole('button', { name: 'Confirm the change' }).click()
  await expect(confirming).toBeHidden()
  const stored = await row<{ state: string; decided_by: string }>(
    `select c.state, u.email as decided_by from transfer_agency_changes c join users u on u.id = c.decided_by
     join transfer_agencies a on a.id = c.agency_id where a.name = $1`,
    name,
  )
  expect(stored).toEqual({ state: 'confirmed', decided_by: 'reviewer@portal.example' })
  // The next journeys find the reviewer as she was.
  await rows(
    `delete from user_roles using users u, roles r
     where user_roles.user_id = u.id and role_id = r.id and u.email = 'reviewer@portal.example' and r.administrator`,
  )
})

test('a parameter that an administrator makes stands in the officer’s upload, who may make none herself', async ({
  person,
}) => {
  const admin = await person('admin')
  await admin.goto('/admin/transfers/parameters/list')
  await admin.getByRole('button', { name: 'Create parameter' }).first().click()
  const dialog = admin.getByRole('dialog', { name: /parameter/i })
  await fillIn(dialog, {
    Name: 'Exam fees',
    Description: 'Once, before the exam',
    Amount: '12000.5',
    Commission: '101',
    Frequency: '40',
    Currency: 'EUR',
  })
  const create = dialog.getByRole('button', { name: /create/i })
  await create.click()
  await expect(dialog.getByLabel('Amount')).toHaveAccessibleDescription(
    /Amounts are whole francs, without decimals\./,
  )
  await expect(dialog.getByLabel('Commission')).toHaveAccessibleDescription(
    /The commission is a number from 0 to 100\./,
  )
  await expect(dialog.getByLabel('Frequency')).toHaveAccessibleDescription(/Write a number from 1 to 31\./)
  await expect(dialog.getByLabel('Currency')).toHaveAccessibleDescription(/The currency is XOF\./)
  await fillIn(dialog, { Amount: '12000', Commission: '2.25', Frequency: '1', Currency: 'XOF' })
  await create.click()
  await expect(dialog).toBeHidden()
  const stored = await row(
    `select amount, commission_hundredths, frequency, status from transfer_parameters where name = 'Exam fees'`,
  )
  expect(stored).toEqual({ amount: 12_000, commission_hundredths: 225, frequency: 1, status: 'active' })

  const officer = await person('officer')
  await officer.goto('/admin/transfers/settings')
  await expect(officer.getByRole('table', { name: 'Transfer agencies' })).toBeVisible()
  for (const name of ['Create agency', 'Create parameter'])
    await expect(officer.getByRole('button', { name })).toHaveCount(0)
  await openUpload(officer, { name: 'Exams', parameter: 'Exam fees' })
})
