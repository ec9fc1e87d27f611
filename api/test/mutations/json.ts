import type { Random } from '../random.ts'
import { damagedBytes, oneOf } from './bytes.ts'
import { oddValues } from './values.ts'

/** What stands in place of a value, as it is written. */
const oddJson = [
  ...[
    'null',
    'true',
    'false',
    '0',
    '-1',
    '-0',
    '1.5',
    '10500.5',
    '1e3',
    '1e400',
    '-1e400',
    '9007199254740993',
    '99999999999999999999',
  ],
  ...[
    '[]',
    '{}',
    '[null]',
    '[[1]]',
    '{"a":{"b":[]}}',
    '""',
    '"10500.00"',
    '"0"',
    '[1,2,3]',
    '"\\u0000"',
    '"\\ud800"',
    '"a\\udc00b"',
  ],
  ...[
    '"2026-10-03"',
    '"+275760-09-13T00:00:00.000Z"',
    '"-000001-01-01T00:00:00Z"',
    '"0000-01-01T00:00:00Z"',
    '"275760"',
    '"1 Jan 1"',
  ],
]

type Place = { holder: Record<string, unknown>; name: string }

function placesOf(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((name) => [{ holder, name }, ...placesOf(holder[name])])
}

const slips: Record<string, (random: Random, place: Place, token: (raw: string) => string) => void> = {
  'another value': (random, { holder, name }, token) => {
    holder[name] = token(
      random.chance(0.5) ? oneOf(random, oddJson) : JSON.stringify(oneOf(random, oddValues)),
    )
  },
  'a field left out': (_, { holder, name }) => {
    if (Array.isArray(holder)) holder.splice(Number(name), 1)
    else delete holder[name]
  },
  'a field twice': (random, { holder, name }, token) => {
    if (!Array.isArray(holder))
      holder[name] = token(
        `${JSON.stringify(holder[name])},${JSON.stringify(name)}:${oneOf(random, oddJson)}`,
      )
  },
  'another name': (random, { holder, name }, token) => {
    const value = holder[name]
    delete holder[name]
    holder[token(JSON.stringify(oneOf(random, ['__proto__', 'constructor', 'toString', '', 'x'])))] = value
  },
  'many levels': (_, { holder, name }, token) => {
    holder[name] = token(`${'['.repeat(3_000)}${']'.repeat(3_000)}`)
  },
  'a list of many': (_, { holder, name }) => {
    holder[name] = Array.from({ length: 500 }, () => holder[name])
  },
}

/** A JSON value as a bad program writes it. */
export function slippedJson(random: Random, good: object): { what: string; bytes: Buffer } {
  const value = structuredClone(good) as Record<string, unknown>
  const raws: string[] = []
  const token = (raw: string) => `\u2063${raws.push(raw) - 1}\u2063`
  const what: string[] = []
  for (let n = random.between(1, 2); n > 0; n--) {
    const places = placesOf(value)
    if (places.length === 0) break
    const name = oneOf(random, Object.keys(slips))
    slips[name]?.(random, oneOf(random, places), token)
    what.push(name)
  }
  const text = JSON.stringify(value).replace(/"\u2063(\d+)\u2063"/g, (_, n) => raws[Number(n)] ?? '')
  if (!random.chance(0.15)) return { what: what.join(', '), bytes: Buffer.from(text) }
  const damaged = damagedBytes(random, Buffer.from(text))
  return { what: [...what, damaged.what].join(', '), bytes: damaged.bytes }
}
