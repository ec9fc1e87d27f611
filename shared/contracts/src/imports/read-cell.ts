import * as v from 'valibot'
import { day, email } from '../fields.ts'
import { oneLine } from '../one-line.ts'
import { plainCode } from '../registers/register-fields.ts'
import { readAnyPhone } from '../registers-phone.ts'
import type { Locale } from '../text.ts'
import { sentence } from './import-sentences.ts'
import { folded, nearest } from './nearest.ts'
import { type Cell, type Column, cellText, optionIn } from './sheet.ts'
import { unreadableText } from './unreadable.ts'

/** A cell as it would be stored, in one text whatever its column holds; null where it is blank. */
export type ReadCell = { value: string | null } | { problem: string }

/**
 * Reads one cell of a register's sheet: the browser's preview and the server's check are this one function. What only
 * the database knows (schools, CAPs, class levels) is asked afterwards.
 */
export function readCell(column: Column, cell: Cell | undefined): ReadCell {
  if (cell === null || cell === undefined || cell === '') return { value: null }
  if (typeof cell === 'object') return { problem: cell.problem }
  const text = tidy(cell)
  if (text === '') return { value: null }
  const problem = unreadableText(text)
  if (problem !== null) return { problem }
  if (!column.many) return readOne(column, cell, text)
  const values = new Set<string>()
  for (const part of text.split(/[;,|\n]/).map((one) => one.trim())) {
    if (part === '') continue
    const read = readOne(column, typeof cell === 'number' ? cell : part, part)
    if ('problem' in read) return read
    if (read.value !== null) values.add(read.value)
  }
  return { value: [...values].sort(byCode).join('; ') || null }
}

const order = new Intl.Collator('fr', { numeric: true })
const byCode = (a: string, b: string) => order.compare(a, b) || (a < b ? -1 : 1)

/** The values of a cell that holds several. */
export const severalOf = (value: string | null | undefined): string[] => (value ? value.split('; ') : [])
/** Several values as one text, always in the same order. */
export const severalText = (values: Iterable<string>): string | null =>
  [...new Set(values)].sort(byCode).join('; ') || null

/** Text as it is stored: composed accents, single spaces, no invisible signs; line ends stay where several values may stand. */
const tidy = (cell: string | number) =>
  cellText(cell)
    // A lone surrogate, which the database refuses; the oldest supported browsers lack `toWellFormed`.
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/(?!\n)[\p{Cf}\p{Cc}]/gu, ' ')
    .replace(/[^\S\n]+/gu, ' ')
    .trim()

function readOne(column: Column, cell: string | number, text: string): ReadCell {
  if (column.options) return readOption(column, text)
  const line = oneLine(text)
  switch (column.kind) {
    case 'code':
      return readCode(cell, line)
    case 'date':
      return readDay(line, column.past ?? false)
    case 'phone': {
      const read = readAnyPhone(cell)
      return 'e164' in read ? { value: read.e164 } : read
    }
    case 'whole':
      return readWhole(cell, line, column.min ?? 0, column.max ?? 50)
    case 'number':
      return readNumber(cell, line, column)
    case 'email': {
      const read = v.safeParse(email, line)
      return read.success ? { value: read.output } : { problem: 'email' }
    }
    case 'flag':
      return readFlag(line)
    case 'year':
      return readYear(line)
    case 'name':
      if (!/\p{L}/u.test(line)) return { problem: sentence('name_letters') }
      return short(line)
    default:
      return short(column.lines ? text : line, column.longest)
  }
}

const short = (text: string, longest = 255): ReadCell =>
  text.length > longest ? { problem: `too_long|${longest}` } : { value: text }

function readCode(cell: string | number, text: string): ReadCell {
  const code = plainCode(text)
  // A code of 16 digits or more does not survive a number cell.
  const eaten = typeof cell === 'number' ? !Number.isSafeInteger(cell) : /^\d([.,]\d+)?E\+\d+$/.test(code)
  if (eaten) return { problem: sentence('cell_number_eaten') }
  return code === '' ? { value: null } : short(code)
}

/** `YYYY-MM-DD`, or as people of both countries write: day, month, year of four digits. */
function readDay(text: string, past: boolean): ReadCell {
  const written = /^(\d{1,2})[/.\- ](\d{1,2})[/.\- ](\d{4})(?: 0?0:00(?::00)?)?$/.exec(text)
  const [, d = '', m = '', y = ''] = written ?? []
  const iso = written ? `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}` : text.replace(/[T ]0?0:00.*$/, '')
  if (!v.safeParse(day, iso).success || iso < '1900') return { problem: 'date' }
  if (past && iso > new Date().toISOString().slice(0, 10)) return { problem: 'date_future' }
  return { value: iso }
}

function readWhole(cell: string | number, text: string, min: number, max: number): ReadCell {
  const bare = text.replace(/[\s'’]/g, '')
  // `1.000` may be a thousand, or one with a decimal point, so it is refused.
  if (typeof cell !== 'number' && /^[+-]?\d+[.,]\d{3}$/.test(bare))
    return { problem: sentence('whole_form', text) }
  const number = typeof cell === 'number' ? cell : Number(bare.replace(/^([+-]?\d+)[.,]0+$/, '$1'))
  if (!Number.isInteger(number)) return { problem: 'whole' }
  return number < min || number > max ? { problem: `between|${min}|${max}` } : { value: String(number) }
}

/** A decimal comma or point; thousands may have spaces between them, and no other signs. */
function readNumber(cell: string | number, text: string, { min, max }: Column): ReadCell {
  const number = typeof cell === 'number' ? cell : Number(text.replace(/[\s'’]/g, '').replace(',', '.'))
  if (!Number.isFinite(number)) return { problem: 'number' }
  return min !== undefined && max !== undefined && (number < min || number > max)
    ? { problem: `between|${min}|${max}` }
    : { value: String(number) }
}

const yes = new Set(['yes', 'y', 'true', '1', 'oui', 'o', 'vrai', 'x'])
const no = new Set(['no', 'n', 'false', '0', 'non', 'faux'])

function readFlag(text: string): ReadCell {
  const word = folded(text)
  if (yes.has(word)) return { value: 'true' }
  return no.has(word) ? { value: 'false' } : { problem: sentence('flag_form') }
}

function readYear(text: string): ReadCell {
  const [, from = '', to = ''] = /^(\d{4}) ?[-/–—] ?(\d{4}|\d{2})$/.exec(text) ?? []
  const until = to.length === 2 ? `${from.slice(0, 2)}${to}` : to
  if (from === '' || Number(until) !== Number(from) + 1) return { problem: 'academic_year' }
  return { value: `${from}-${until}` }
}

const known = new WeakMap<Column, Map<string, string>>()

/** Every word of a closed list, folded; made once per column. */
function wordsOf(column: Column): Map<string, string> {
  const made = known.get(column)
  if (made) return made
  const words = new Map<string, string>()
  for (const option of column.options ?? [])
    for (const word of [option, ...(column.words?.[option] ?? [])]) words.set(folded(word), option)
  known.set(column, words)
  return words
}

function readOption(column: Column, text: string): ReadCell {
  const options = column.options ?? []
  const found = options.includes(text) ? text : wordsOf(column).get(folded(text))
  if (found !== undefined) return { value: found }
  const near = nearest(text, column.worded ? Object.values(column.words ?? {}).flat() : options)
  if (near) return { problem: sentence('not_listed_near', text, near) }
  if (!column.worded) return { problem: sentence('not_listed', text, options.join(', ')) }
  const all = (locale: Locale) => options.map((option) => optionIn(column, option, locale)).join(', ')
  return { problem: sentence('not_listed_words', text, all('en'), all('fr')) }
}
