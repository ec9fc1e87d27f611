import type { Page } from '@playwright/test'
import { english, french } from './words.ts'

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
  'Budgets',
]
/** Its rows are sentences, as long as what happened. */
const sentences = ['Recent User Logs']
const leftOut = [...short, ...sentences].flatMap((name) => [english(name), french(name)])
const rows = `main table.cards:not(.tight)${leftOut.map((name) => `:not([aria-label="${name}"])`).join('')} tbody tr:not(.no-rows)`

/** The first row that is too tall to read as two lines, at the width of a phone. Undefined if there is none, or if a dialog is open. */
export async function tallRow(page: Page): Promise<string | undefined> {
  if (await page.locator('[role="dialog"]').count()) return undefined
  const seen = await page.locator(rows).evaluateAll((all) =>
    all.map((row) => ({
      height: Math.round(row.getBoundingClientRect().height),
      words: (row.textContent ?? '').slice(0, 120),
    })),
  )
  const tall = seen.find(({ height }) => height > tallest)
  return tall && `a row of ${tall.height} px, "${tall.words}"`
}

/** The first row whose name does not begin at its left edge, at the width of a phone: it stands behind its buttons, or in a narrow column. */
export async function misplacedName(page: Page): Promise<string | undefined> {
  if (await page.locator('[role="dialog"]').count()) return undefined
  return page.locator('main table.cards tbody tr:not(.no-rows) > td.card-title').evaluateAll((names) => {
    const misplaced = names.find((name) => {
      const words = document.createTreeWalker(name, NodeFilter.SHOW_TEXT)
      const row = name.parentElement?.getBoundingClientRect()
      if (!row || !words.nextNode()) return false
      const range = document.createRange()
      range.selectNodeContents(words.currentNode)
      const rect = range.getBoundingClientRect()
      const room = (row.right - rect.left) / row.width
      return rect.width > 0 && (room < 0.5 || rect.height > 5 * 24)
    })
    return (
      misplaced &&
      `the name of the row "${(misplaced.parentElement?.textContent ?? '').slice(0, 120)}" stands elsewhere`
    )
  })
}
