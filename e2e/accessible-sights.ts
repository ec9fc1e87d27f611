import { clippedAtAnyWidth } from './clipped.ts'
import { showIn } from './faces.ts'
import type { Role } from './people.ts'
import type { Screen } from './screens/screen.ts'
import { place } from './stage/place.ts'
import { expect, expectAccessible, rulesOfLayout, test } from './test.ts'
import { speak, visit } from './visits.ts'
import { english } from './words.ts'

/**
 * Declares the test that goes through all pages by light and all dialogs by dark of a role, at every width. With `twice`, a page is
 * also looked at by dark, and both in a narrow face.
 */
export function testAccessibleSights(role: Role | null, screens: Screen[], { twice = false } = {}): void {
  const more = twice ? ', by light and by dark, in a wide face and a narrow one' : ''
  test(`${role ?? 'a visitor'} who uses a screen reader can use every page and dialog${more}, and finds nothing cut at any width`, async ({
    person,
    expected,
  }) => {
    test.setTimeout(300_000)
    // A consultant without a request is answered 404.
    expected.push(/404/)
    const page = await person(role)
    await speak(page.context(), 'en', place.url)
    const clipped: string[] = []
    // Of a page in the dark only the colours are others, and of a narrow face only the layout.
    await visit(page, screens, english, async ({ name, dialog }) => {
      await page.emulateMedia({ colorScheme: dialog ? 'dark' : 'light' })
      await showIn(page, 'wide')
      await expectAccessible(page, name)
      if (twice) {
        await showIn(page, 'narrow')
        await expectAccessible(page, `${name}, narrow`, rulesOfLayout)
      }
      if (twice && !dialog) {
        await page.emulateMedia({ colorScheme: 'dark' })
        await expectAccessible(page, `${name}, by dark`, ['color-contrast'])
      }
      clipped.push(...(await clippedAtAnyWidth(page, name)))
    })
    expect(clipped).toEqual([])
  })
}
