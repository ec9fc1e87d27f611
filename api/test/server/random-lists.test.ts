import * as v from 'valibot'
import { beforeAll, expect, test } from 'vitest'
import type { Answer, Client } from '../client.ts'
import { startPortal } from '../portal.ts'
import { asQuery } from './random-calls.ts'
import { knownIds } from './random-ids.ts'
import {
  entriesOf,
  isRequired,
  keyOf,
  optionsOf,
  type Paged,
  pageIn,
  type Query,
  textsOf,
} from './random-lists.ts'
import { fillLists } from './random-rows.ts'
import { fillStage, peopleOf } from './random-stage.ts'

/** Every list of the api, found by its contract: its sort orders, filters, searches and pages, over the demo's rows. */
const portal = await startPortal({ demoSize: 'small', agencyHosts: ['127.0.0.1:9'] })
const ids = knownIds(portal)
let person: Client

beforeAll(async () => {
  await fillStage(portal, 'http://127.0.0.1:9')
  const [first] = await peopleOf(portal)
  person = first?.client as Client
  await fillLists(portal, first?.client as Client & { user: { id: number } })
}, 120_000)

const lists = portal.endpoints
  .filter((endpoint) => endpoint.method === 'GET' && 'per_page' in entriesOf(endpoint))
  .map((endpoint) => ({ ...endpoint, name: `GET ${endpoint.path}` }))
type List = (typeof lists)[number]
/** Here each filter is a condition of the list that is made, and the more there are, the more girls are left out. */
const widened = '/admin/transfers/target-selection/left-out'
/** What must be chosen before a list has rows. */
const chosen: Record<string, Query> = {
  [widened]: { country: 'ml', guardian: 'yes', not_held: 'yes' },
  '/imports': { kind: 'students' },
  '/imports/:id/rows': { kind: 'rejected' },
}

/** Two values of each filter: of its closed list, or of what the database has. */
async function filtersOf(list: List): Promise<[string, unknown[]][]> {
  const own = Object.entries(entriesOf(list)).filter(
    ([key]) => !['page', 'per_page', 'search', 'search_term', 'sort'].includes(key),
  )
  return Promise.all(
    own.map(async ([key, schema]): Promise<[string, unknown[]]> => {
      const options = optionsOf(schema)
      if (options.length > 0) return [key, isRequired(schema) ? options.slice(0, 2) : options]
      if (/^(?:from|since)$/.test(key)) return [key, ['2020-01-01', '0001-01-01']]
      if (key === 'to') return [key, ['9999-12-31', '2028-02-29']]
      const fits = (value: unknown) => v.is(schema, value) || v.is(schema, String(value))
      const found = [await ids.of(list.path, key, 0), await ids.of(list.path, key, 7)]
      return [key, fits(found[0]) ? found : ['7', 'none'].filter(fits)]
    }),
  )
}

/** The lists of a few things, of which the address names one. The first has rows, if any of them has. */
async function addressesOf(list: List): Promise<string[]> {
  const { path } = list
  const words = path.replace(':module', 'mfe-meals').replace(':collection', 'meals')
  const name = /:(\w+)/.exec(words)?.[1]
  if (!name) return [words]
  const found = new Set<string>()
  for (let n = 0; n < 40; n++) found.add(words.replace(`:${name}`, String(await ids.of(path, name, n))))
  const query = await requiredOf(list)
  for (const address of found) {
    const page = pageIn((await read(address + asQuery({ ...query, per_page: 100, page: 1 }))).body)
    if (page && page.total > 0)
      return [address, ...[...found].filter((other) => other !== address).slice(0, 1)]
  }
  return [...found].slice(0, 2)
}

/** Answers by address: nothing changes while the lists are read, so that none is asked for twice. */
const answers = new Map<string, PromiseLike<Answer>>()
function read(address: string): PromiseLike<Answer> {
  const answer = answers.get(address) ?? person.get(address)
  answers.set(address, answer)
  return answer
}

/** Reads all pages, at most so many, and notes what does not agree. More than one includes the page beyond the end. */
async function walk(address: string, query: Query, faults: string[], most = 6): Promise<Paged | undefined> {
  const at = (page: number) => `${address}${asQuery({ ...query, per_page: 100, page })}`
  const seen: string[] = []
  let first: Paged | undefined
  for (let n = 1; n <= most; n++) {
    const answer = await read(at(n))
    if (answer.status !== 200) {
      faults.push(`${at(n)}: ${answer.status} ${JSON.stringify(answer.body)}`)
      return undefined
    }
    const page = pageIn(answer.body)
    if (!page) {
      faults.push(`${at(n)}: has no page`)
      return undefined
    }
    first ??= page
    if (page.total !== first.total) faults.push(`${at(n)}: total ${page.total}, before ${first.total}`)
    seen.push(...page.data.map(keyOf))
    if (n >= page.last_page) {
      if (seen.length !== page.total) faults.push(`${at(n)}: ${seen.length} rows, total ${page.total}`)
      if (most > 1) {
        const beyond = pageIn((await read(at(n + 1))).body)
        if (beyond?.data.length !== 0 || beyond.total !== page.total)
          faults.push(`${at(n + 1)}: not empty beyond the end`)
      }
      break
    }
  }
  if (new Set(seen).size !== seen.length) faults.push(`${at(1)}: a row twice`)
  return first
}

/** Searches with signs that mean something in SQL, in searches by words, or in sentences. */
const strange = [
  '%',
  '_',
  '%_\\',
  '\\\\%',
  "'; --",
  '"',
  ':*&|!(',
  '😀\u202e',
  'é'.repeat(200),
  'x '.repeat(99),
  '+223',
  '{0}',
]
/** Enough pairs of filters to meet each filter with each other one; a list with many values would have hundreds. */
const mostPairs = 16
const requiredOf = async (list: List): Promise<Query> => ({
  ...Object.fromEntries(
    (await filtersOf(list)).flatMap(([key, [value]]) =>
      isRequired(entriesOf(list)[key] as v.GenericSchema) ? [[key, value]] : [],
    ),
  ),
  ...chosen[list.path],
})

test.each(lists)('$name has the same rows in each order, each once, and as many as it says', async (list) => {
  const faults: string[] = []
  const sorts = [undefined, ...optionsOf(entriesOf(list).sort as v.GenericSchema)]
  for (const address of await addressesOf(list))
    for (const sort of sorts) await walk(address, { ...(await requiredOf(list)), sort }, faults)
  expect(faults).toEqual([])
})

test.each(lists)(
  '$name takes any two filters together, and has no more rows than with one of them',
  async (list) => {
    const faults: string[] = []
    const filters = (await filtersOf(list)).flatMap(([key, values]) =>
      values.map((value) => ({ [key]: value })),
    )
    const [address = list.path] = await addressesOf(list)
    const required = await requiredOf(list)
    const sorts = optionsOf(entriesOf(list).sort as v.GenericSchema)
    const alone = new Map<object, number | undefined>()
    for (const one of filters)
      alone.set(one, (await walk(address, { ...required, ...one }, faults, 1))?.total)
    const pairs = filters.flatMap((one, n) => filters.slice(n + 1).map((other) => [one, other] as const))
    const mixed = pairs.filter(([one, other]) => Object.keys(one)[0] !== Object.keys(other)[0])
    const step = Math.ceil(mixed.length / mostPairs)
    for (const [n, [one, other]] of mixed.filter((_, k) => k % step === 0).entries()) {
      const sort = sorts.length > 0 ? sorts[n % sorts.length] : undefined
      const both = await walk(address, { ...required, ...one, ...other, sort }, faults, 2)
      const fewest = Math.min(alone.get(one) ?? Infinity, alone.get(other) ?? Infinity)
      if (both && both.total > fewest && list.path !== widened)
        faults.push(`${JSON.stringify({ ...one, ...other })}: ${both.total} rows, alone ${fewest}`)
    }
    expect(faults).toEqual([])
  },
)

/** The field of its search, if its contract offers one. */
const searchOf = (list: List) => ['search', 'search_term'].find((name) => name in entriesOf(list))

/** Lists that offer a search although their screens have none. */
const unsearched = [
  '/home/messages',
  '/admin/sync/tokens',
  '/notifications',
  '/admin/erasures',
  '/imports',
  '/imports/:id/rows',
]

test.each(lists)(
  '$name finds a row by a text that it shows, and nothing by a word of no row',
  async (list) => {
    const [address = list.path] = await addressesOf(list)
    const required = await requiredOf(list)
    const field = searchOf(list)
    const faults: string[] = []
    const first = await walk(address, required, faults, 1)
    const [row] = first?.data ?? []
    expect(row, `${address} has no rows`).toBeDefined()
    if (row && field && !unsearched.includes(list.path)) {
      const nothing = await walk(address, { ...required, [field]: 'zqxjkvw' }, faults, 1)
      if (nothing?.total !== 0) faults.push(`a word of no row finds ${nothing?.total}`)
      const found = await Promise.all(
        textsOf(row).map(([, text]) => walk(address, { ...required, [field]: text }, faults, 5)),
      )
      const isThere = (page?: Paged) => page?.data.some((each) => keyOf(each) === keyOf(row))
      if (!found.some(isThere)) faults.push(`no text finds ${JSON.stringify(row)}`)
    }
    expect(faults).toEqual([])
  },
)

test.each(lists.filter(searchOf))(
  '$name answers a search with signs that a search may stumble over',
  async (list) => {
    const faults: string[] = []
    const [address = list.path] = await addressesOf(list)
    const required = await requiredOf(list)
    for (const search of strange)
      await walk(address, { ...required, [searchOf(list) ?? '']: search }, faults, 1)
    expect(faults).toEqual([])
  },
)
