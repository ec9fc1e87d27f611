import { readAccount } from '@portal/contracts/access/account'
import { type Country, day } from '@portal/contracts/fields'
import { sentence } from '@portal/contracts/imports/import-sentences'
import { type Cell, cellText } from '@portal/contracts/imports/sheet'
import { formulaCell } from '@portal/contracts/imports/unreadable'
import { readPhone } from '@portal/contracts/registers/phone'
import type { StatementColumn } from '@portal/contracts/transfers/statements'
import * as v from 'valibot'

/** A line of a statement as it is stored. One with a `problem` is for a person to look at. */
export type Line = {
  row: number
  reference: string | null
  transaction_id: string | null
  number: string | null
  name: string | null
  amount: number | null
  /** Whether the amount was written with a minus. */
  minus: boolean
  fee: number | null
  day: string | null
  problem: string | null
}

/** Reads a row of an agency's file. The country decides the form of numbers and accounts. */
export function readLine(row: number, cells: Partial<Record<StatementColumn, Cell>>, country: Country): Line {
  const amount = readFrancs(cells.amount)
  const fee = textOf(cells.fee) === null ? null : readFrancs(cells.fee)
  const on = readDay(cellText(cells.day))
  const problem =
    amount === null
      ? sentence('statement_amount', textOf(cells.amount) ?? '')
      : on === null
        ? sentence('statement_day', textOf(cells.day) ?? '')
        : textOf(cells.fee) !== null && fee === null
          ? sentence('statement_fee', textOf(cells.fee) ?? '')
          : null
  return {
    row,
    reference: textOf(cells.reference),
    transaction_id: textOf(cells.transaction_id),
    number: readNumber(cells.number, country),
    name: textOf(cells.name),
    amount,
    minus: amount !== null && amount > 0 && minus.test(plainText(cells.amount)),
    fee,
    day: on,
    problem,
  }
}

/** A text as it can be stored: at most 255 characters, without those that the database refuses. A formula counts as blank. */
export function textOf(cell: Cell | undefined): string | null {
  const text = cellText(cell)
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replaceAll('\0', '')
    .trim()
  return text === '' || text === formulaCell.text ? null : text.slice(0, 255).toWellFormed()
}

/** The number in the form of the portal, or as the agency wrote it. */
export function readNumber(cell: Cell | undefined, country: Country): string | null {
  const text = textOf(cell)
  if (text === null) return null
  const given = typeof cell === 'number' ? cell : text
  const phone = readPhone(given, country)
  if ('e164' in phone) return phone.e164
  const account = readAccount(given, country)
  return 'account' in account ? account.account : text
}

/** No line has more francs than this. */
export const largest = 1_000_000_000_000

/**
 * Whole francs in any of the usual forms: `10 500`, `10,500.00`, `-10.500 F CFA`. Agencies write what they paid with and
 * without a minus. Decimals other than zeros are refused, because the franc has none; a number cell has no thousands separator,
 * so the point of 78.125 is one of decimals there.
 */
export function readFrancs(cell: Cell | undefined): number | null {
  if (typeof cell === 'number' && !Number.isInteger(cell)) return null
  const text = plainText(cell)
  const found = /^[-+\u2212]?(\d{1,3}(?:([.,])\d{3}(?:\2\d{3})*)?|\d+)(?:[.,]0{1,2})?$/.exec(text)
  if (!found?.[1]) return null
  const francs = Number(found[1].replace(/[.,]/g, ''))
  return francs <= largest ? francs : null
}

const minus = /^[-\u2212]/
/** An amount without its spaces and its currency. */
const plainText = (cell: Cell | undefined) =>
  cellText(cell)
    .normalize('NFKC')
    .replace(/[\s'’]/g, '')
    .replace(/(?:XOF|FCFA|CFA|F)$/i, '')
    .replace(/^(?:XOF|FCFA|CFA)/i, '')

/** The day in UTC, which is the programme's own time: of a date, of a moment, or as dd/mm/yyyy. */
export function readDay(text: string): string | null {
  const moment = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s*(?:Z|[+-]\d{2}:?\d{2})$/i.exec(
    text,
  )
  const at = moment ? Date.parse(text.replace(' ', 'T').replace(/\s/g, '')) : Number.NaN
  if (!Number.isNaN(at)) return ofOurTime(new Date(at).toISOString().slice(0, 10))
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:$|[T\s])/.exec(text)
  const local = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?:$|\s)/.exec(text)
  const [year, month, date] = iso
    ? [iso[1], iso[2], iso[3]]
    : local
      ? [local[3], local[2], local[1]]
      : [undefined, '', '']
  if (!year) return null
  const written = `${year}-${month?.padStart(2, '0')}-${date?.padStart(2, '0')}`
  return ofOurTime(written)
}

/** A day on which an agency may have paid. The database has no year 0. */
const ofOurTime = (written: string) =>
  v.is(day, written) && written >= '2000' && written < '2200' ? written : null
