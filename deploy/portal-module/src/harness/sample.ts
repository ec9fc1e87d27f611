import * as v from 'valibot'

/** The parts of a valibot schema that a sample is made from. */
type Schema = v.GenericSchema & {
  type: string
  entries?: Record<string, Schema>
  item?: Schema
  items?: Schema[]
  options?: unknown[]
  wrapped?: Schema
  pipe?: Schema[]
  value?: Schema
  literal?: unknown
  default?: unknown
}

/** Sample texts. Most checks accept at least one of them. */
const texts = [
  'Sample',
  '2026-01-15',
  '2026-01-15T08:00:00Z',
  'a@portal.example',
  'https://portal.example',
  '1',
  '',
]

const fitting = (schema: Schema, candidates: readonly unknown[]) =>
  candidates.find((each) => v.is(schema, each)) ?? candidates[0]

/** Contracts write moments and days as plain texts. A page that formats one needs a real one. */
const moments = /(^|_)at$/
const days = /(^|_)(date|day|month|week)$/

function sampleNamed(name: string, schema: Schema): unknown {
  const made = sampleOf(schema)
  if (made !== 'Sample') return made
  return moments.test(name) ? '2026-01-15T08:00:00Z' : days.test(name) ? '2026-01-15' : made
}

/** A sample that fits a schema: one row in every list, the first option of every choice. */
export function sampleOf(schema: v.GenericSchema): unknown {
  const known = schema as Schema
  if (known.pipe?.[0]) {
    const plain = sampleOf({ ...known.pipe[0] } as Schema)
    return typeof plain === 'string'
      ? fitting(known, [plain, ...texts])
      : typeof plain === 'number'
        ? fitting(known, [plain, 1, 0, 10])
        : plain
  }
  switch (known.type) {
    case 'object':
    case 'strict_object':
    case 'loose_object':
      return Object.fromEntries(
        Object.entries(known.entries ?? {}).map(([key, entry]) => [key, sampleNamed(key, entry)]),
      )
    case 'array':
      return known.item ? [sampleOf(known.item)] : []
    case 'tuple':
      return (known.items ?? []).map(sampleOf)
    case 'picklist':
      return known.options?.[0]
    case 'literal':
      return known.literal
    case 'union':
    case 'variant':
      return known.options?.[0] ? sampleOf(known.options[0] as Schema) : null
    case 'optional':
    case 'exact_optional':
    case 'nullable':
    case 'nullish':
    case 'undefinedable':
      return known.wrapped ? sampleOf(known.wrapped) : null
    case 'number':
      return 1
    case 'bigint':
      return 1n
    case 'boolean':
      return false
    case 'record':
      return {}
    case 'null':
      return null
    default:
      return fitting(known, texts)
  }
}
