import { activate, currentLocale, isLocale, type Locale, loadCatalog } from '@portal/i18n/locale'
import type { PortalModule } from '@portal/sdk'
import { rememberLocale } from './session/remember.ts'

/** Catalogs of the shell and of what is bundled into it. */
const own: PortalModule['messages'] = {
  en: () => [
    import(/* webpackChunkName: "words-en" */ './locales/en.ts'),
    import(/* webpackChunkName: "words-en" */ '@portal/screens/locales/en'),
    import(/* webpackChunkName: "words-en" */ '@portal/ui/locales/en'),
  ],
  fr: () => [
    import(/* webpackChunkName: "words-fr" */ './locales/fr.ts'),
    import(/* webpackChunkName: "words-fr" */ '@portal/screens/locales/fr'),
    import(/* webpackChunkName: "words-fr" */ '@portal/ui/locales/fr'),
  ],
}

const sources = new Set<PortalModule['messages']>()
const done = new Map<PortalModule['messages'], Set<Locale>>()

async function fetchWords(source: PortalModule['messages'], locale: Locale) {
  if (done.get(source)?.has(locale)) return
  const parts = source[locale]()
  for (const { messages } of await Promise.all(parts)) loadCatalog(locale, messages)
  done.set(source, (done.get(source) ?? new Set()).add(locale))
}

/** Adds the words of a module in the current language; the other one follows when it is chosen. */
export async function addCatalogs(source: PortalModule['messages']): Promise<void> {
  sources.add(source)
  await fetchWords(source, currentLocale())
}

/** Changes the language of everything on the page, without losing anything of it. */
export async function setLocale(locale: Locale): Promise<void> {
  sources.add(own)
  await Promise.all([...sources].map((source) => fetchWords(source, locale)))
  activate(locale)
  // biome-ignore lint/suspicious/noDocumentCookie: the gateway reads it for the first answer; the newer API lacks Firefox
  document.cookie = `portal_locale=${locale}; Path=/; Max-Age=31536000; SameSite=Lax`
  void rememberLocale(locale)
}

/** The language of the document as it came. */
export const firstLocale = (): Locale =>
  isLocale(document.documentElement.lang) ? document.documentElement.lang : 'en'
