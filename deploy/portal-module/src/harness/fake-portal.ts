import { type Client, createClient } from '@portal/client/client'
import { fillPath, queryString } from '@portal/client/request'
import type { Endpoint } from '@portal/contracts/endpoint'
import type { DeclaredCollection } from '@portal/contracts/record-fields'
import { activate, type Locale } from '@portal/i18n/locale'
import { type Host, i18n, QueryClient } from '@portal/sdk'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { fakeEvents, type Published } from './events.ts'
import { samplePicture, sampleType } from './pictures.ts'
import { type FakeAnswer, type FakeCall, fakeRecords } from './records.ts'
import { sampleOf } from './sample.ts'

/** Responses that a test defines, by method and path: `{'GET /admin/schools/list': () => ({ body: … })}`. */
export type Answers = Record<string, (call: FakeCall) => FakeAnswer>

/** Options of a fake portal. */
export type FakePortalOptions = {
  module?: Host['module']
  locale?: Locale
  /** The permissions of the person; all by default. */
  permissions?: readonly string[]
  answers?: Answers
  /** The switches that the person has. */
  flags?: Readonly<Record<string, boolean>>
  /** The settings of the module. */
  settings?: Host['settings']
  /** The events of `portal.module.json`, to check those that are published. */
  events?: ModuleBuild['events']
  /** The collections of `portal.module.json`, to check the records that are saved. */
  collections?: readonly DeclaredCollection[]
  /** Fills each collection with one sample record, so that lists have rows. */
  sampled?: boolean
}

/** A fake portal around one module. It answers every call from `answers`, from its records, or with a sample of the contract. */
export type FakePortal = {
  host: Host
  /** Every call that was made, in order. */
  calls: FakeCall[]
  /** Every message that was shown, and every address that was navigated to. */
  said: string[]
  speak(locale: Locale): void
  /** Every event that the module has published, in order. */
  published: Published[]
  /** Lets the module hear an event of another one. */
  tell(event: string, payload: Record<string, unknown>): void
}

const user = { id: 1, first_name: 'Awa', last_name: 'Keïta', email: 'awa@portal.example', roles: [] }

/** Makes a fake portal without server and database. */
export function fakePortal(options: FakePortalOptions = {}): FakePortal {
  const { permissions, answers = {}, sampled = false } = options
  const calls: FakeCall[] = []
  const said: string[] = []
  const records = fakeRecords(user, options.collections)
  // The client calls `fetch` synchronously, so this is the endpoint of the call that `respond` answers.
  let asked: Endpoint | undefined
  let locale: Locale = options.locale ?? 'en'

  function respond(call: FakeCall): FakeAnswer {
    const own = answers[`${call.method} ${call.path}`]?.(call)
    if (own) return own
    const promised = { body: asked ? sampleOf(asked.answer) : {} }
    if (sampled && call.method === 'GET') return promised
    return records.answer(call) ?? promised
  }

  const real = createClient({
    base: '',
    locale: () => locale,
    // Uploads come here, too, and not into the network.
    uploadsByFetch: () => true,
    fetch: async (url, init) => {
      const { pathname, searchParams } = new URL(String(url), 'http://portal.invalid')
      const body = typeof init?.body === 'string' ? JSON.parse(init.body) : (init?.body ?? null)
      const call = {
        method: init?.method ?? 'GET',
        path: pathname,
        query: Object.fromEntries(searchParams),
        body,
      }
      calls.push(call)
      const { status = 200, body: content } = respond(call)
      return new Response(JSON.stringify(content), {
        status,
        headers: { 'content-type': 'application/json' },
      })
    },
  })
  const client: Client = {
    call: (endpoint, ...rest) => {
      asked = endpoint
      return real.call(endpoint, ...rest)
    },
    file: async (endpoint, ...rest) => {
      const args = (rest[0] ?? {}) as { params?: Record<string, unknown>; query?: Record<string, unknown> }
      const path = fillPath(endpoint.path, args.params) + queryString(args.query)
      calls.push({ method: endpoint.method, path, query: {}, body: null })
      const isPicture = endpoint.path.endsWith('/pictures/:picture')
      const blob = isPicture ? new Blob([samplePicture], { type: sampleType }) : new Blob([''])
      return { ready: true, blob, name: 'file' }
    },
  }
  const module = options.module ?? { name: 'mfe-module', version: '0.0.0', build: '000000000000' }
  const { events, published, tell } = fakeEvents({ name: module.name, events: options.events })
  const note = (title: string) => said.push(title)
  const host: Host = {
    module,
    client,
    session: {
      user,
      permissions: [...(permissions ?? [])],
      get locale() {
        return locale
      },
      settings: { demo: true, four_eyes: true },
    },
    flags: options.flags ?? {},
    settings: options.settings ?? {},
    events,
    can: (wanted) => !permissions || [wanted].flat().some((each) => permissions.includes(each)),
    queryClient: new QueryClient({ defaultOptions: { queries: { retry: false } } }),
    i18n,
    notify: { good: note, bad: note, info: note },
    navigate: (to) => said.push(`to ${to}`),
    registerDirty: () => () => undefined,
  }
  return {
    host,
    calls,
    said,
    published,
    tell,
    speak: (next) => {
      locale = next
      activate(next)
    },
  }
}
