/** Short numbers stand in many texts without meaning this person. */
export const isTelling = (text: string) => text.length >= 5 || (/\p{L}/u.test(text) && /\d/.test(text))

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
/** A text as the function `portal_search` of the database folds it. */
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** A regular expression for a text, as `portal_search` writes it. */
export const wordsOf = (text: string): string => escaped(plain(text))

/** A regular expression for a code, number or e-mail. A telephone number is also found without its country and with spaces or dots between its digits. */
export function markOf(text: string): string {
  const phone = /^\+22[13](\d{8,9})$/.exec(text)
  if (!phone?.[1]) return wordsOf(text)
  return `(\\+?22[13][ .-]?)?${[...phone[1]].join('[ .-]?')}`
}

/** Whole words only: the code S-1 is not found in S-12. Without any word it finds nothing. */
export const patternOf = (parts: string[]): string =>
  parts.length === 0 ? '$.' : `(^|[^[:alnum:]_-])(${parts.join('|')})($|[^[:alnum:]_-])`
