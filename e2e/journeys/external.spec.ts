import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../test.ts'

for (const { locale, language, sentence } of [
  {
    locale: 'en-GB',
    language: 'English',
    sentence:
      "Oops! Something doesn't seem right, we encountered an issue fetching the consultation request with your invite code.",
  },
  { locale: 'fr-FR', language: 'French', sentence: undefined },
]) {
  test.describe(() => {
    test.use({ locale })

    test(`a consultant with a wrong invite reads so in ${language}, without signing in`, async ({
      person,
      say,
    }) => {
      const consultant = await person(null, { width: 360 })
      const asked: string[] = []
      consultant.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await consultant.goto('/external/cases/whatever')
      const words =
        sentence ??
        say(
          "Oops! Something doesn't seem right, we encountered an issue fetching the consultation request with your invite code.",
        )
      await expect(
        consultant.getByText(words.replaceAll("'", '’')).or(consultant.getByText(words)),
      ).toBeVisible()
      await expectAccessible(consultant, 'the external page')
      await expectNoSidewaysScroll(consultant, 'the external page')
      expect(asked.filter((path) => /modules|shell\/(?!external)/.test(path))).toEqual([])
    })
  })
}
