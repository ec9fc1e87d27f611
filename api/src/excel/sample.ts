import { fill, type Locale, type Text } from '@portal/contracts/sentences'
import type { Column, ColumnKind, Sheet } from '@portal/contracts/sheet'
import { type DocumentColumn, writeDocument } from './document.ts'
import type { OutKind } from './workbook-xml.ts'
import type { OutColumn } from './write.ts'

/** The kind of cell for each kind of column. Codes and phones are text, so that Excel does not change them. */
export const outKind: Record<ColumnKind, OutKind> = {
  text: 'text',
  name: 'text',
  code: 'text',
  phone: 'text',
  email: 'text',
  year: 'text',
  flag: 'text',
  whole: 'whole',
  date: 'date',
}

/** The columns of an import for a written sheet, in one language. */
export function outColumns(sheet: Sheet, locale: Locale): OutColumn[] {
  return Object.entries<Column>(sheet.columns).map(([key, { label, kind, options }]) => ({
    key,
    header: label[locale],
    kind: outKind[kind],
    ...(options ? { options } : {}),
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
    column.options?.join(', ') ?? '',
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
      rows: [0, 1].map((at) => ({ cells: columns.map(([, { example }]) => example[at]) })),
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

const both = (text: Text) => `${text.en} / ${text.fr}`
