import fc from 'fast-check'
import * as v from 'valibot'
import { anyDay, anyText, namedTexts } from './random-texts.ts'

/** The id of a thing of the database, told by its number in the list of those that there are when the call is made. */
export class Known {
  readonly field: string
  readonly n: number
  constructor(field: string, n: number) {
    this.field = field
    this.n = n
  }
}
/** A file of a form; the stage knows which it has. */
export class AnyFile {
  readonly field: string
  readonly n: number
  constructor(field: string, n: number) {
    this.field = field
    this.n = n
  }
}

/** What a schema of valibot says of itself at run time. */
type Node = {
  type: string
  kind: string
  requirement?: unknown
  pipe?: Node[]
  wrapped?: Node
  item?: Node
  key?: Node
  value?: Node
  literal?: unknown
  entries?: Record<string, Node>
  options?: unknown[]
}

/** An id: mostly of something that exists, as a number or as a text. */
export const anyId = (field: string): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 14, arbitrary: fc.nat(400).map((n) => new Known(field, n)) },
    { weight: 2, arbitrary: fc.constantFrom(1, 2, 999_999_999, '7', '007') },
    { weight: 1, arbitrary: fc.constantFrom(Number.MAX_SAFE_INTEGER, 0, -1, 1.5, '', '999999999999999') },
  )

const bound = (pipe: Node[], type: string) => {
  const found = pipe.find((one) => one.type === type)?.requirement
  return typeof found === 'number' ? found : undefined
}
const actionsOf = (schema: Node): Node[] =>
  (schema.pipe ?? []).flatMap((one, n) => (n > 0 && one.kind === 'schema' ? actionsOf(one) : [one]))
const isId = (schema: Node) => {
  const found = actionsOf(schema)
  return found.some(({ type }) => type === 'safe_integer') && bound(found, 'min_value') === 1
}

/** A value with an id and a file where it only names them, as its contract reads it. */
function plain(value: unknown): unknown {
  if (value instanceof Known) return 1
  if (value instanceof AnyFile) return { name: 'list.xlsx', size: 9 }
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]))
}

/** Mostly a value that the schema takes: a form with a fault in every field says nothing about the call behind it. */
const fitting = (schema: Node, values: fc.Arbitrary<unknown>) =>
  fc.tuple(fc.nat(15), fc.array(values, { minLength: 8, maxLength: 8 })).map(([chance, list]) => {
    const fits = list.find((value) => v.is(schema as unknown as v.GenericSchema, plain(value)))
    return chance === 0 || fits === undefined ? list[0] : fits
  })

function anyNumber(schema: Node): fc.Arbitrary<unknown> {
  const actions = actionsOf(schema)
  const min = bound(actions, 'min_value') ?? 0
  const max = bound(actions, 'max_value') ?? 2_000_000
  const values: fc.Arbitrary<unknown> = fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: Math.ceil(min), max: Math.min(max, min + 50_000) }) },
    { weight: 2, arbitrary: fc.constantFrom(min, max) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        min - 1,
        max + 1,
        0.5,
        1.005,
        -0,
        2 ** 31,
        2 ** 53,
        1e15,
        1e21,
        '12',
        ' 3 ',
        '1e2',
      ),
    },
  )
  return fitting(schema, values)
}

function anyTextOf(schema: Node, name: string): fc.Arbitrary<unknown> {
  const known = namedTexts.find(([of]) => of.test(name))
  const actions = actionsOf(schema)
  const text = anyText(bound(actions, 'max_length') ?? 255, bound(actions, 'min_length') ?? 0)
  return fitting(
    schema,
    known ? fc.oneof({ weight: 8, arbitrary: known[1] }, { weight: 1, arbitrary: text }) : text,
  )
}

function anyList(schema: Node, name: string): fc.Arbitrary<unknown> {
  const item = anyOf(schema.pipe?.[0]?.item ?? schema.item, name)
  const max = Math.min(bound(actionsOf(schema), 'max_length') ?? 20, 500)
  const twice = fc.array(item, { minLength: 1, maxLength: 3 }).map((list) => [...list, ...list])
  return fc.oneof(
    { weight: 6, arbitrary: fc.array(item, { minLength: 1, maxLength: 4 }) },
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: twice },
    { weight: 1, arbitrary: fc.array(item, { minLength: max, maxLength: max + 1 }) },
  )
}

/** A record of a module, as it declares its fields, or with others. */
const anyRecord: fc.Arbitrary<unknown> = fc.record(
  {
    school: anyText(40),
    weighed: fc.oneof(fc.integer({ min: 0, max: 900 }), fc.constantFrom(-1, 901, '12', 1.5)),
    kilos: fc.oneof(fc.double({ noNaN: true }), fc.constantFrom(1e308, -0, '3,5')),
    date: anyDay,
    hot: fc.boolean(),
    dish: fc.constantFrom('rice', 'stones'),
    notes: fc.jsonValue({ maxDepth: 3 }),
    é: fc.constant('of no field'),
  },
  { requiredKeys: [] },
)

/** Each property of a form; those that may be left out are, half of the time. */
function anyObject(entries: Record<string, Node>): fc.Arbitrary<unknown> {
  const fields = Object.entries(entries)
  return fc
    .record(Object.fromEntries(fields.map(([key, of]) => [key, anyOf(of, key)])))
    .map((made) => Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined)))
}

/** Values that a contract takes, with its bounds and what lies just beyond them. */
export function anyOf(given: Node | v.GenericSchema | undefined, name = ''): fc.Arbitrary<unknown> {
  const schema = given as Node | undefined
  if (!schema) return fc.constant(undefined)
  if (isId(schema)) return anyId(name)
  const base = schema.pipe?.[0] ?? schema
  if (base.pipe)
    return anyOf({ ...base, pipe: [...base.pipe, ...(schema.pipe?.slice(1) ?? [])] } as Node, name)
  const maybe = (value: unknown, weight: number) =>
    fc.oneof({ weight: 4, arbitrary: anyOf(base.wrapped, name) }, { weight, arbitrary: fc.constant(value) })
  switch (base.type) {
    case 'optional':
      return maybe(undefined, 3)
    case 'nullable':
    case 'nullish':
      return name === 'version' ? fc.constantFrom(undefined, null, 1, 2) : maybe(null, 1)
    case 'picklist':
      return fc.constantFrom(...(base.options?.length ? base.options : ['none']))
    case 'literal':
      return fc.constant(base.literal)
    case 'boolean':
      return fc.boolean()
    case 'number':
      return anyNumber(schema)
    case 'array':
      return anyList(schema, name)
    case 'object':
    case 'object_with_rest':
      // Only a rule over several fields needs it: each field has been made to fit.
      return schema.pipe ? fitting(schema, anyObject(base.entries ?? {})) : anyObject(base.entries ?? {})
    case 'union':
      return isNumber(base)
        ? anyNumber(schema)
        : fc.oneof(...((base.options ?? []) as Node[]).map((one) => anyOf(one, name)))
    case 'variant':
      return fc.oneof(...((base.options ?? []) as Node[]).map((one) => anyOf(one, name)))
    case 'record':
    case 'unknown':
      return anyRecord
    case 'custom':
      return fc.nat(60).map((n) => new AnyFile(name, n))
    default:
      return anyTextOf(schema, name)
  }
}
const isNumber = (base: Node) => (base.options as Node[] | undefined)?.[0]?.type === 'number'
