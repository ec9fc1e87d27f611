import { i18n, type Messages } from '@lingui/core'

/** Compiled sentences by their ids. */
export type { Messages }

/** The two languages of the product. */
export type Locale = 'en' | 'fr'

/** The languages in the order in which they are offered. */
export const locales: readonly Locale[] = ['en', 'fr']

/** Whether a stored or received value names one of the two languages. */
export const isLocale = (value: unknown): value is Locale => value === 'en' || value === 'fr'

/** The first of the browser's languages that the product speaks; English when there is none. */
export function detectLocale(wanted: readonly string[] = globalThis.navigator?.languages ?? []): Locale {
  for (const tag of wanted) {
    const language = tag.slice(0, 2).toLowerCase()
    if (isLocale(language)) return language
  }
  return 'en'
}

/** Adds the messages of one package to a language; may be called before or after `activate`. */
export function loadCatalog(locale: Locale, messages: Messages): void {
  i18n.load(locale, messages)
}

/** Makes a language the current one and names it on `<html lang>`. Remembering it is the shell's. */
export function activate(locale: Locale): void {
  i18n.activate(locale)
  if (typeof document !== 'undefined') document.documentElement.lang = locale
}

/** The current language. */
export const currentLocale = (): Locale => (i18n.locale === 'fr' ? 'fr' : 'en')
