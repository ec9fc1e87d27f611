/** A word without case, accents and signs, as names and labels are compared. */
export const folded = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Letters without an accent that the database takes for others (ɛ for e), of the languages of Mali, Senegal and Europe. */
const likeOthers = new Map(
  'ɓb ƈc ɖd ɗd ɛe ɠg ƙk ɲn ŋn ƥp ƭt ʋv ƴy ʼ ßss øo đd ðd ħh ıi łl þth ŧt'
    .split(' ')
    .map(([letter = '', ...others]) => [letter, others.join('')]),
)
const likeAnother = new RegExp(`[${[...likeOthers.keys()].join('')}]`, 'g')

/**
 * A word as the database folds it for searches (`portal_search`), for comparisons with what it folded and of all names of
 * places. `folded` keeps letters such as ɛ, because the classes of stored reports are written with it.
 */
export const foldedAsSearched = (text: string) =>
  folded(text).replace(likeAnother, (letter) => likeOthers.get(letter) ?? letter)

/** The candidate with the most similar spelling; undefined if none is similar. Two of five letters may differ, and one of two. */
export function nearest(text: string, candidates: Iterable<string>): string | undefined {
  const word = folded(text)
  let best: string | undefined
  let distance = Math.max(Math.floor(word.length * 0.4) + 1, Math.min(word.length, 2))
  for (const candidate of candidates) {
    const other = folded(candidate)
    // A part of a name counts as near: KAYES for KAYES RIVES-DROITE.
    const within = word.length >= 3 && other.includes(word) ? 1 : distanceOf(word, other, distance)
    if (within >= distance) continue
    best = candidate
    distance = within
  }
  return best
}

/** Letters to change, add or leave out; `limit` when it is that many or more. */
export function distanceOf(a: string, b: string, limit = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let above = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let at = 1; at <= b.length; at++) {
      const change = (above[at - 1] ?? 0) + (a[row - 1] === b[at - 1] ? 0 : 1)
      current[at] = Math.min(change, (above[at] ?? 0) + 1, (current[at - 1] ?? 0) + 1)
    }
    if (Math.min(...current) >= limit) return limit
    above = current
  }
  return above[b.length] ?? limit
}
