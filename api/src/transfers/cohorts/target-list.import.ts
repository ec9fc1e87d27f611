import { readAccount, readBic } from '@portal/contracts/access/account'
import type { Country } from '@portal/contracts/fields'
import { sentence } from '@portal/contracts/imports/import-sentences'
import { type Cell, cellText } from '@portal/contracts/imports/sheet'
import { unreadableText } from '@portal/contracts/imports/unreadable'
import { readPhone } from '@portal/contracts/registers/phone'
import { plainCode } from '@portal/contracts/registers/register-fields'
import type { Agency } from '@portal/contracts/transfers/agencies'
import type { TargetColumn } from '@portal/contracts/transfers/target-list.sheet'

/** The stored values of a row of a target list, with `student_code` as the register stores it and the phone in E.164. */
export type TargetEntry = {
  receiver_first_name: string
  receiver_last_name: string
  receiver_phone_number: string | null
  student_code: string
  amount: number
  receiver_account: string | null
  receiver_bank: string | null
}
/** A rejected cell. `message` is a sentence for `say`. */
export type TargetError = { column: TargetColumn; value: string; message: string }
/** The rules of the agency and the parameter for every row. */
export type TargetRules = {
  country: Country
  type: Agency['type']
  /** Whether its orders are files, which name the recipient's bank. */
  files: boolean
  defaultAmount: number
  maxAmount: number
}

type Read<Value> = { value: Value } | { problem: string }

/** A rejected row. Its code and values are kept, so that it can be compared with other rows of the same student. */
export type RefusedEntry = { errors: TargetError[]; student_code: string | undefined; values: string[] }

/** Validates one row. Whether the student exists is checked in the database, for many rows at once. */
export function checkTargetRow(
  cells: Partial<Record<TargetColumn, Cell>>,
  rules: TargetRules,
): { entry: TargetEntry } | RefusedEntry {
  const errors: TargetError[] = []
  const take = <Value>(
    column: TargetColumn,
    read: (cell: string | number) => Read<Value>,
    blank: Read<Value>,
  ): Value | undefined => {
    const cell = cells[column] ?? null
    const result =
      cell === null || cell === '' ? blank : typeof cell === 'object' ? cell : readable(cell, read)
    if ('value' in result) return result.value
    errors.push({ column, value: cellText(cell), message: result.problem })
    return undefined
  }
  const bank = rules.type === 'bank'
  const needed = { problem: 'required' }
  const none = { value: null }
  const receiver_first_name = take('receiver_first_name', readName, needed)
  const receiver_last_name = take('receiver_last_name', readName, needed)
  const receiver_phone_number = take<string | null>(
    'receiver_phone_number',
    (cell) => e164(cell, rules.country),
    bank ? none : needed,
  )
  const student_code = take('student_code', readCode, needed)
  const amount = take('amount', (cell) => readAmount(cell, rules.maxAmount), { value: rules.defaultAmount })
  // A mobile-money list does not use the account columns, so their cells are ignored.
  const receiver_account = bank
    ? take<string | null>('receiver_account', (cell) => account(cell, rules.country), needed)
    : null
  const receiver_bank = bank ? take<string | null>('receiver_bank', bic, rules.files ? needed : none) : null
  if (
    receiver_first_name === undefined ||
    receiver_last_name === undefined ||
    receiver_phone_number === undefined ||
    student_code === undefined ||
    amount === undefined ||
    receiver_account === undefined ||
    receiver_bank === undefined
  ) {
    return {
      errors,
      student_code,
      values: Object.keys(cells)
        .sort()
        .map((column) => cellText(cells[column as TargetColumn])),
    }
  }
  return {
    entry: {
      receiver_first_name,
      receiver_last_name,
      receiver_phone_number,
      student_code,
      amount,
      receiver_account,
      receiver_bank,
    },
  }
}

/** A text that stands for a formula or an error is refused in every column. */
function readable<Value>(cell: string | number, read: (cell: string | number) => Read<Value>): Read<Value> {
  const problem = unreadableText(tidy(cell))
  return problem === null ? read(cell) : { problem }
}

/** Normalises a text: composed accents (NFC), single spaces, no invisible characters. */
const tidy = (cell: string | number) =>
  cellText(cell)
    .normalize('NFC')
    .replace(/[\p{Cf}\p{Cc}]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()

function readName(cell: string | number): Read<string> {
  const name = tidy(cell)
  if (name === '') return { problem: 'required' }
  if (!/\p{L}/u.test(name)) return { problem: sentence('name_letters') }
  return name.length > 255 ? { problem: 'too_long|255' } : { value: name }
}

function readCode(cell: string | number): Read<string> {
  const code = plainCode(cellText(cell))
  if (code === '') return { problem: 'required' }
  // A code of 16 digits or more loses digits in a number cell.
  const eaten = typeof cell === 'number' ? !Number.isSafeInteger(cell) : /^\d([.,]\d+)?E\+\d+$/.test(code)
  if (eaten) return { problem: sentence('cell_number_eaten') }
  return code.length > 255 ? { problem: 'too_long|255' } : { value: code }
}

function readAmount(cell: string | number, max: number): Read<number> {
  const amount = typeof cell === 'number' ? cell : amountOf(cell)
  if (amount === null) return { problem: sentence('amount_form', cell) }
  if (!Number.isFinite(amount) || amount > max) return { problem: `amount_max|${max}` }
  if (amount < 1 && (amount <= 0 || Number.isInteger(amount))) return { problem: 'amount_positive' }
  return Number.isInteger(amount) ? { value: amount } : { problem: 'whole_francs' }
}

/** Reads an amount that is unambiguous. `10.500` and `10,500` are not. */
function amountOf(text: string): number | null {
  const bare = text
    .normalize('NFKC')
    .replace(/(?:xof|(?:f\s*)?cfa|frs?|f)\.?\s*$/i, '')
    .replace(/[\s'’]/gu, '')
  if (/^[+-]?\d+$/.test(bare)) return Number(bare)
  // One, two or more than three digits after the separator can only be decimals.
  const decimals = /^([+-]?)(\d+)[.,](\d{1,2}|\d{4,})$/.exec(bare)
  if (decimals) return Number(`${decimals[1]}${decimals[2]}.${decimals[3]}`)
  // Two thousands separators, or thousands separators and a different decimal separator.
  const grouped = /^([+-]?)(\d{1,3}(?:([.,])\d{3})(?:\3\d{3})*)(?:(?!\3)[.,](\d+))?$/.exec(bare)
  if (!grouped) return null
  const [, sign = '', groups = '', mark = '', fraction] = grouped
  const once = groups.split(mark).length === 2
  if (once && fraction === undefined) return null
  return Number(`${sign}${groups.replaceAll(mark, '')}.${fraction ?? 0}`)
}

function e164(cell: string | number, country: Country): Read<string> {
  const phone = readPhone(cell, country)
  return 'e164' in phone ? { value: phone.e164 } : phone
}

function account(cell: string | number, country: Country): Read<string> {
  const read = readAccount(cell, country)
  return 'account' in read ? { value: read.account } : read
}

function bic(cell: string | number): Read<string> {
  const read = readBic(cell)
  return 'bic' in read ? { value: read.bic } : read
}
