import { type Column, type ColumnKind, optionIn, type Sheet } from '@portal/contracts/imports/sheet'
import { fill, type Locale, type Text } from '@portal/contracts/sentences'
import { type DocumentColumn, writeDocument } from './document.ts'
import type { OutKind } from './workbook-xml.ts'
import type { OutColumn } from './write.ts'

/** The kind of cell for each kind of column. Codes and phones are text, so that Excel does not change them. */
const outKind: Record<ColumnKind, OutKind> = {
  text: 'text',
  name: 'text',
  code: 'text',
  phone: 'text',
  email: 'text',
  year: 'text',
  flag: 'text',
  whole: 'whole',
  number: 'money',
  date: 'date',
}

/** The columns of an import for a written sheet, in one language. */
export function outColumns(sheet: Sheet, locale: Locale): OutColumn[] {
  return Object.entries<Column>(sheet.columns).map(([key, column]) => ({
    key,
    header: column.label[locale],
    kind: outKind[column.kind],
    ...(column.options ? { options: column.options.map((option) => optionIn(column, option, locale)) } : {}),
  }))
}

const kinds: Record<ColumnKind, Text> = {
  text: { en: 'Text', fr: 'Texte' },
  code: { en: 'Code, as text', fr: 'Code, au format texte' },
  phone: { en: 'Telephone number', fr: 'Numéro de téléphone' },
  name: { en: 'Name', fr: 'Nom' },
  email: { en: 'E-mail address', fr: 'Adresse e-mail' },
  year: { en: 'School year, 2026-2027', fr: 'Année scolaire, 2026-2027' },
  flag: { en: 'yes or no', fr: 'oui ou non' },
  whole: { en: 'Whole number', fr: 'Nombre entier' },
  number: { en: 'Number', fr: 'Nombre' },
  date: { en: 'Date, dd/mm/yyyy', fr: 'Date, jj/mm/aaaa' },
}
const yes: Text = { en: 'yes', fr: 'oui' }
const no: Text = { en: 'no', fr: 'non' }

/**
 * Writes the sample of an import: the headings, two example rows, drop-downs, and a sheet that explains each column in
 * both languages.
 */
export async function writeSample(path: string, sheet: Sheet, locale: Locale): Promise<void> {
  const columns = Object.entries<Column>(sheet.columns)
  const explained = columns.map(([key, column]) => [
    column.label.en,
    column.label.fr,
    key,
    both(column.required ? yes : no),
    both(kinds[column.kind]),
    column.help.en,
    fill(column.help, 'fr'),
    allowed(column),
  ])
  const wrapped = (header: string, width: number): DocumentColumn => ({
    header,
    kind: 'text',
    width,
    look: 'wrapped',
  })
  await writeDocument(path, [
    {
      name: sheet.title[locale],
      columns: outColumns(sheet, locale),
      // The drop-downs cover as many rows as an import accepts.
      fillTo: 200_001,
      rows: [0, 1].map((at) => ({ cells: columns.map(([, column]) => exampleIn(column, at, locale)) })),
    },
    {
      name: 'Help - Aide',
      columns: [
        wrapped('English', 24),
        wrapped('Français', 26),
        wrapped('Name', 24),
        wrapped('Required / Obligatoire', 14),
        wrapped('Kind / Type', 24),
        wrapped('Explanation', 50),
        wrapped('Explication', 50),
        wrapped('Allowed / Valeurs possibles', 40),
      ],
      rows: explained.map((cells) => ({ cells })),
    },
  ])
}

/** What a cell may hold: words that people know in both languages. */
function allowed(column: Column): string {
  const { options = [], worded } = column
  const inBoth = (option: string) => ({
    en: optionIn(column, option, 'en'),
    fr: optionIn(column, option, 'fr'),
  })
  return options.map((option) => (worded ? both(inBoth(option)) : option)).join(', ')
}

function exampleIn(column: Column, at: number, locale: Locale) {
  const value = column.example[at]
  return typeof value === 'string' ? optionIn(column, value, locale) : value
}

const both = (text: Text) => `${text.en} / ${text.fr}`
