import type { Random } from '../random.ts'

/** One of a list. */
export const oneOf = <T>(random: Random, list: readonly T[]): T =>
  list[random.between(0, list.length - 1)] as T

const cut = (random: Random, bytes: Buffer, longest = 64): [number, number] => {
  const from = random.between(0, Math.max(0, bytes.length - 1))
  return [from, Math.min(bytes.length, from + random.between(1, longest))]
}

/** What a bad disk, a bad line or a bad program does to the bytes of a file. */
const damages: Record<string, (random: Random, bytes: Buffer) => Buffer> = {
  'a bit flipped': (random, bytes) => {
    const copy = Buffer.from(bytes)
    const at = random.between(0, copy.length - 1)
    copy[at] = (copy[at] ?? 0) ^ (1 << random.between(0, 7))
    return copy
  },
  'bytes written over': (random, bytes) => {
    const copy = Buffer.from(bytes)
    const [from, to] = cut(random, copy, 8)
    copy.fill(oneOf(random, [0, 0xff, 0x20, 0x80, random.between(0, 255)]), from, to)
    return copy
  },
  'bytes left out': (random, bytes) => {
    const [from, to] = cut(random, bytes)
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])
  },
  'bytes twice': (random, bytes) => {
    const [from, to] = cut(random, bytes)
    return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)])
  },
  'bytes put in': (random, bytes) => {
    const [from] = cut(random, bytes)
    const more = Buffer.from(Array.from({ length: random.between(1, 6) }, () => random.between(0, 255)))
    return Buffer.concat([bytes.subarray(0, from), more, bytes.subarray(from)])
  },
  'the end cut off': (random, bytes) => bytes.subarray(0, random.between(0, bytes.length - 1)),
}

/** Bytes with one to three damages. */
export function damagedBytes(random: Random, bytes: Buffer): { what: string; bytes: Buffer } {
  const what: string[] = []
  let now = bytes
  for (let n = random.between(1, 3); n > 0 && now.length > 0; n--) {
    const name = oneOf(random, Object.keys(damages))
    now = damages[name]?.(random, now) ?? now
    what.push(name)
  }
  return { what: what.join(', '), bytes: now }
}
