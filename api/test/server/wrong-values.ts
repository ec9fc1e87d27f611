/** What wrong values a test sends to a call, made from the JSON Schema of its contract. */

export type Schema = {
  type?: string
  enum?: unknown[]
  const?: unknown
  format?: string
  minimum?: number
  items?: Schema
  properties?: Record<string, Schema>
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  $ref?: string
}
export type Parameter = { name: string; in: 'path' | 'query'; schema: Schema }
export type Call = { parameters?: Parameter[]; requestBody?: { content: Record<string, { schema: Schema }> } }

/** Stands for JSON that is nested a thousand times deeper than any form; `encode` writes it, because JSON.stringify cannot. */
const deep = 'nested-20000-deep'
/** Half of a character. No text may hold it, and PostgreSQL cannot store it. */
const half = '\ud800'

/** Values of every type that a field may not expect, and texts that ended servers before. */
export const wrongValues: unknown[] = [
  ...[half, `a${half}b`, 'a\u0000b', '', ' ', 'x'.repeat(20_000), '\u202egnp.exe', '../../etc/passwd'],
  ...["'; select pg_sleep(9) --", '=1+1', '99999999999999999999', '%', 'NaN', '2026-02-30', '0001-01-01'],
  ...[-1, 0, 1.5, 1e308, 2 ** 53, true, null, [], {}, [[null]], [half], { a: half }, deep],
]
/** The same as text, for queries and forms. */
export const wrongTexts = wrongValues.map((value) =>
  typeof value === 'string' ? value : JSON.stringify(value),
)
/** Path segments as they stand in an address. */
export const wrongSegments = [
  ...['0', '-1', '1.5', '1e9', '99999999999999999999', 'x'.repeat(300), '%00', '%ED%A0%80', '%', '%2e%2e%2f'],
  ...['a%2Fb', "'", '%F0%9F%92%A9', '__proto__'],
]

const samples: Record<string, string> = {
  email: 'awa@example.org',
  date: '2026-01-05',
  time: '08:00',
  phone: '+22370123456',
}

/** A value that the schema probably takes, so that one wrong field is what the call stumbles over. */
export function sample(schema: Schema, name = ''): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const [one] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []
  if (one) return sample(one, name)
  if (schema.properties)
    return Object.fromEntries(Object.entries(schema.properties).map(([key, of]) => [key, sample(of, key)]))
  if (schema.type === 'array') return schema.items ? [sample(schema.items, name)] : []
  if (schema.type === 'object') return {}
  if (schema.type === 'boolean') return true
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, schema.minimum ?? 1)
  const known = Object.keys(samples).find((key) => schema.format === key || name.includes(key))
  return known ? samples[known] : '1'
}

/** Bodies that are wrong in one place: each property in turn has each wrong value. */
export function* wrongBodies(schema: Schema): Generator<[what: string, body: unknown]> {
  const right = sample(schema)
  yield ['as it should be', right]
  for (const value of wrongValues) yield [`body ${show(value)}`, value]
  if (typeof right !== 'object' || right === null) return
  for (const key of Object.keys(right))
    for (const value of wrongValues) yield [`${key} ${show(value)}`, { ...right, [key]: value }]
}

/** A body as the bytes of a call. */
export const encode = (body: unknown): string =>
  JSON.stringify(body).replaceAll(`"${deep}"`, '[['.repeat(10_000) + ']]'.repeat(10_000))

/** A wrong value in the words of a failure. */
export const show = (value: unknown): string => JSON.stringify(value).slice(0, 40)
