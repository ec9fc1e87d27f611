import type { Page } from '@playwright/test'
import { startWithProvider } from '../identity-provider.ts'
import { emailOf } from '../people.ts'
import { expect, expectAccessible, test } from '../test.ts'

/** Signs in on the provider's own page. */
async function signInThere(page: Page, email: string) {
  await page.getByLabel('E-mail at the Ministry').fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('an auditor signs in through her ministry and stands where she wanted, and a stranger is refused', async ({
  person,
}) => {
  const { url, stop } = await startWithProvider()
  const auditor = await person(null)
  const stranger = await person(null)
  try {
    await auditor.goto(`${url}/login?next=/admin/transfers/cohorts/list`)
    const button = auditor.getByRole('link', { name: 'Sign in with the Ministry of Education' })
    await expect(button).toBeVisible()
    await expectAccessible(auditor, 'the sign-in with a provider')
    await auditor.getByRole('link', { name: 'FR' }).click()
    await auditor.getByRole('link', { name: 'Se connecter avec the Ministry of Education' }).click()
    await signInThere(auditor, emailOf('auditor'))
    await expect(auditor).toHaveURL(`${url}/admin/transfers/cohorts/list`)
    await expect(auditor.getByRole('heading', { name: 'Cohortes', level: 1 })).toBeVisible()

    // An act that needs a recent sign-in: the provider asks for her password again.
    await auditor.goto(`${url}/profile`)
    await auditor.getByRole('button', { name: 'Configurer les codes à usage unique' }).click()
    const confirm = auditor.getByRole('dialog', { name: 'Confirmez votre identité' })
    await expect(confirm).toBeVisible()
    await expectAccessible(auditor, 'confirming with a provider')
    await confirm.getByRole('link', { name: 'Confirmer avec the Ministry of Education' }).click()
    await signInThere(auditor, emailOf('auditor'))
    await expect(auditor).toHaveURL(`${url}/profile`)

    await stranger.goto(`${url}/login`)
    await stranger.getByRole('link', { name: 'Sign in with the Ministry of Education' }).click()
    await signInThere(stranger, 'stranger@portal.example')
    await expect(stranger.getByRole('alert')).toContainText('You could not be signed in this way.')
    await expect(stranger.getByLabel('Email')).toBeVisible()

    await stranger.goto(`${url}/login?with=code`)
    await expect(stranger.getByLabel('Email')).toBeHidden()
    await stranger.getByLabel('One-time code').fill('123456')
    await stranger.getByRole('button', { name: 'Sign in' }).click()
    await expect(stranger.getByText('This sign-in took too long. Begin it again.')).toBeVisible()
    await expectAccessible(stranger, 'the code after a provider')
    await stranger.getByRole('link', { name: 'Sign in another way' }).click()
    await expect(stranger.getByLabel('Email')).toBeVisible()
  } finally {
    // First, because a page that still polls would miss the portal that ends.
    await auditor.context().close()
    await stranger.context().close()
    await stop()
  }
})
