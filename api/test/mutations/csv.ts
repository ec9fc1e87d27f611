import type { Random } from '../random.ts'
import { oneOf } from './bytes.ts'
import { oddValues } from './values.ts'

/** What a bad program writes into a file of separated values. */
const csvSlips: Record<string, (random: Random, lines: string[]) => string[]> = {
  'another value': (random, lines) =>
    change(random, lines, (cells) => {
      cells[random.between(0, cells.length - 1)] = oneOf(random, oddValues)
      return cells
    }),
  'a value left out': (random, lines) =>
    change(random, lines, (cells) => cells.toSpliced(random.between(0, cells.length - 1), 1)),
  'a value more': (random, lines) =>
    change(random, lines, (cells) =>
      cells.toSpliced(random.between(0, cells.length), 0, oneOf(random, oddValues)),
    ),
  'another separator': (random, lines) => {
    const copy = [...lines]
    const at = random.between(0, copy.length - 1)
    copy[at] = (copy[at] ?? '').replaceAll(';', oneOf(random, [',', '\t', '|', ' ;']))
    return copy
  },
  'a line twice': (random, lines) =>
    lines.toSpliced(random.between(0, lines.length), 0, oneOf(random, lines)),
  'a line left out': (random, lines) => lines.toSpliced(random.between(0, lines.length - 1), 1),
  'a quotation mark': (random, lines) =>
    change(random, lines, (cells) => {
      const at = random.between(0, cells.length - 1)
      cells[at] = oneOf(random, [
        `"${cells[at]}`,
        `${cells[at]}"`,
        `"${cells[at]}"`,
        `"a\n${cells[at]}"`,
        `"" "${cells[at]}`,
      ])
      return cells
    }),
}

function change(random: Random, lines: string[], how: (cells: string[]) => string[]): string[] {
  const at = random.between(0, lines.length - 1)
  return lines.with(at, how((lines[at] ?? '').split(';')).join(';'))
}

/** Lines of values that semicolons separate, as a bad program writes them. */
export function slippedCsv(random: Random, lines: readonly string[]): { what: string; bytes: Buffer } {
  const what: string[] = []
  let now = [...lines]
  for (let n = random.between(1, 3); n > 0 && now.length > 0; n--) {
    const name = oneOf(random, Object.keys(csvSlips))
    now = csvSlips[name]?.(random, now) ?? now
    what.push(name)
  }
  const ends = oneOf(random, [['\n'], ['\r\n'], ['\r'], ['\n', '\r\n', '\r', '\n\n']])
  const text = now.map((line) => line + oneOf(random, ends)).join('')
  const encoding = random.chance(0.1) ? oneOf(random, ['utf16le', 'latin1'] as const) : 'utf8'
  return { what: [...what, JSON.stringify(ends), encoding].join(', '), bytes: Buffer.from(text, encoding) }
}
