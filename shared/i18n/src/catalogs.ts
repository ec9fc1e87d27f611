import { type CompiledMessage, compileMessage } from '@lingui/message-utils/compileMessage'
import { withFrenchSpaces } from '@portal/contracts/sentences'

/** One message of a catalog, as sources and .po files have it. */
export type Entry = { message?: string; context?: string; translation?: string; obsolete?: boolean }
/** Messages by their ids. */
export type Entries = Record<string, Entry>

/** The words of one package: what its sources say in both languages, and what its .po files hold. */
export type Package = {
  folder: string
  stored: Record<string, Entries | undefined>
  en: Entries
  fr: Entries
}

const text = (entry: Entry, id: string) => entry.message ?? id

/** Without what is no longer used, in the order of the English texts. */
export const sortedEntries = (entries: Entries = {}): Entries =>
  Object.fromEntries(
    Object.entries(entries)
      .filter(([, entry]) => !entry.obsolete)
      .sort(([a, x], [b, y]) => text(x, a).localeCompare(text(y, b), 'en') || (a < b ? -1 : 1)),
  )

/**
 * Numbers inside sentences follow the person's number form, and Lingui picks plurals by the same Intl locale.
 * English and French differ there on zero only ("0 rows", "0 ligne"), so zero is written out.
 */
function withZero(message: CompiledMessage, form: string): CompiledMessage {
  if (!Array.isArray(message)) return message
  return message.map((token) => {
    if (!Array.isArray(token)) return token
    const [name, type, cases] = token
    if (!cases || typeof cases === 'string') return token
    const settled = Object.fromEntries(
      Object.entries(cases).map(([key, value]) => [
        key,
        typeof value === 'number' ? value : withZero(value, form),
      ]),
    )
    if (type === 'plural' && settled[form] !== undefined) settled['0'] ??= settled[form]
    return [name, type, settled]
  }) as CompiledMessage
}

/**
 * The compiled catalog of one language, as TypeScript. Ids come from the sources, not from the .po: what was not
 * extracted yet shows in English, never as an id.
 */
export function compiledCatalog(
  { folder, en, fr }: Package,
  locale: 'en' | 'fr',
): { source: string; faults: string[] } {
  const faults: string[] = []
  const messages: Record<string, CompiledMessage> = {}
  for (const [id, entry] of Object.entries(locale === 'fr' ? fr : en)) {
    const written = entry.translation || text(entry, id)
    const message = locale === 'fr' ? withFrenchSpaces(written) : written
    try {
      messages[id] = withZero(compileMessage(message), locale === 'fr' ? 'one' : 'other')
    } catch (error) {
      faults.push(`${folder}: "${message}" is not a valid message in ${locale}: ${(error as Error).message}`)
    }
  }
  const source = `import type { Messages } from '@lingui/core'\nexport const messages = JSON.parse(${JSON.stringify(JSON.stringify(messages))}) as Messages\n`
  return { source, faults }
}

/** What is missing or left over in the .po files of a package. */
export function checkCatalogs({ folder, stored, en, fr }: Package): string[] {
  const faults: string[] = []
  for (const [id, entry] of Object.entries(fr)) {
    if (!entry.translation) faults.push(`${folder}: "${text(entry, id)}" has no French translation.`)
  }
  for (const [locale, current] of [['en', en] as const, ['fr', fr] as const]) {
    const known = stored[locale] ?? {}
    for (const [id, entry] of Object.entries(known)) {
      if (!current[id] || entry.obsolete)
        faults.push(`${folder}: "${text(entry, id)}" is in ${locale}.po but no longer used.`)
    }
    const missing = Object.keys(current).find((id) => !known[id])
    if (missing) {
      const message = text(current[missing] ?? {}, missing)
      faults.push(
        `${folder}: ${locale}.po is out of date with the source ("${message}" is not in it): run extract.`,
      )
    }
  }
  return faults
}

/** All packages load into one i18n: one English text with two French ones would depend on loading order. */
export function contradictions(packages: Package[]): string[] {
  const first = new Map<string, { folder: string; french: string }>()
  const faults: string[] = []
  for (const { folder, fr } of packages) {
    for (const [id, entry] of Object.entries(fr)) {
      if (!entry.translation) continue
      const known = first.get(id)
      if (!known) first.set(id, { folder, french: entry.translation })
      else if (known.french !== entry.translation) {
        faults.push(
          `${folder}: "${text(entry, id)}" is "${entry.translation}" here and "${known.french}" in ${known.folder}; choose one, or add a context.`,
        )
      }
    }
  }
  return faults
}
