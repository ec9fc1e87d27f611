import type { Page } from '@playwright/test'
import { faces, showIn } from './faces.ts'
import { misplacedName, tallRow } from './phone-rows.ts'

/** Widths at which each sight is looked at: a phone, a tablet, a small and a large window. */
const widths = [360, 768, 1024, 1280] as const

/** How long a page may take to lay itself out anew. */
const layoutTimeoutMs = 10_000

/** What is cut or sticks out at any width in either face, each with its words, and rows too tall on a phone. The window is left as it was. */
export async function clippedAtAnyWidth(page: Page, what: string): Promise<string[]> {
  const before = page.viewportSize()
  const found: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    for (const face of faces) {
      await showIn(page, face)
      for (const fault of await clipped(page, width === 360))
        found.push(`${what} at ${width}, ${face}: ${fault}`)
    }
  }
  await showIn(page, 'wide')
  if (before) await page.setViewportSize(before)
  return found
}

/** Looks until nothing is clipped, or the page has had its time. */
async function clipped(page: Page, onPhone: boolean): Promise<string[]> {
  for (const until = Date.now() + layoutTimeoutMs; ; ) {
    const found = await page.evaluate(lookForClipped)
    const ofRows = onPhone ? [await tallRow(page), await misplacedName(page)] : []
    found.push(...ofRows.filter((each) => each !== undefined))
    if (!found.length || Date.now() > until) return found
  }
}

/** Runs in the page, once it has been drawn: texts that their box cuts or that leave it, what a field asks for, menus of rows, the page itself. */
async function lookForClipped(): Promise<string[]> {
  await new Promise(requestAnimationFrame)
  const found = new Set<string>()
  const inFull = new Set<string>()
  const shortened: { words: string; fault: string }[] = []
  const root = [...document.querySelectorAll('[role="dialog"]')].at(-1) ?? document.body
  const wordsOf = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim()
  const nameOf = (element: Element) => `${element.localName}.${element.getAttribute('class') ?? ''}`
  const isShown = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.closest('svg')

  type Box = { box: Element; cuts: boolean; shortens: boolean }
  /** The texts of a table share most of what is around them. */
  const known = new Map<Element, Box[]>()

  /** What a text may not leave: boxes that cut, and boxes whose edge people see; none beyond one that scrolls. */
  function boxesAround(element: Element | null): Box[] {
    if (!element || element === document.body) return []
    let boxes = known.get(element)
    if (!boxes) {
      boxes = boxesFrom(element)
      known.set(element, boxes)
    }
    return boxes
  }

  function boxesFrom(element: Element): Box[] {
    const style = getComputedStyle(element)
    if (style.display === 'inline' || style.display === 'contents') return boxesAround(element.parentElement)
    if (/auto|scroll/.test(style.overflowX)) return []
    const cuts = /hidden|clip/.test(style.overflowX)
    const hasEdge = parseFloat(style.borderLeftWidth) + parseFloat(style.borderRightWidth) > 0
    const isFilled = !/^rgba\(.* 0\)$|^transparent$/.test(style.backgroundColor)
    const own = { box: element, cuts, shortens: style.textOverflow === 'ellipsis' }
    // Signs between figures and names over columns stand where they are put.
    const around = /absolute|fixed/.test(style.position) ? [] : boxesAround(element.parentElement)
    return cuts || hasEdge || isFilled ? [own, ...around] : around
  }

  function lookAtText(node: Node, holder: Element) {
    const words = wordsOf(node.nodeValue)
    const range = document.createRange()
    range.selectNodeContents(node)
    const rects = [...range.getClientRects()].filter(({ width }) => width > 1)
    if (!rects.length) return
    const left = Math.min(...rects.map((rect) => rect.left))
    const right = Math.max(...rects.map((rect) => rect.right))
    for (const { box, cuts, shortens } of boxesAround(holder)) {
      const rect = box.getBoundingClientRect()
      // What is for screen readers only stands in a box of a dot.
      if (rect.width <= 1 || rect.height <= 1) return
      const beyond = Math.round(Math.max(right - rect.right, rect.left - left))
      if (beyond <= 1) continue
      const fault = `"${words.slice(0, 60)}" ${cuts ? 'is cut by' : 'sticks out of'} ${nameOf(box)}, ${beyond} px`
      if (shortens) shortened.push({ words, fault })
      else found.add(fault)
      return
    }
    inFull.add(words)
  }

  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { currentNode } = texts
    const holder = currentNode.parentElement
    if (holder && wordsOf(currentNode.nodeValue) && isShown(holder)) lookAtText(currentNode, holder)
  }
  // The last part of the way to a page may end in dots: its heading says it in full.
  for (const { words, fault } of shortened) if (!inFull.has(words)) found.add(fault)

  const ruler = document.createElement('canvas').getContext('2d')
  for (const field of root.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select')) {
    const isEmptyField = field instanceof HTMLInputElement && !field.value
    const text = isEmptyField
      ? field.placeholder
      : wordsOf((field as HTMLSelectElement).selectedOptions?.[0]?.text)
    if (!text || !ruler || !isShown(field)) continue
    const style = getComputedStyle(field)
    const letters = isEmptyField ? getComputedStyle(field, '::placeholder') : style
    ruler.font = `${letters.fontWeight} ${letters.fontSize} ${letters.fontFamily}`
    ruler.letterSpacing = letters.letterSpacing === 'normal' ? '0px' : letters.letterSpacing
    const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
    const beyond = Math.round(ruler.measureText(text).width - room)
    if (beyond > 1) found.add(`"${text}" is cut by its field, ${beyond} px`)
  }

  for (const button of root.querySelectorAll('tbody .menu-cell button')) {
    const scroller = button.closest('.scroll')?.getBoundingClientRect()
    const { left, right } = button.getBoundingClientRect()
    const edge = Math.min(scroller?.right ?? innerWidth, innerWidth)
    if (isShown(button) && (right > edge + 1 || left < 0)) found.add('the menu of a row is out of sight')
  }
  // A large window has room for every column.
  if (innerWidth >= 1280 && root === document.body)
    for (const box of root.querySelectorAll('main .scroll')) {
      const beyond = box.scrollWidth - box.clientWidth
      const name = box.querySelector('table')?.getAttribute('aria-label')
      if (beyond > 1) found.add(`the table "${name}" is ${beyond} px wider than its card`)
    }
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth > clientWidth)
    found.add(`the page is ${scrollWidth - clientWidth} px wider than the window`)
  return [...found]
}
