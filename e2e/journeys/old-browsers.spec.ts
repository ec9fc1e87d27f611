import { lackedByStyles } from '../old-styles.ts'
import { place } from '../stage/place.ts'
import { expect, test } from '../test.ts'

/** What styles use although one of the promised browsers does not have it, by what it is and where it stands, and what is then seen. */
const harmless: [RegExp, string][] = [
  [/^text-wrap/, 'lines break where they are full'],
  [/^(forced-color-adjust|print-color-adjust)/, 'colours are those of the system, or those that paper gets'],
  [/^scrollbar-width/, 'a bar for scrolling is seen'],
  [/^(@page|size|break-after)/, 'paper has the size and the breaks that the person chose'],
  [/^:-webkit-search-cancel-button/, 'only browsers of this engine have the button that it hides'],
  [/^grid-template-columns: subgrid \.bars li/, 'without it the lines have columns of one width'],
  [/^grid-template-rows: subgrid \.stats/, 'figures stand below their own labels'],
  [/^grid-template-rows: subgrid \.fields\.pair/, 'a field without a help is higher than its neighbour'],
  [/^:has body:has\(>\.scrim\)$/, 'the page behind a dialog can be scrolled'],
  [/^:has body:has\(\.scrim.*\.notice$/, 'a banner stands behind the shade of a dialog'],
  [/^:has .*\.toaster$/, 'messages stay beside the menu, on a phone below the bar'],
  [/^:has \.in-frame body/, 'a dialog of a frame is in the middle of the frame, not of the window'],
  [/^:has body:has\(\.of-partner\)/, 'on a phone a dialog of a partner covers the bar'],
  [/^:has :root:has\(\.decide\)$/, 'a field that has the focus may stand below the bar of decisions'],
  [/^:has (\.card:has\(table\)|td:is\()/, 'on paper a table may begin on a new page, and shares may break'],
  [/^:has (\.search|\.tag|\.sheet-list|:is\(\.guest|\.guest)/, 'in a narrow window some rooms are smaller'],
  [/^:has \.cards/, 'in a narrow window facts of a row stand closer, and a name with its fact in one place'],
]

test('an officer with one of the oldest browsers, which has none of the names that came later, sees the home page', async ({
  person,
}) => {
  const page = await person('officer')
  await page.goto('/home')
  await expect(page.getByRole('table', { name: 'Disbursement by CAP' })).toBeVisible()
  const found = await page.evaluate(() => {
    const window = globalThis as unknown as Record<string, object>
    return [
      ...['toSorted', 'toReversed', 'toSpliced', 'with'].filter((name) => name in Array.prototype),
      ...['groupBy'].filter((name) => name in Map || name in Object),
      ...['union', 'isSubsetOf'].filter((name) => name in Set.prototype),
      ...['withResolvers', 'try'].filter((name) => name in Promise),
      ...['toSorted', 'with'].filter((name) => name in Int8Array.prototype),
      ...['Segmenter', 'DurationFormat'].filter((name) => name in Intl),
      ...['navigation', 'scheduler', 'CloseWatcher', 'requestIdleCallback'].filter((name) => name in window),
      ...['startViewTransition'].filter((name) => name in Document.prototype),
      ...['any'].filter((name) => name in AbortSignal),
      ...['canParse', 'parse'].filter((name) => name in URL),
    ]
  })
  expect(found).toEqual([])
  expect(await page.evaluate(() => typeof [].findLast)).toBe('function')
})

test('somebody with one of the oldest browsers sees pages whose styles need nothing that came later', () => {
  const styles = lackedByStyles(place.settings.PORTAL_DIST_DIR ?? '')
  const used = [...styles].flatMap(([what, places]) => [...places].map((at) => `${what} ${at}`))
  expect(used.filter((each) => !harmless.some(([known]) => known.test(each)))).toEqual([])
  expect(harmless.filter(([known]) => !used.some((each) => known.test(each)))).toEqual([])
})
