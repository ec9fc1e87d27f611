import { i18n } from '@lingui/core'

/** The two ways to write numbers: `10,500.00` as English does, `10 500` as French does. */
type Writing = 'en-2' | 'fr-0'
/** How a person reads numbers: as the language writes them, or one of the two ways in both languages. */
export type NumberForm = 'language' | Writing

// The choice lives on <html> and not in this module: each front-end module bundles its own copy of it.
const held = { form: 'language' as NumberForm }
const root = () => (typeof document === 'undefined' ? undefined : document.documentElement)

/** How numbers are written in a language now. */
export function numberForm(locale: string = i18n.locale): Writing {
  const chosen = root()?.dataset.numbers ?? held.form
  if (chosen === 'en-2' || chosen === 'fr-0') return chosen
  return locale === 'fr' ? 'fr-0' : 'en-2'
}

/** Chooses the number form for the whole page; what shows numbers draws again. */
export function setNumberForm(form: NumberForm): void {
  held.form = form
  const html = root()
  if (html) html.dataset.numbers = form
  if (i18n.locale) i18n.activate(i18n.locale, numberLocale())
}

/** The Intl locale of numbers, also of those inside translated sentences. */
export const numberLocale = (locale?: string): string => (numberForm(locale) === 'fr-0' ? 'fr-FR' : 'en-US')
