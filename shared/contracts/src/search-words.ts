/** Words of a search that count; further ones are not looked at. */
const wordsAtMost = 8

/**
 * Phone numbers as they are written on paper, `76 12 34 56` or `00 223 7612 3456`: one word each, and not four. With a prefix their country
 * says how many figures they have, whatever their groups.
 */
const phones = [
  /(?<![\p{L}\d])(?:\+|00)[\s.-]*\(?(?:223\)?(?:[\s.()-]*\d){8}|221\)?(?:[\s.()-]*\d){9})\)?(?!\d)/gu,
  /(?<![\p{L}\d])00\s*\d{2,3}(?:\s\d{2,3}){2,}(?!\d)/gu,
  /(?<!\d)\d{2,3}(?:\s\d{2,3}){2,}(?!\d)/g,
]

/**
 * The figures of a phone number of one word: without points, dashes and brackets, and without the 00 or + before its country. Undefined for other
 * words, and where a number is written as its figures. It may also be a code, so it is looked for as it is written, too.
 */
export function phoneFigures(word: string): string | undefined {
  if (!/^\+?[\d.()-]+$/.test(word)) return undefined
  const figures = word.replace(/\D/g, '')
  const bare = figures.replace(/^00/, '')
  const isNumber = /^(?:\+|00)/.test(word)
    ? /^(?:223\d{0,8}|221\d{0,9}|\d{8,9})$/.test(bare)
    : /^\d{2,5}(?:[.()-]+\d{2,4}){2,}$/.test(word)
  return isNumber ? bare : undefined
}

/** The words of a search, the longest first. Each of them must be found; their order does not count. */
export function searchWords(search: string): string[] {
  const text = phones.reduce(
    (joined, phone) => joined.replace(phone, (number) => number.replace(/\s/g, '')),
    search,
  )
  const words = new Set(text.split(/[\s,;]+/).filter(Boolean))
  return [...words].slice(0, wordsAtMost).sort((a, b) => b.length - a.length)
}

/**
 * Whether a word counts only where a word begins: one or two letters, which an index over three letters finds nowhere else.
 * Two figures may be in the middle of a phone number.
 */
export const beginsWord = (word: string): boolean => [...word].length <= 2 && !/^\d+$/.test(word)

/** Letters without accents or case, one for one, so that places in the text hold. */
const plainLetters = (text: string): string =>
  [...text].map((letter) => letter.normalize('NFD').charAt(0).toLowerCase()).join('')

/** Where a word is first found among letters; -1 if nowhere. */
function placeOf(letters: readonly string[], word: string): number {
  const sought = [...plainLetters(word)]
  const atBeginning = beginsWord(word)
  return letters.findIndex(
    (_, at) =>
      (!atBeginning || at === 0 || letters[at - 1] === ' ') &&
      sought.every((letter, n) => letters[at + n] === letter),
  )
}

/** Whether a text of the browser holds every word of a search, as the lists of the server do. */
export function holdsWords(text: string, search: string): boolean {
  const letters = [...plainLetters(text)]
  return searchWords(search).every((word) => placeOf(letters, word) >= 0)
}

/** Where the words of a search stand in a text: letters from and to, in order, overlaps joined. */
export function wordsWithin(text: string, search: string): [from: number, to: number][] {
  const letters = [...plainLetters(text)]
  const places = searchWords(search)
    .flatMap((word): [number, number][] => {
      const from = placeOf(letters, word)
      return from < 0 ? [] : [[from, from + [...word].length]]
    })
    .sort(([a], [b]) => a - b)
  return places.reduce<[number, number][]>((joined, [from, to]) => {
    const before = joined.at(-1)
    if (before && from <= before[1]) before[1] = Math.max(before[1], to)
    else joined.push([from, to])
    return joined
  }, [])
}
