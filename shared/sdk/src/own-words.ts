import type { ModuleBuild } from './manifest.ts'

/** What is wrong with the words of a build, with what to do; null if both languages have all of them. */
export function faultOfWords({ en, fr }: ModuleBuild['words']): string | null {
  if (!en.length && !fr.length)
    return 'The build has no words, so it cannot be in two languages: write each sentence as t`…` or <Trans>…</Trans>, run portal-module words, fill in src/locales/fr.po and build again.'
  const missing = (from: string[], of: string[]) => from.filter((id) => !of.includes(id))
  const lacks = [['English', missing(fr, en)] as const, ['French', missing(en, fr)] as const].flatMap(
    ([language, ids]) => (ids.length ? [`${language} lacks ${listed(ids)}`] : []),
  )
  return lacks.length ? `${lacks.join('; ')}: translate, run portal-module words and build again.` : null
}

const listed = (ids: string[]) =>
  ids.length > 5 ? `${ids.slice(0, 5).join(', ')} and ${ids.length - 5} more` : ids.join(', ')
