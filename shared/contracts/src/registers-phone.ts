import * as v from 'valibot'
import type { Country } from './fields.ts'
import { readPhone } from './registers/phone.ts'
import type { Text } from './sentences.ts'

/** The country a number is of: by its prefix, else by its length (8 digits Mali, 9 Senegal). */
function phoneCountry(text: string): Country {
  const digits = text.replace(/\D/g, '').replace(/^00/, '')
  if (digits.startsWith('221') && digits.length === 12) return 'sn'
  return digits.length === 9 && !text.trim().startsWith('+') ? 'sn' : 'ml'
}

/** A number of either country, in E.164, or what is wrong with it. */
export const readAnyPhone = (cell: string | number) => readPhone(cell, phoneCountry(String(cell)))

/** A telephone number of a form, kept in E.164. */
export const anyPhone = v.pipe(
  v.string('required'),
  v.trim(),
  v.nonEmpty('required'),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const read = readAnyPhone(dataset.value)
    if ('e164' in read) return read.e164
    addIssue({ message: read.problem })
    return NEVER
  }),
)

/** What a sheet says of a column of such numbers. */
export const phoneHelp: Text = {
  en: '8 digits in Mali, 9 in Senegal, with or without +223 or +221.',
  fr: '8 chiffres au Mali, 9 au Sénégal, avec ou sans +223 ou +221.',
}
