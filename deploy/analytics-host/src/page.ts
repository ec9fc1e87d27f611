import { course, lyingBars, standingBars } from './charts.ts'
import { survey, words } from './figures.ts'
import { styles } from './styles.ts'

type Locale = keyof typeof words

const document = (lang: string, title: string, body: string) =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${styles}</style></head><body>${body}</body></html>`

/** The survey 'Bulletin Scolaire' in one of the portal's languages. */
export function dashboardPage(locale: Locale): string {
  const say = words[locale]
  const numbers = (decimals: number) =>
    new Intl.NumberFormat(locale === 'fr' ? 'fr-FR' : 'en-US', {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    }).format
  const [whole, one] = [numbers(0), numbers(1)]
  const tile = (label: string, figure: string, note: string) =>
    `<div><dt>${label}</dt><dd class="figure">${figure}</dd><dd class="note">${note}</dd></div>`
  const tiles = [
    tile(say.collected, whole(survey.collected), say.of),
    tile(say.mean, one(survey.mean), say.outOf),
    tile(say.passing, one(survey.passing) + say.percent, say.passingNote),
    tile(say.absent, one(survey.absent), say.absentNote),
  ]
  const subjects = survey.subjects.map(({ name, mark }) => ({
    label: name[locale],
    value: mark,
    shown: one(mark),
  }))
  const spread = survey.spread.map(({ marks, girls }) => ({
    label: marks,
    value: girls,
    shown: whole(girls),
  }))
  const terms = survey.terms.map(({ term, passing }) => ({
    label: term,
    value: passing,
    shown: one(passing) + say.percent,
  }))
  const card = (title: string, chart: string) => `<section><h2>${title}</h2>${chart}</section>`
  const charts = [
    card(say.subjects, lyingBars({ title: say.subjects, bars: subjects }, 20)),
    card(say.spread, standingBars({ title: say.spread, bars: spread }, 4_200)),
    card(say.terms, course({ title: say.terms, bars: terms }, 60, 75)),
  ]
  return document(
    say.lang,
    'Bulletin Scolaire',
    `<main><header><h1>${say.title}</h1><p>${say.fictitious}</p></header><dl class="tiles">${tiles.join('')}</dl><div class="charts">${charts.join('')}</div></main>`,
  )
}

/** The page without a dashboard, with the reason. It is in both languages, because only a valid token has a language. */
export const refusalPage = (status: number, sentence: string): string =>
  document(
    'en',
    String(status),
    `<main class="refused"><h1>${words.en.refused}</h1><p lang="fr">${words.fr.refused}</p><p>${sentence}</p></main>`,
  )
