/**
 * A name of a place as files bring it in: upper case without accents, as in the shipped lists, so that one place has one
 * spelling.
 */
export const placeName = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[‘’]/g, "'")
    .replace(/\s+/g, ' ')
    .trim()
    .toUpperCase()
