import type { FastifyInstance, InjectOptions } from 'fastify'

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds; the contract was checked before
export type Answer = { status: number; body: any; headers: Record<string, string | undefined>; bytes: Buffer }
type Headers = Record<string, string>

/** A browser as the api sees it. It keeps cookies and sends the CSRF token and the headers of a script. */
export class Client {
  readonly cookies = new Map<string, string>()
  readonly http: FastifyInstance
  readonly base: string
  /** Headers of every call. */
  headers: Headers = {
    'x-requested-with': 'XMLHttpRequest',
    accept: 'application/json',
    'accept-language': 'en',
  }

  constructor(http: FastifyInstance, base: string) {
    this.http = http
    this.base = base
  }

  get(path: string, headers?: Headers) {
    return this.send('GET', path, undefined, headers)
  }
  post(path: string, body?: unknown, headers?: Headers) {
    return this.send('POST', path, body, headers)
  }
  put(path: string, body?: unknown, headers?: Headers) {
    return this.send('PUT', path, body, headers)
  }
  delete(path: string, headers?: Headers) {
    return this.send('DELETE', path, undefined, headers)
  }

  /** Sends a form with files as `multipart/form-data`. An array becomes one field per value. */
  async upload(path: string, fields: Record<string, string | number | File | string[]>, headers?: Headers) {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) {
      for (const one of Array.isArray(value) ? value : [value])
        form.append(name, one instanceof File ? one : String(one))
    }
    const encoded = new Response(form)
    const type = encoded.headers.get('content-type') ?? ''
    return this.send('POST', path, Buffer.from(await encoded.arrayBuffer()), {
      'content-type': type,
      ...headers,
    })
  }

  async send(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    headers: Headers = {},
  ): Promise<Answer> {
    const token = this.cookies.get('XSRF-TOKEN')
    const options: InjectOptions = {
      method,
      url: `${this.base}${path}`,
      headers: {
        ...this.headers,
        ...(method !== 'GET' && token ? { 'x-xsrf-token': decodeURIComponent(token) } : {}),
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: body as Buffer }),
    }
    const answer = await this.http.inject(options)
    for (const cookie of answer.cookies) {
      if (cookie.value === '') this.cookies.delete(cookie.name)
      else this.cookies.set(cookie.name, cookie.value)
    }
    const json = String(answer.headers['content-type'] ?? '').includes('json') && answer.body !== ''
    return {
      status: answer.statusCode,
      body: json ? JSON.parse(answer.body) : undefined,
      headers: answer.headers as Answer['headers'],
      bytes: answer.rawPayload,
    }
  }
}
