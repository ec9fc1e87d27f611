const hidden = '••••'
/** Keys whose value is a phone number, in any form. */
const phoneKey = /phone|tel|mobile|msisdn|whatsapp|contact|urn|sender|reported_by|numero|^from$|^to$/i
/** Keys whose value is a student code, also a mistyped one. */
const codesKey =
  /absent|(?:student|learner|eleve)s?[ _-]?(?:assigned_)?(?:code|id|number)|codes?[ _-]?(?:des?_)?(?:student|learner|eleve)/i

/** The figures of a report. A number there is no code, also if somebody has that code. */
const figures = ['enrolled', 'present']

/**
 * Phone numbers in any text: with a country code, or as either country writes them (8 digits in Mali, 9 in Senegal). No
 * letter, digit or dash may precede or follow, so that codes, dates and uuids do not match.
 */
const numbers =
  /(?<![\p{L}\d-])(?:(?:\+|00)\d(?:[ .()-]?\d){6,14}|22[13][ .-]?\d(?:[ .-]?\d){7,8}|[5-9]\d(?:[ .-]?\d{2}){3}|7\d(?:[ .-]?\d{3})(?:[ .-]?\d{2}){2})(?![\p{L}\d-])/gu

/**
 * The rights of a reader of the log: phone numbers show their last two digits, and student codes need the permission
 * (Access 5.2).
 */
export type Reader = {
  /** May see student codes. */
  codes: boolean
  /** Is this text the code of a student? */
  isCode(text: string): boolean
}

/**
 * Returns the data of a message with phone numbers and student codes hidden from this reader, in whatever field a
 * device put them.
 */
export function redacted(value: unknown, reader: Reader, key = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => redacted(one, reader, key))
  if (typeof value === 'object' && value !== null) {
    const inherited = (name: string) => (phoneKey.test(name) || codesKey.test(name) ? name : key)
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        redactedText(name, reader, ''),
        figures.includes(name) && typeof inner === 'number'
          ? inner
          : redacted(inner, reader, inherited(name)),
      ]),
    )
  }
  if (typeof value === 'string') return redactedText(value, reader, key)
  if (typeof value === 'number') return redactedNumber(value, reader, key)
  return value
}

/** Forms write codes of figures only as numbers. A small number is a code if somebody has it, and never a phone number. */
function redactedNumber(value: number, reader: Reader, key: string): unknown {
  if (!reader.codes && reader.isCode(String(value))) return hidden
  if (value <= 99_999) return value
  const shown = redactedText(String(value), reader, key)
  return shown === String(value) ? value : shown
}

/** Returns a text with its phone numbers and student codes hidden. `key` is the name of its field. */
export function redactedText(text: string, reader: Reader, key = ''): string {
  if (!reader.codes && codesKey.test(key)) return hidden
  const phones = phoneKey.test(key)
    ? text.replace(/\+?\d(?:[ .()-]?\d){5,}/g, lastTwo)
    : text.replace(numbers, lastTwo)
  if (reader.codes) return phones
  const hide = (word: string) => (reader.isCode(word) ? hidden : word)
  return phones.replace(words, (word) => (hide(word) === word ? word.replace(parts, hide) : hidden))
}

const lastTwo = (number: string) => `${hidden}${number.replace(/\D/g, '').slice(-2)}`

// A code may contain punctuation, and punctuation may separate two codes. So whole words and their parts are compared.
const parts = /[\p{L}\p{N}_-]+/gu
const words = /[\p{L}\p{N}_-]+(?:[./:][\p{L}\p{N}_-]+)*/gu

/** Returns all words of some data, in order to look up which of them are student codes. */
export function wordsOf(value: unknown): string[] {
  if (typeof value === 'string') return [...(value.match(words) ?? []), ...(value.match(parts) ?? [])]
  if (typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [...wordsOf(key), ...wordsOf(inner)])
}
