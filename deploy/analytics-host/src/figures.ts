/** A fictitious survey of school reports for the demo's dashboard. Marks are out of 20. */
export const survey = {
  collected: 14_276,
  expected: 15_000,
  mean: 11.4,
  passing: 71.8,
  absent: 4.6,
  subjects: [
    { name: { en: 'Civics', fr: 'Éducation civique' }, mark: 13.2 },
    { name: { en: 'French', fr: 'Français' }, mark: 12.1 },
    { name: { en: 'History and geography', fr: 'Histoire-géographie' }, mark: 11.8 },
    { name: { en: 'Science', fr: 'Sciences' }, mark: 11.0 },
    { name: { en: 'English', fr: 'Anglais' }, mark: 10.7 },
    { name: { en: 'Mathematics', fr: 'Mathématiques' }, mark: 9.6 },
  ],
  /** Girls by mark, from 0-4 to 17-20. */
  spread: [
    { marks: '0–4', girls: 412 },
    { marks: '5–7', girls: 1_583 },
    { marks: '8–9', girls: 2_031 },
    { marks: '10–11', girls: 4_118 },
    { marks: '12–13', girls: 3_367 },
    { marks: '14–16', girls: 2_205 },
    { marks: '17–20', girls: 560 },
  ],
  /** Share of girls who pass, term by term. */
  terms: [
    { term: 'T1 2025', passing: 64.2 },
    { term: 'T2 2025', passing: 66.9 },
    { term: 'T3 2026', passing: 68.1 },
    { term: 'T1 2026', passing: 71.8 },
  ],
} as const

const english = {
  lang: 'en',
  title: 'School reports of the first term',
  fictitious: 'Fictitious figures of the demonstration',
  collected: 'Reports collected',
  of: 'of 15,000 expected',
  mean: 'Mean mark',
  outOf: 'out of 20',
  percent: '%',
  passing: 'Girls who pass',
  passingNote: '10 out of 20 or more',
  absent: 'Days absent',
  absentNote: 'per girl and term',
  subjects: 'Mean mark by subject',
  spread: 'Girls by mean mark',
  terms: 'Girls who pass, term by term',
  refused: 'The dashboard cannot be shown',
}
const french: typeof english = {
  lang: 'fr',
  title: 'Bulletins du premier trimestre',
  fictitious: 'Chiffres fictifs de la démonstration',
  collected: 'Bulletins recueillis',
  of: 'sur 15\u202f000 attendus',
  mean: 'Moyenne générale',
  outOf: 'sur 20',
  percent: '\u00a0%',
  passing: 'Filles admises',
  passingNote: 'moyenne de 10 ou plus',
  absent: 'Jours d’absence',
  absentNote: 'par fille et par trimestre',
  subjects: 'Moyenne par matière',
  spread: 'Filles selon leur moyenne',
  terms: 'Filles admises, par trimestre',
  refused: 'Le tableau de bord ne peut pas être affiché',
}
export const words = { en: english, fr: french }
