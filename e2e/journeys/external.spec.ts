import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../test.ts'

/** The sentence as it is agreed, word for word (Cases 4.4). */
const sentence =
  "Oops! Something doesn't seem right, we encountered an issue fetching the consultation request with your invite code."

for (const { locale, language } of [
  { locale: 'en-GB', language: 'English' },
  { locale: 'fr-FR', language: 'French' },
]) {
  test.describe(() => {
    test.use({ locale })

    test(`a consultant with a wrong invite reads so in ${language}, without signing in`, async ({
      person,
      say,
    }) => {
      const consultant = await person(null, { width: 360 })
      const requests: string[] = []
      consultant.on('request', (request) => requests.push(new URL(request.url()).pathname))
      await consultant.goto('/external/cases/whatever')
      await expect(consultant.getByText(say(sentence))).toBeVisible()
      await expectAccessible(consultant, 'the external page')
      await expectNoSidewaysScroll(consultant, 'the external page')
      // Standalone: nothing of the shell, of other modules or of a session.
      expect(
        requests.filter((path) => /^\/(modules|assets)\/(?!mark\.svg)|\/api\/(?!external)/.test(path)),
      ).toEqual([])
    })
  })
}
