import type { Locale, Text } from '../sentences.ts'

/** What a column holds; `code` is upper-cased by whoever reads it, `year` is a school year, `flag` yes or no. */
export const columnKinds = [
  'text',
  'name',
  'whole',
  'number',
  'date',
  'phone',
  'code',
  'email',
  'year',
  'flag',
] as const
export type ColumnKind = (typeof columnKinds)[number]

/** Lists of codes that the portal keeps; `geography.options` offers them under their plural. */
export type ReferenceList = 'class_level' | 'language' | 'school_type' | 'partner_type' | 'employment_type'

/** A text of a file has at most this many characters, whatever its column is. */
export const longestText = 2000

/** One column of an import: how it may be headed, and what the sample says of it. */
export type Column = {
  label: Text
  /** Other headings that people use, in any case and with or without accents. */
  headings: readonly string[]
  /** Headings that mean this column only where no other heading of the file names it. */
  otherwise?: readonly string[]
  required: boolean
  /** Two example values, one per example row of the sample. */
  example: readonly [string | number, string | number]
  help: Text
  kind: ColumnKind
  /** A closed list, offered as a drop-down. */
  options?: readonly string[]
  /** The portal’s own list that its codes are of, offered as a drop-down too. */
  list?: ReferenceList
  /** Words that are understood for an option besides itself: English, French, then others. */
  words?: Record<string, readonly string[]>
  /** People know the words of the options and not the options themselves, so files and sentences have the words. */
  worded?: boolean
  /** Several values in one cell, with semicolons between them. */
  many?: boolean
  /** A part of the natural key: never blank, not even where the row is known already. */
  key?: boolean
  /** A date that cannot lie ahead. */
  past?: boolean
  /** The largest number it holds; 50 where nothing else is said of a whole one. */
  max?: number
  /** The smallest number it holds; 0 where nothing else is said of a whole one. */
  min?: number
  /** The most characters of a text, `longestText` at most; 255 where nothing else is said. */
  longest?: number
  /** A text that keeps its lines. */
  lines?: boolean
}

/** An Excel sheet that can be imported: read by browser, server, sample and rejected rows alike. */
export type Sheet<Key extends string = string> = {
  /** Kind of the import and file name of the sample, such as `target-list`. */
  name: string
  /** Multipart field of the call, where a refusal of the file is shown. */
  field: string
  title: Text
  columns: Record<Key, Column>
  /** What a person said of headings, which goes before what they mean otherwise. */
  chosen?: ChosenHeadings
  /** What was said of headings of earlier files. A heading that was left out stays so only beside another of its column. */
  remembered?: ChosenHeadings | undefined
}

/** The column of each heading that a person named, by the heading as it stands in the file; '' where it is left out. */
export type ChosenHeadings = Readonly<Record<string, string>>

/** A cell that holds no value: `problem` is a sentence for `say`, `text` what stands there. */
export type Unreadable = { text: string; problem: string }
/** A cell as read: dates as `YYYY-MM-DD`, formulas as their result, blank as null. */
export type Cell = string | number | Unreadable | null
/** A row as the spreadsheet numbers it, its cells by column. A column without a heading has no cell. */
export type SheetRow<Key extends string = string> = { row: number; cells: Partial<Record<Key, Cell>> }

/** An option as people know it. */
export const optionIn = ({ worded, words }: Column, option: string, locale: Locale): string =>
  (worded && words?.[option]?.[locale === 'fr' ? 1 : 0]) || option

/** Declares a column; optional and text unless said otherwise. */
export function column(from: Omit<Column, 'headings' | 'required' | 'kind'> & Partial<Column>): Column {
  return { headings: [], required: false, kind: 'text', ...from }
}

/** Declares a sheet. Column keys are the wire's names. */
export function sheet<const Key extends string>(from: Sheet<Key>): Sheet<Key> {
  return from
}

/** A heading without case, accents, punctuation and spaces: `Prénom (élève)` is `prenomeleve`. */
export function plainHeading(heading: string): string {
  return heading
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/** Which column each heading is. */
export type HeadingMatch<Key extends string = string> = {
  /** Index of each column found. */
  columns: Partial<Record<Key, number>>
  /** Required columns that are not there. */
  missing: Key[]
  /** Columns that several headings name. */
  doubled: Key[]
  /** Headings that name nothing here; they are ignored. */
  extra: string[]
}

type Headings = readonly (string | null | undefined)[]

/** Finds a sheet's columns among headings: any order, either language, the field's own name or an alias. */
export function matchHeadings<Key extends string>(of: Sheet<Key>, headings: Headings): HeadingMatch<Key> {
  return matchNamed(of, namedHeadings(of, headings), headings)
}

/**
 * What people said of these headings. A remembered '' is dropped if no other heading here is that column, so that nobody's
 * file loses a column because an earlier file had two headings for it.
 */
export function namedHeadings<Key extends string>(of: Sheet<Key>, headings: Headings): ChosenHeadings {
  const { remembered = {}, chosen = {} } = of
  const { columns } = matchNamed(of, { ...remembered, ...chosen }, headings)
  const isLost = (heading: string) =>
    Object.keys(matchNamed(of, {}, [heading]).columns).some((key) => columns[key as Key] === undefined)
  const kept = Object.entries(remembered).filter(([heading, column]) => column || !isLost(heading))
  return { ...Object.fromEntries(kept), ...chosen }
}

function matchNamed<Key extends string>(
  of: Sheet<Key>,
  names: ChosenHeadings,
  headings: Headings,
): HeadingMatch<Key> {
  const keys = Object.keys(of.columns) as Key[]
  const named = new Map<string, Key>()
  const otherwise = new Map<string, Key>()
  for (const key of keys) {
    const { label, headings: aliases, otherwise: weak = [] } = of.columns[key]
    for (const name of [key, label.en, label.fr, ...aliases]) named.set(plainHeading(name), key)
    for (const name of weak) otherwise.set(plainHeading(name), key)
  }
  const chosen = new Map(Object.entries(names).map(([heading, key]) => [plainHeading(heading), key]))
  const plain = headings.map((heading) => plainHeading(heading ?? ''))
  const byHand = new Set(plain.map((heading) => chosen.get(heading)))
  const certain = plain.map((heading) => {
    const key = chosen.has(heading) ? keys.find((each) => each === chosen.get(heading)) : named.get(heading)
    // A column that a person found is no other heading's.
    return key !== undefined && byHand.has(key) && !chosen.has(heading) ? undefined : key
  })
  const taken = new Set<string | undefined>([...certain, ...byHand])
  const columns: Partial<Record<Key, number>> = {}
  const doubled = new Set<Key>()
  const extra: string[] = []
  for (const [index, heading] of plain.entries()) {
    if (heading === '') continue
    const weak = chosen.has(heading) ? undefined : otherwise.get(heading)
    const key = certain[index] ?? (taken.has(weak) ? undefined : weak)
    if (key === undefined) extra.push(headings[index] ?? '')
    else if (columns[key] !== undefined) doubled.add(key)
    else columns[key] = index
  }
  const missing = keys.filter((key) => of.columns[key].required && columns[key] === undefined)
  return { columns, missing, doubled: [...doubled], extra }
}

/** What a cell shows, for a report: '' for a blank one. */
export function cellText(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'object') return cell.text
  return typeof cell === 'number' ? numberText(cell) : cell
}

/** A number without exponent as long as it is exact (up to 2^53), as a person would write it. A larger one has lost digits. */
export function numberText(value: number): string {
  if (Number.isSafeInteger(value)) return value.toFixed(0)
  return Number.isInteger(value) ? value.toExponential() : String(value)
}
