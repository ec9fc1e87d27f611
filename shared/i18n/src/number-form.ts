import { i18n } from '@lingui/core'

/** How a person reads numbers: `10,500.00` (both languages' default) or `10 500`. */
export type NumberForm = 'en-2' | 'fr-0'

// The form lives on <html> and not in this module: each front-end module bundles its own copy of it.
const held = { form: 'en-2' as NumberForm }
const root = () => (typeof document === 'undefined' ? undefined : document.documentElement)

/** The current number form. */
export function numberForm(): NumberForm {
  const form = root()?.dataset.numbers ?? held.form
  return form === 'fr-0' ? 'fr-0' : 'en-2'
}

/** Chooses the number form for the whole page; what shows numbers draws again. */
export function setNumberForm(form: NumberForm): void {
  held.form = form
  const html = root()
  if (html) html.dataset.numbers = form
  if (i18n.locale) i18n.activate(i18n.locale, numberLocale())
}

/** The Intl locale of numbers, also of those inside translated sentences; it is not the language's. */
export const numberLocale = (): string => (numberForm() === 'fr-0' ? 'fr-FR' : 'en-US')
