import { clippedAtAnyWidth } from '../clipped.ts'
import { englishOn, watchData } from '../english.ts'
import { faces, showIn } from '../faces.ts'
import { place } from '../stage/place.ts'
import { expect, expectNoSidewaysScroll, test } from '../test.ts'
import { byRole, speak, visit } from '../visits.ts'
import { french } from '../words.ts'

test.use({ locale: 'fr-FR' })

test('the French check finds English on an English page', async ({ person }) => {
  const page = await person(null)
  await speak(page.context(), 'en', place.url)
  const data = watchData(page)
  await page.goto('/login')
  expect(await englishOn(page, data)).toEqual(
    expect.arrayContaining([
      'Sign in',
      'For staff and partners. Consultants use the link in their invitation.',
    ]),
  )
})

test('somebody who reads French on a phone meets no English and scrolls nothing sideways, on any page or in any dialog, and finds nothing cut at any width', async ({
  person,
  expected,
}) => {
  test.setTimeout(600_000)
  // A consultant without a request is answered 404.
  expected.push(/404/)
  const left: string[] = []
  const clipped: string[] = []
  for (const [role, screens] of byRole()) {
    // French words are the longest, and a phone the narrowest.
    const page = await person(role, { width: 360 })
    await speak(page.context(), 'fr', place.url)
    const data = watchData(page)
    await visit(page, screens, french, async ({ name }) => {
      expect(await page.locator('html').getAttribute('lang'), name).toBe('fr')
      for (const face of faces) {
        await showIn(page, face)
        await expectNoSidewaysScroll(page, `${name}, ${face}`)
      }
      for (const text of await englishOn(page, data)) left.push(`${name}: ${text}`)
      clipped.push(...(await clippedAtAnyWidth(page, name)))
    })
    await page.close()
  }
  expect(left).toEqual([])
  expect(clipped).toEqual([])
})
