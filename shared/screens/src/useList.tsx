import type { Rest } from '@portal/client/client'
import { asProblem, type Problem } from '@portal/client/problem'
import { queryOf } from '@portal/client/query'
import type { AnswerOf, Endpoint, ParamsOf, QueryOf } from '@portal/contracts/endpoint'
import type { Page } from '@portal/contracts/fields'
import { useHost, useQuery } from '@portal/sdk'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { useInterval } from './usePoll.tsx'

type Changes = Record<string, string | number | undefined>

/** A list as a table needs it. What is shown (page, search, sort, filters) stands in the page's URL. */
export type List<Item, Answer = unknown, Filter extends string = string> = {
  /** The path of its call, which identifies the list. */
  name: string
  /** Undefined until the first answer. Later the former page stays while the next one is loaded. */
  page: Page<Item> | undefined
  items: Item[]
  /** The whole answer, for parts besides the rows. If a search or filter fails, it is the answer before that. */
  answer: Answer | undefined
  /** The error of the latest call. Items on screen stay, and the message stands above them. */
  problem: Problem | null
  fetching: boolean
  retry: () => void
  /** The view in the URL. Parts that the URL lacks are empty texts. */
  view: { page: number; search: string; sort: string; filter: (name: Filter) => string }
  /** The query string with search, sort and filters only: without the page number and without parameters of other components. */
  query: string
  /** Whether a search or filter is set: an empty page then means "no match". */
  narrowed: boolean
  /** Search and filters of the rows on screen as one text, to compare two views. */
  narrowedTo: string
  /** Whether the rows on screen are those of the former search and filters, because the answer to the new ones is not there yet. */
  outdated: boolean
  /** Changes the view; anything but a page starts at page 1 again. `replace` keeps the history short while typing. */
  show: (
    changes: Partial<Record<Filter | 'page' | 'search' | 'sort', string | number>>,
    replace?: boolean,
  ) => void
  /** Drops search and filters. */
  clear: () => void
  /** How often `clear` was called. As the key of a search box it drops what was typed and not searched yet. */
  cleared: number
  /** Address of a page of this view. */
  href: (page: number) => string
}

type PageKey<Answer> = {
  [Key in keyof Answer]: Answer[Key] extends Page<unknown> ? Key : never
}[keyof Answer]
type ItemAt<Answer, Key extends keyof Answer> = Answer[Key] extends Page<infer Item> ? Item : never
type FilterOf<E> = Exclude<keyof QueryOf<E>, 'page' | 'per_page' | 'search' | 'sort'> & string

type ListOptions<E extends Endpoint> = (keyof ParamsOf<E> extends never
  ? { params?: undefined }
  : { params: ParamsOf<E> }) & {
  /** Refetch in ms, until `until` says the answer is final. */
  every?: number
  until?: (answer: AnswerOf<E>) => boolean
}
type Options<E extends Endpoint> = keyof ParamsOf<E> extends never
  ? [options?: ListOptions<E>]
  : [options: ListOptions<E>]

/** A paged list: `useList(schools.list, 'schools')`, or with a function where the page lies deeper in the answer. */
export function useList<E extends Endpoint, Key extends PageKey<AnswerOf<E>>>(
  endpoint: E,
  at: Key,
  ...options: Options<E>
): List<ItemAt<AnswerOf<E>, Key>, AnswerOf<E>, FilterOf<E>>
export function useList<E extends Endpoint, Item>(
  endpoint: E,
  at: (answer: AnswerOf<E>) => Page<Item>,
  ...options: Options<E>
): List<Item, AnswerOf<E>, FilterOf<E>>
export function useList<E extends Endpoint, Item>(
  endpoint: E,
  at: unknown,
  ...[options]: Options<E>
): unknown {
  const { client } = useHost()
  const [url, setUrl] = useComingSearch()
  const query = readView(endpoint, url)
  const params = options?.params ?? {}
  const args = [{ params, query, poll: options?.every !== undefined }] as unknown as Rest<E>
  const interval = useInterval<AnswerOf<E>>(options?.every, options?.until)
  const result = useQuery({
    ...queryOf(client, endpoint, ...args),
    refetchInterval: interval,
    // The previous page stays while the next one loads, but never that of another cohort.
    placeholderData: (previous, before) =>
      JSON.stringify(paramsOf(before?.queryKey)) === JSON.stringify(params) ? previous : undefined,
  })

  const { data } = result
  const last = useRef<{ of: string; answer: AnswerOf<E> }>(undefined)
  const of = JSON.stringify(params)
  if (data !== undefined) last.current = { of, answer: data }
  const filters = filterNames(endpoint)
  const wanted = JSON.stringify([params, query.search, ...filters.map((name) => query[name])])
  const isOwn = data !== undefined && !result.isPlaceholderData
  const [narrowedTo, setNarrowedTo] = useState(wanted)
  useEffect(() => {
    if (isOwn) setNarrowedTo(wanted)
  }, [isOwn, wanted])
  const page = data === undefined ? undefined : pageAt<Item>(data, at)
  const [cleared, setCleared] = useState(0)

  const changed = (from: URLSearchParams, changes: Changes) => {
    const next = new URLSearchParams(from)
    if (!('page' in changes)) next.delete('page')
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined || value === '' || (name === 'page' && Number(value) <= 1)) next.delete(name)
      else next.set(name, String(value))
    }
    return next
  }
  const show = (changes: Changes, replace = false) => {
    setUrl((latest) => changed(latest, changes), replace)
  }
  // The last page has become empty: show the page before it.
  const beyond =
    page && !result.isPlaceholderData && page.data.length === 0 && page.total > 0 ? page.last_page : 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the discovery itself moves the page
  useEffect(() => {
    if (beyond > 0) show({ page: beyond }, true)
  }, [beyond])

  const list: List<Item, AnswerOf<E>> = {
    name: endpoint.path,
    page,
    items: page?.data ?? [],
    answer: last.current?.of === of ? last.current.answer : undefined,
    problem: result.error ? asProblem(result.error) : null,
    fetching: result.isFetching,
    retry: () => void result.refetch(),
    view: {
      page: Number(query.page ?? 1),
      search: query.search ?? '',
      sort: query.sort ?? '',
      filter: (name) => query[name] ?? '',
    },
    query: `${new URLSearchParams(Object.entries(query).filter(([name]) => !/page$/.test(name)))}`,
    // Without rows on screen nothing of another filter is there to act on.
    narrowedTo: page ? narrowedTo : wanted,
    outdated: page !== undefined && (result.isPlaceholderData || narrowedTo !== wanted),
    narrowed: Boolean(query.search) || filters.some((name) => query[name]),
    show,
    clear: () => {
      setCleared(cleared + 1)
      show(Object.fromEntries(['search', ...filters].map((name) => [name, ''])))
    },
    cleared,
    href: (number) => `?${changed(url, { page: number })}`,
  }
  return list
}

/**
 * The search of the address, or the latest one that was navigated to and is not drawn yet: the router draws a navigation
 * in a transition. Fields and exports show at once what was chosen, and two filters that are chosen quickly are both in
 * the address.
 */
function useComingSearch() {
  const [url, setUrl] = useSearchParams()
  const { key, search } = useLocation()
  const [coming, setComing] = useState<string[]>([])
  const latest = useRef(coming)
  const keep = (searches: string[]) => {
    latest.current = searches
    setComing(searches)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation that is drawn has a key of its own
  useEffect(() => {
    if (latest.current.length === 0) return
    const at = latest.current.lastIndexOf(`${new URLSearchParams(search)}`)
    keep(at < 0 ? [] : latest.current.slice(at + 1))
  }, [key])
  // Back, before it was drawn, drops it.
  useEffect(() => {
    const drop = () => {
      latest.current = []
      setComing([])
    }
    window.addEventListener('popstate', drop)
    return () => window.removeEventListener('popstate', drop)
  }, [])
  const show = (change: (latest: URLSearchParams) => URLSearchParams, replace: boolean) => {
    const next = change(new URLSearchParams(latest.current.at(-1) ?? url))
    keep([...latest.current, `${next}`])
    setUrl(next, { replace, preventScrollReset: true })
  }
  const last = coming.at(-1)
  return [last === undefined ? url : new URLSearchParams(last), show] as const
}

function pageAt<Item>(answer: unknown, at: unknown): Page<Item> | undefined {
  return typeof at === 'function'
    ? at(answer)
    : (answer as Record<PropertyKey, Page<Item>>)[at as PropertyKey]
}

const paramsOf = (key: readonly unknown[] | undefined) =>
  (key?.[1] as { params?: unknown } | undefined)?.params

type Entry = { '~standard': { validate: (value: unknown) => unknown } }
const entriesOf = (endpoint: Endpoint) =>
  ((endpoint.query as { entries?: Record<string, Entry> } | undefined)?.entries ?? {}) as Record<
    string,
    Entry
  >

const filterNames = (endpoint: Endpoint) =>
  Object.keys(entriesOf(endpoint)).filter((name) => !['page', 'per_page', 'search', 'sort'].includes(name))

/** The query of the URL without values that the endpoint would refuse, so that an old link still opens the list. */
function readView(endpoint: Endpoint, url: URLSearchParams): Record<string, string> {
  const view: Record<string, string> = {}
  for (const [name, entry] of Object.entries(entriesOf(endpoint))) {
    const value = url.get(name)
    if (!value) continue
    const result = entry['~standard'].validate(value) as { issues?: unknown }
    if (!result.issues) view[name] = value
  }
  return view
}
