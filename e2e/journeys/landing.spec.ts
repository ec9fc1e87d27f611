import { expect, test } from '../test.ts'

for (const { language, locale } of [
  { language: 'English', locale: 'en-GB' },
  { language: 'French', locale: 'fr-FR' },
]) {
  test.describe(`in ${language}`, () => {
    test.use({ locale })

    test('a visitor reads what the programme is, and nothing is asked of the server for it', async ({
      person,
      say,
    }) => {
      const visitor = await person(null)
      const calls: string[] = []
      visitor.on('request', (request) => {
        if (new URL(request.url()).pathname.startsWith('/api/')) calls.push(request.url())
      })
      await visitor.goto('/', { waitUntil: 'networkidle' })
      await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(
        say('Girls’ education cash transfers'),
      )
      await expect(
        visitor.getByText(say('School grants that reach the right guardian, on time and to the franc.')),
      ).toBeVisible()
      for (const card of ['Our mission', 'Investing in girls'])
        await expect(visitor.getByRole('heading', { name: say(card) })).toBeVisible()
      expect(calls).toEqual([])
      await visitor
        .getByRole('main')
        .getByRole('link', { name: say('Sign in') })
        .press('Enter')
      await expect(visitor).toHaveURL(/\/login$/)
    })

    test('a visitor without scripts sees it too, in one small answer', async ({
      browser,
      contextOptions,
      baseURL,
      say,
    }) => {
      const context = await browser.newContext({ ...contextOptions, baseURL, javaScriptEnabled: false })
      const visitor = await context.newPage()
      await visitor.goto('/')
      await expect(visitor.getByRole('heading', { name: say('Our mission') })).toBeVisible()
      // The language buttons are links: they work before any script does, too.
      const other = language === 'English' ? 'FR' : 'EN'
      await visitor.getByRole('link', { name: other, exact: true }).click()
      await expect(visitor.locator('html')).toHaveAttribute('lang', other.toLowerCase())
      const answer = await context.request.get('/', { headers: { 'accept-encoding': 'br' } })
      expect(answer.headers()['content-encoding']).toBe('br')
      expect(Number(answer.headers()['content-length'])).toBeLessThan(13 * 1024)
      await context.close()
    })
  })
}
