import * as v from 'valibot'
import { name } from './fields.ts'

/** A text of one line as forms and files store it: composed accents, single spaces, no invisible signs. */
export const oneLine = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[\p{Cf}\p{Cc}\s]+/gu, ' ')
    .trim()

/** Whether a text has anything to read. */
export const isWritten = (text: string): boolean => /[^\p{Cf}\p{Cc}\s]/u.test(text)

/** The name of a person, a school or a partner. Of invisible signs alone nothing is left. */
export const properName = v.pipe(name, v.transform(oneLine), v.nonEmpty('required'))
/** Such a name that may be left out, but not emptied. */
export const optionalName = v.optional(properName)
