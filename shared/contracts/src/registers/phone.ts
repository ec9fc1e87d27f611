import type { Country } from '../fields.ts'
import { sentence } from '../imports/import-sentences.ts'
import { numberText } from '../imports/sheet.ts'

// The number of digits decides, and nothing else (Money 7.4): new blocks open, and a prefix proves no operator.
const plans = {
  ml: { code: '223', digits: 8 },
  sn: { code: '221', digits: 9 },
} as const

/**
 * A telephone number out of a cell, in E.164, or the sentence that says what is wrong with it.
 * The agency's country decides the form (Money 7.4). Repaired where there is one way only: prefixes, spaces,
 * a number cell, `76123456.0`, an exponent that still holds every digit.
 */
export function readPhone(cell: string | number, country: Country): { e164: string } | { problem: string } {
  const plan = plans[country]
  if (typeof cell === 'number' && cell < 0) return { problem: sentence('phone_none') }
  // People paste numbers out of phones with invisible direction marks around them.
  const text = (typeof cell === 'number' ? numberText(cell) : cell)
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim()
    .replace(/^'/, '')
  const whole = withoutDecimals(text)
  if (whole === null) return { problem: sentence('cell_number_eaten') }
  if (/\d{6,}\s*(?:[/;,&]|ou|or|et|and)\s*\+?\d{6,}/i.test(whole))
    return { problem: sentence('phone_several') }
  const bare = whole.replace(/[\s.\-\u2010-\u2015()/,_]/g, '')
  const abroad = bare.startsWith('+') || bare.startsWith('00')
  const digits = bare.replace(/^(?:\+|00)/, '')
  const strange = [...digits].find((sign) => !/\d/.test(sign))
  if (!/\d/.test(digits)) return { problem: sentence('phone_none') }
  if (strange !== undefined)
    return { problem: sentence(/\p{L}/u.test(strange) ? 'phone_letter' : 'phone_sign', strange) }
  const prefixed = digits.startsWith(plan.code) && (abroad || digits.length > plan.digits)
  const neighbour = plans[country === 'ml' ? 'sn' : 'ml']
  const foreign =
    digits.startsWith(neighbour.code) && digits.length === neighbour.code.length + neighbour.digits
  if (!prefixed && (abroad || foreign)) return { problem: sentence(`phone_abroad_${country}`) }
  const national = prefixed ? digits.slice(plan.code.length) : digits
  if (national.length < 3) return { problem: sentence('phone_none') }
  if (national.length !== plan.digits)
    return { problem: sentence(`phone_digits_${country}`, national.length) }
  return { e164: `+${plan.code}${national}` }
}

/** `76123456.0` and `2.2376123456E+10` as whole digits; null where the exponent hides digits that are gone. */
function withoutDecimals(text: string): string | null {
  const decimal = /^(\+?\d+)[.,]0+$/.exec(text)
  if (decimal) return decimal[1] ?? text
  const exponent = /^(\d)(?:[.,](\d+))?E\+?(\d{1,2})$/i.exec(text)
  if (!exponent) return text
  const [, first = '', rest = '', power = ''] = exponent
  // Fewer digits than the exponent asks for: Excel rounded them away, and zeros would be a guess.
  return rest.length === Number(power) ? first + rest : null
}
