import type { Country } from '../fields.ts'
import { sentence } from '../imports/import-sentences.ts'
import { numberText } from '../imports/sheet.ts'

/** The number modulo 97, digit by digit: it is too long for a JavaScript number. */
function modulo97(digits: string): number {
  let rest = 0
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97
  return rest
}

/** ISO 13616: first four characters last, A = 10 … Z = 35, remainder 1. */
const ibanHolds = (iban: string) =>
  modulo97(
    (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55)),
  ) === 1

/** The RIB's own table: A, J = 1; B, K, S = 2; … I, R, Z = 9. */
const ribDigit = (letter: string) => '12345678912345678923456789'[letter.charCodeAt(0) - 65] ?? '0'

/** Bank 5, branch 5, account 12, key 2: the whole is a multiple of 97, its key from 01 to 97. */
function ribHolds(rib: string): boolean {
  const key = Number(rib.slice(22))
  return key >= 1 && key <= 97 && modulo97(rib.replace(/[A-Z]/g, ribDigit)) === 0
}

/** An IBAN of the country or a RIB of 24 characters, its key checked; without spaces, upper-cased. */
export function readAccount(
  cell: string | number,
  country: Country,
): { account: string } | { problem: string } {
  if (typeof cell === 'number') {
    // A number cell keeps 15 digits of the 24.
    return {
      problem:
        cell >= 1e15 ? sentence('cell_number_eaten') : sentence('account_form', numberText(cell).length),
    }
  }
  const account = cell
    .normalize('NFKC')
    .replace(/[\s.\-\u2010-\u2015/'\p{Cf}]/gu, '')
    .toUpperCase()
    .replace(/^(?:IBAN|RIB):?/, '')
  if (/^\d[.,]?\d*E\+\d+$/.test(account)) return { problem: sentence('cell_number_eaten') }
  const strange = [...account].find((sign) => !/[A-Z0-9]/.test(sign))
  if (strange !== undefined) return { problem: sentence('account_sign', strange) }
  if (account.length === 28) {
    if (!account.startsWith(country.toUpperCase()))
      return { problem: sentence('iban_country', country.toUpperCase()) }
    return ibanHolds(account) ? { account } : { problem: sentence('iban_key') }
  }
  if (account.length !== 24) return { problem: sentence('account_form', account.length) }
  return ribHolds(account) && /\d{2}$/.test(account) ? { account } : { problem: sentence('rib_key') }
}

/** A BIC of 8 or 11 characters, upper-cased. */
export function readBic(cell: string | number): { bic: string } | { problem: string } {
  const bic = String(cell).normalize('NFKC').replace(/\s/g, '').toUpperCase()
  return /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(bic) ? { bic } : { problem: sentence('bic_form') }
}
