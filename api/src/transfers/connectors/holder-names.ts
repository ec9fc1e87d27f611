/** How the name of a number's holder agrees with the one on the list. `near` is for a person to look at. */
export type NameAgreement = 'match' | 'near' | 'different'

/** How two words of names agree: `same`, alike to a slip of the pen, or as far as a mask or an initial shows. */
type WordAgreement = 'same' | 'alike' | 'shown'

/** Forms of address and words between names, which agencies leave out or add. */
const besides = new Set(
  'mme mlle mr madame monsieur mademoiselle dr el hadj hadji elhadj elhadji hadja adja dit dite nee epouse veuve vve'.split(
    ' ',
  ),
)

/**
 * Compares the name on a list with the one that the agency tells (Money 5.19). Case, accents, hyphens, apostrophes and the
 * order of names do not count. A family name alone proves nothing, because a few of them are those of most people.
 */
export function compareNames(ours: string, theirs: string): NameAgreement {
  const [mine, other] = [wordsOf(ours), wordsOf(theirs)]
  if (mine.length === 0 || other.length === 0) return 'different'
  if (mine.join('') === other.join('')) return 'match'
  const [short, long] = mine.length <= other.length ? [mine, other] : [other, mine]
  const found = pairUp(short, long)
  const same = found.filter((agreement) => agreement === 'same').length
  if (same === short.length) return short.length > 1 ? 'match' : 'near'
  if (found.length === short.length && short.length > 1) return 'near'
  return short.length > 2 && same === short.length - 1 ? 'near' : 'different'
}

/** Words in small letters without accents; `*` stands for hidden letters. */
function wordsOf(name: string): string[] {
  const words = name
    .normalize('NFD')
    .replace(/\p{M}|['’ʼ`]/gu, '')
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replace(/[*•#]+/g, '*')
    .split(/[^\p{L}*]+/u)
    .filter((word) => word !== '' && word !== '*')
  const kept = words.filter((word) => !besides.has(word))
  return kept.length > 0 ? kept : words
}

/** The agreement of each word that has a partner of its own in the other name. The best partners are taken first. */
function pairUp(short: readonly string[], long: readonly string[]): WordAgreement[] {
  const [left, right] = [new Set(short.keys()), new Set(long.keys())]
  const found: WordAgreement[] = []
  for (const wanted of ['same', 'alike', 'shown'] as const)
    for (const i of [...left])
      for (const j of right)
        if (agreementOf(short[i] ?? '', long[j] ?? '') === wanted) {
          found.push(wanted)
          left.delete(i)
          right.delete(j)
          break
        }
  return found
}

function agreementOf(a: string, b: string): WordAgreement | null {
  if (a === b) return a.includes('*') || a.length === 1 ? 'shown' : 'same'
  if (a.includes('*') || b.includes('*')) return isMaskOf(a, b) || isMaskOf(b, a) ? 'shown' : null
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short.length === 1) return long.startsWith(short) ? 'shown' : null
  return isShortFormOf(short, long) || isSpeltLike(a, b) ? 'alike' : null
}

/** Another spelling. The first sound must agree: Fall and Sall, Ba and Ka are different families. */
function isSpeltLike(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length)
  return firstSound(a) === firstSound(b) && slips(a, b) <= (length < 4 ? 0 : length < 8 ? 1 : 2)
}

/** Names are spelt with `c` or `k`, and with `i`, `y` or `j`. */
const firstSound = (word: string) => word.slice(0, 1).replace(/[cq]/, 'k').replace(/[yj]/, 'i')

/** Whether a mask such as `f***` or `c*y` shows letters of the word, at its beginning and its end. */
function isMaskOf(mask: string, word: string): boolean {
  const [start = '', end = ''] = [mask.slice(0, mask.indexOf('*')), mask.slice(mask.lastIndexOf('*') + 1)]
  return (
    mask.includes('*') &&
    start.length + end.length <= word.length &&
    word.startsWith(start) &&
    word.endsWith(end)
  )
}

/** `Fatou` for Fatoumata; `Mdou` for Mamadou: the first and last letter, and the others in their order. */
function isShortFormOf(short: string, long: string): boolean {
  if (short.length >= 4 && long.startsWith(short)) return true
  if (short.length > 4 || long.length < 5 || short[0] !== long[0]) return false
  let at = -1
  const inOrder = [...short].every((letter) => {
    at = long.indexOf(letter, at + 1)
    return at >= 0
  })
  return inOrder && (short.length === 2 || long.endsWith(short.at(-1) ?? ''))
}

/** How many letters are added, left out, exchanged or swapped with their neighbour. */
function slips(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      const least = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + cost)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      next[j] = swapped ? Math.min(least, (before[j - 2] ?? 0) + 1) : least
    }
    ;[before, row] = [row, next]
  }
  return row[b.length] ?? 0
}
