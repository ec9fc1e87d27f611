import type { LookupFunction } from 'node:net'
import { Agent, type BodyInit, FormData, fetch } from 'undici'
import { until } from '../../portal.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds; the api compared it with its contract
export type Heard = { status: number; body: any; text: string }

/** Fields as a form with files. */
export function formOf(fields: Record<string, string | number | File>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    form.append(name, typeof value === 'number' ? String(value) : value)
  return form
}

/** How often which kind of failure was seen, such as `GET 503 database_away` or `PUT ECONNREFUSED`. */
export type Seen = Map<string, number>

const away = new Set([0, 502, 503, 504])

/**
 * A browser that reaches the portal over HTTPS, through nginx. It repeats what the portal's own client would repeat: reads, if
 * the server was away. Whoever changes something and gets no clear answer looks first, and then does it again.
 */
export class Person {
  readonly #url: string
  readonly #agent: Agent
  readonly #cookies = new Map<string, string>()
  readonly seen: Seen

  /** `address` is that of the machine, if no name server knows the name. */
  constructor(url: string, certificate: string, seen: Seen = new Map(), address?: string) {
    this.#url = url
    const lookup: LookupFunction = (_name, _options, found) =>
      found(null, [{ address: address ?? '', family: 4 }])
    // Nobody says that a machine is gone: whoever waits for its answer asks the network. Browsers do it later.
    const connect = { ca: certificate, keepAliveInitialDelay: 5_000, ...(address && { lookup }) }
    this.#agent = new Agent({ connect, allowH2: false })
    this.seen = seen
  }

  /** One call, without repeating it. A connection that failed is status 0. */
  async once(method: string, path: string, body?: object | FormData): Promise<Heard> {
    try {
      const answer = await fetch(`${this.#url}/api${path}`, {
        method,
        dispatcher: this.#agent,
        headers: this.#headers(method, body),
        ...(body && { body: (body instanceof FormData ? body : JSON.stringify(body)) as BodyInit }),
      })
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (value) this.#cookies.set(name, value)
        else this.#cookies.delete(name)
      }
      const text = await answer.text()
      const isJson = answer.headers.get('content-type')?.includes('json') && text !== ''
      const heard: Heard = { status: answer.status, body: isJson ? JSON.parse(text) : undefined, text }
      if (heard.status >= 500) this.#note(method, heard, answer.headers.get('retry-after'))
      return heard
    } catch (error) {
      const { code = 'no answer' } = ((error as Error).cause ?? error) as NodeJS.ErrnoException
      this.#count(`${method} ${code}`)
      return { status: 0, body: undefined, text: '' }
    }
  }

  /** Reads, again and again while the server is away, as a page does. */
  read(path: string, ms = 90_000): Promise<Heard> {
    return until(async () => {
      const heard = await this.once('GET', path)
      return !away.has(heard.status) && heard
    }, ms)
  }

  /** Changes something. If nothing was saved it is sent again; if that is unknown, `done` looks whether it was. */
  async change(
    method: 'POST' | 'PUT',
    path: string,
    body: object | FormData,
    done: () => Promise<boolean>,
  ): Promise<Heard | null> {
    for (;;) {
      const heard = await this.once(method, path, body)
      if (!away.has(heard.status)) return heard
      const isUnsaved = ['database_away', 'database_busy', 'store_away'].includes(heard.body?.code)
      if (!isUnsaved && (await done())) return null
    }
  }

  async signIn(email: string, password: string): Promise<this> {
    const heard = await until(async () => {
      if (away.has((await this.once('GET', '/session')).status)) return null
      const heard = await this.once('POST', '/login', { email, password })
      return !away.has(heard.status) && heard
    }, 90_000)
    if (heard.status !== 200) throw new Error(`${email} could not sign in: ${heard.status} ${heard.text}`)
    return this
  }

  /** A page or a file as the browser gets it, also from one server alone. */
  async page(path: string, origin = this.#url) {
    const headers = { cookie: this.#cookie(), accept: 'text/html' }
    const answer = await fetch(`${origin}${path}`, { dispatcher: this.#agent, headers })
    return { status: answer.status, text: await answer.text() }
  }

  /** A file as it is downloaded. */
  async download(path: string) {
    const answer = await fetch(`${this.#url}/api${path}`, {
      dispatcher: this.#agent,
      headers: this.#headers('GET', undefined),
    })
    return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
  }

  close = () => this.#agent.close()

  #cookie = () => [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')

  #headers(method: string, body: object | FormData | undefined): Record<string, string> {
    const token = [...this.#cookies].find(([name]) => name.endsWith('XSRF-TOKEN'))?.[1]
    return {
      'x-requested-with': 'XMLHttpRequest',
      accept: 'application/json',
      'accept-language': 'en',
      cookie: this.#cookie(),
      ...(method !== 'GET' && token && { 'x-xsrf-token': decodeURIComponent(token) }),
      ...(body && !(body instanceof FormData) && { 'content-type': 'application/json' }),
    }
  }

  #note(method: string, { status, body }: Heard, retryAfter: string | null) {
    const code = body?.code ?? (body ? 'without a code' : 'of nginx')
    const withoutTime = status === 503 && !retryAfter ? ' without Retry-After' : ''
    this.#count(`${method} ${status} ${code}${withoutTime}`)
  }

  #count(kind: string) {
    this.seen.set(kind, (this.seen.get(kind) ?? 0) + 1)
  }
}
