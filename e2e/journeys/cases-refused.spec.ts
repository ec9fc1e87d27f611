import { decide, fileCase, notificationsOf, openCase, refer } from '../cases.ts'
import { row } from '../database.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test, walked } from '../test.ts'

/** The sentence as it is agreed, word for word (Cases 4.4). */
const sentence =
  "Oops! Something doesn't seem right, we encountered an issue fetching the consultation request with your invite code."
const expertOf = (name: string) => ({
  first_name: 'Ramata',
  last_name: 'Kanté',
  email: `${name}@conseil.example`,
  comment: 'May the programme pay again?',
})

for (const { locale, language } of [
  { locale: 'en-GB', language: 'English' },
  { locale: 'fr-FR', language: 'French' },
]) {
  test.describe(() => {
    test.use({ locale })

    test(
      `an expert declines in ${language}, and the case is the reviewer’s again`,
      walked(locale === 'fr-FR'),
      async ({ person, say }) => {
        const id = await fileCase(await person('admin'), `To be declined (${language})`, say)
        const reviewer = await person('reviewer')
        await openCase(reviewer, id)
        const invite = await refer(reviewer, expertOf(`declines.${language.toLowerCase()}`), say)

        const expert = await person(null, { width: 360 })
        await expert.goto(invite)
        await expert.getByRole('button', { name: say('Unable to Participate') }).click()
        await expect(expert.getByRole('heading', { name: say('Unable to Participate') })).toBeFocused()
        await expectAccessible(expert, 'the question before declining')
        await expectNoSidewaysScroll(expert, 'the question before declining')
        await expert.getByRole('button', { name: say('Decline the request') }).click()
        await expect(expert.getByRole('heading', { level: 1, name: say('Thank you') })).toBeVisible()
        await expectAccessible(expert, 'the receipt of a refusal')

        await openCase(reviewer, id)
        await expect(reviewer.getByText(say('REQUEST REJECTED')).first()).toBeVisible()
        await expect(reviewer.getByRole('button', { name: say('See Details') })).toBeDisabled()
        await expect(reviewer.getByRole('button', { name: say('Refer external input') })).toBeVisible()
        await expectAccessible(reviewer, 'a declined consultation')
        expect(await row('select status from cases where id = $1', id)).toEqual({ status: 'open' })
        expect((await notificationsOf(reviewer, 'reviewer', id)).read).toHaveLength(2)
      },
    )

    test(
      `a withdrawn request reads like any wrong link in ${language}`,
      walked(locale === 'fr-FR'),
      async ({ person, say }) => {
        const id = await fileCase(await person('admin'), `To be withdrawn (${language})`, say)
        const reviewer = await person('reviewer')
        await openCase(reviewer, id)
        const invite = await refer(reviewer, expertOf(`withdrawn.${language.toLowerCase()}`), say)

        // The expert has the page open, and sends after the withdrawal.
        const expert = await person(null, { width: 360 })
        await expert.goto(invite)
        await expert.locator('[name=comment]').fill('Too late')
        await reviewer.getByRole('button', { name: say('Withdraw'), exact: true }).click()
        await reviewer
          .getByRole('dialog')
          .getByRole('button', { name: say('Withdraw the request') })
          .click()
        await expect(reviewer.getByText(say('WITHDRAWN'), { exact: true })).toBeVisible()
        await expert.getByRole('button', { name: say('Send feedback') }).click()
        await expect(expert.getByRole('heading', { level: 1, name: say(sentence) })).toBeVisible()
        await expectAccessible(expert, 'a withdrawn request')
        expect(await row('select status from cases where id = $1', id)).toEqual({ status: 'open' })
      },
    )

    test(
      `a rejected case ends its open request in ${language}, and its filer is told`,
      walked(locale === 'fr-FR'),
      async ({ person, say }) => {
        const staff = await person('admin')
        const id = await fileCase(staff, `To be rejected (${language})`, say)
        const reviewer = await person('reviewer', { width: 360 })
        await openCase(reviewer, id)
        await expectNoSidewaysScroll(reviewer, 'a case on a phone')
        const invite = await refer(reviewer, expertOf(`rejected.${language.toLowerCase()}`), say)
        await decide(reviewer, 'reject', 'Nothing can be followed up.', say)
        await expect(reviewer.getByText(say('REJECTED'), { exact: true }).first()).toBeVisible()
        await expectNoSidewaysScroll(reviewer, 'a rejected case on a phone')
        await expectAccessible(reviewer, 'a rejected case')
        const expert = await person(null)
        await expert.goto(invite)
        await expect(expert.getByText(say(sentence))).toBeVisible()
        expect(await row('select status from cases where id = $1', id)).toEqual({ status: 'rejected' })
        const { stored, read } = await notificationsOf(staff, 'admin', id)
        expect([stored, read.length]).toEqual([1, 1])
      },
    )
  })
}

test('an expert retries after a network failure, and reads when the rate limiter holds her off', async ({
  person,
  expected,
}) => {
  expected.push(/ERR_INTERNET_DISCONNECTED/)
  const id = await fileCase(await person('admin'), 'A broken line')
  const reviewer = await person('reviewer')
  await openCase(reviewer, id)
  const invite = await refer(reviewer, expertOf('offline'))
  const expert = await person(null, { width: 360 })
  const calls = `**/api${invite}`
  await expert.route(calls, (route) => route.abort('internetdisconnected'))
  await expert.goto(invite)
  await expect(expert.getByRole('heading', { name: 'The request could not be loaded' })).toBeVisible()
  await expectAccessible(expert, 'a broken line')
  await expert.unroute(calls)
  // The server's own sentence is shown, whatever it is.
  const message = 'Too many attempts. Try again in a few minutes.'
  await expert.route(calls, (route) => route.fulfill({ status: 429, json: { message } }))
  await expert.getByRole('button', { name: 'Try again' }).click()
  await expect(expert.getByText(message)).toBeVisible()
  await expert.unroute(calls)
  await expert.getByRole('button', { name: 'Try again' }).click()
  await expect(expert.getByText('May the programme pay again?')).toBeVisible()
})

test('a reviewer sees the request as its expert does, and can send nothing from there', async ({
  person,
}) => {
  const id = await fileCase(await person('admin'), 'To be looked at')
  const reviewer = await person('reviewer')
  await openCase(reviewer, id)
  const invite = await refer(reviewer, expertOf('preview'))
  await reviewer.getByRole('link', { name: 'See as the expert' }).click()
  await expect(reviewer.getByRole('heading', { level: 1, name: 'Consultation request' })).toBeVisible()
  await expect(reviewer.getByText('S•••• D••••', { exact: true })).toBeVisible()
  await expect(reviewer.getByText('To be looked at')).toHaveCount(0)
  for (const name of ['Send feedback', 'Unable to Participate', 'Upload document'])
    await expect(reviewer.getByRole('button', { name })).toBeDisabled()
  await expectAccessible(reviewer, 'the preview')
  const expert = await person(null)
  await expert.goto(invite)
  await expect(expert.getByRole('button', { name: 'Send feedback' })).toBeEnabled()
  const words = (page: typeof expert) => page.locator('.guest').innerText()
  await expect(async () => {
    expect(await words(reviewer)).toContain(await words(expert))
  }).toPass({ timeout: 20_000 })
})
