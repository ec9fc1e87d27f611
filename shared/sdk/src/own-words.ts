import type { ModuleBuild } from './manifest.ts'

/** An id that was made from the English text; others were written by hand. */
const made = (id: string) => id.length === 6

/**
 * The words of a build as its record has them. Every visitor loads the record, and the gates only ask which words one
 * language lacks and which ids were written by hand: what both languages have under a made id is counted.
 */
export function condensed(words: Record<'en' | 'fr', string[]>): ModuleBuild['words'] {
  const [en, fr] = [new Set(words.en), new Set(words.fr)]
  const same = new Set([...en].filter((id) => made(id) && fr.has(id)))
  const rest = (ids: Set<string>) => [...ids].filter((id) => !same.has(id))
  return { en: rest(en), fr: rest(fr), same: same.size }
}

/** Ids that were written by hand, in which modules may collide. */
export const writtenIds = ({ en, fr }: ModuleBuild['words']) =>
  [...new Set([...en, ...fr])].filter((id) => !made(id))

/** What is wrong with the words of a build, with what to do; null if both languages have all of them. */
export function faultOfWords({ en, fr, same }: ModuleBuild['words']): string | null {
  if (!en.length && !fr.length && !same)
    return 'The build has no words, so it cannot be in two languages: write each sentence as t`…` or <Trans>…</Trans>, run portal-module words, fill in src/locales/fr.po and build again.'
  const missing = (from: string[], of: string[]) => from.filter((id) => !of.includes(id))
  const lacks = [['English', missing(fr, en)] as const, ['French', missing(en, fr)] as const].flatMap(
    ([language, ids]) => (ids.length ? [`${language} lacks ${listed(ids)}`] : []),
  )
  return lacks.length ? `${lacks.join('; ')}: translate, run portal-module words and build again.` : null
}

const listed = (ids: string[]) =>
  ids.length > 5 ? `${ids.slice(0, 5).join(', ')} and ${ids.length - 5} more` : ids.join(', ')
