import { t } from '@lingui/core/macro'
import {
  activate,
  currentLocale,
  isLocale,
  type Locale,
  loadCatalog,
  type Messages,
} from '@portal/i18n/locale'
import type { PortalModule } from '@portal/sdk'
import { notify } from '@portal/ui/notify'
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

type Source = PortalModule['messages']
type Words = Record<Locale, Messages>

const sources = new Set<Source>()
/** The catalogs that have been fetched. A module's words are added only where no other catalog has the id. */
const translations = new Map<Source, Partial<Words>>()
const modules = new Set<Source>()
/** The portal's own messages, and all that are loaded. Two modules may translate one id differently. */
const ours: Words = { en: {}, fr: {} }
const loaded: Words = { en: {}, fr: {} }
let front: Source | undefined

/** Loads messages that are new or different, except those in `decided`. */
function say(locale: Locale, words: Messages, decided: Messages = {}) {
  const now = loaded[locale]
  const fresh = Object.entries(words).filter(([id, word]) => !Object.hasOwn(decided, id) && now[id] !== word)
  if (fresh.length) loadCatalog(locale, Object.assign(now, Object.fromEntries(fresh)))
}

async function fetchWords(source: Source, locale: Locale) {
  if (translations.get(source)?.[locale]) return
  const parts = await Promise.all(source[locale]())
  const words: Messages = Object.assign({}, ...parts.map(({ messages }) => messages))
  translations.set(source, { ...translations.get(source), [locale]: words })
  if (modules.has(source)) return say(locale, words, loaded[locale])
  Object.assign(ours[locale], words)
  say(locale, words)
}

/** Adds words of the portal's own in the current language; the other one follows when it is chosen. */
export async function addCatalogs(source: Source): Promise<void> {
  sources.add(source)
  await fetchWords(source, currentLocale())
}

/** Adds the words of a module: they never take the place of others. */
export function addModuleWords(source: Source): Promise<void> {
  modules.add(source)
  return addCatalogs(source)
}

/** A page of this module is opened: where modules translate an id differently its words win, and the portal's win over both. */
export function speakFor(source = front, locale = currentLocale()): void {
  front = source
  const words = source && translations.get(source)?.[locale]
  if (words) say(locale, words, ours[locale])
}

/** The language that was chosen last. The words of one chosen before may come later. */
let wanted: Locale | undefined

/** Changes the language of everything on the page, without losing anything of it. */
export async function speak(locale: Locale): Promise<void> {
  wanted = locale
  sources.add(own)
  // More catalogs may be added, in the former language, while these are loaded. So it repeats until none was added.
  for (let size = 0; size < sources.size; ) {
    size = sources.size
    await Promise.all([...sources].map((source) => fetchWords(source, locale)))
  }
  if (wanted !== locale) return
  speakFor(front, locale)
  activate(locale)
}

/** Changes the language of the page, and remembers it. */
export async function setLocale(locale: Locale): Promise<void> {
  await speak(locale)
  if (currentLocale() !== locale) return
  // biome-ignore lint/suspicious/noDocumentCookie: the gateway reads it for the first answer; the newer API lacks Firefox
  document.cookie = `portal_locale=${locale}; Path=/; Max-Age=31536000; SameSite=Lax`
  void rememberLocale(locale)
}

/** Changes the language for a person, who keeps the one before if the words do not come. */
export function chooseLocale(locale: Locale): void {
  setLocale(locale).catch(() =>
    notify.error(t`The language did not load. Check the connection and try again.`),
  )
}

/** The language of the document as it came. */
export const firstLocale = (): Locale =>
  isLocale(document.documentElement.lang) ? document.documentElement.lang : 'en'
