import { faces, showIn } from '../faces.ts'
import { screens } from '../routes.ts'
import { place } from '../stage/place.ts'
import { expect, test } from '../test.ts'
import { byRole, speak, visit } from '../visits.ts'
import { english, french } from '../words.ts'

/** A row of two lines with its buttons takes 64 to 85 px; in a wide face a long name or a long fact has a line more. */
const tallest = 132

/** These never have more than a handful of rows, whose buttons are what one comes for. */
const short = [
  'This week',
  'My sessions',
  'What waits for you',
  'Failed payments',
  'Disbursement rounds if approved today',
  'Missed and scheduled rounds',
]

for (const { locale, language, say } of [
  { locale: 'en', language: 'English', say: english },
  { locale: 'fr', language: 'French', say: french },
] as const)
  test(`whoever holds a phone reads each row of each list in two lines, in ${language}`, async ({
    person,
  }) => {
    test.setTimeout(300_000)
    const cards = short.map((name) => `:not([aria-label="${say(name)}"])`).join('')
    const tall: string[] = []
    for (const [role, of] of byRole(screens)) {
      if (!role) continue
      const page = await person(role, { width: 360 })
      await speak(page.context(), locale, place.url)
      const lists = of.map(({ dialogs, ...screen }) => screen)
      await visit(page, lists, say, async ({ name }) => {
        for (const face of faces) {
          await showIn(page, face)
          const heights = await page
            .locator(`main table.cards:not(.tight)${cards} tbody tr:not(.no-rows)`)
            .evaluateAll((rows) => rows.map((row) => Math.round(row.getBoundingClientRect().height)))
          const highest = Math.max(0, ...heights)
          if (highest > tallest) tall.push(`${name}, ${face}: ${highest} px`)
        }
      })
    }
    expect(tall).toEqual([])
  })
