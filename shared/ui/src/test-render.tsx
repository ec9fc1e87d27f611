import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { activate, loadCatalog } from '@portal/i18n/locale'
import { act, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { vi } from 'vitest'

/** Draws a piece into the page of a test; `again` draws it with other props, `end` removes it. */
export async function draw(piece: ReactNode) {
  ;(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true
  loadCatalog('en', {})
  activate('en')
  const box = document.body.appendChild(document.createElement('div'))
  const root = createRoot(box)
  const again = (next: ReactNode) =>
    act(async () => root.render(<I18nProvider i18n={i18n}>{next}</I18nProvider>))
  await again(piece)
  const end = async () => {
    await act(async () => root.unmount())
    box.remove()
  }
  return { box, again, end }
}

/** Clicks and lets the page settle. */
export const click = (element: Element | null | undefined) =>
  act(async () => {
    if (!element) throw new Error('There is nothing to click on.')
    element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
  })

/** Presses a key on an element and lets the page settle. */
export const press = (element: Element | null, key: string, rest: KeyboardEventInit = {}) =>
  act(async () => {
    element?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...rest }))
  })

/** Types a text into a field, as React hears it. */
export const type = (field: HTMLInputElement, text: string) =>
  act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })

/**
 * Waits until a check holds: the answers of a server are drawn after more than one turn, by a real clock. A piece that is loaded on
 * demand takes more than a second on a busy machine.
 */
export const eventually = (check: () => void) =>
  vi.waitFor(
    async () => {
      await act(async () => {})
      check()
    },
    { timeout: 4_000 },
  )

/** The button or link with these words or this label. */
export const named = (words: string, within: ParentNode = document) =>
  [...within.querySelectorAll('button, a')].find(
    (each) => each.textContent?.trim() === words || each.getAttribute('aria-label') === words,
  )
