import type { Endpoint } from '@portal/contracts/endpoint'

type Values = Record<string, unknown>

/** `/admin/cohorts/:id` with its parameters put in; `rest` may have several segments. */
export function fillPath(path: string, params: Values = {}): string {
  return path.replace(/:([a-z_]+)/gi, (_, name: string) => {
    const segments = name === 'rest' ? String(params[name]).split('/') : [String(params[name])]
    return segments.map(encodeURIComponent).join('/')
  })
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === ''

/** `?page=2&search=…`, empty values left out. */
export function queryString(query: Values = {}): string {
  const parts = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (!isEmpty(value)) parts.append(name, String(value))
  const text = parts.toString()
  return text && `?${text}`
}

/** Multipart (Calls 1.6): lists as `name[]`, booleans as words, empty values not sent. */
export function formData(body: Values): FormData {
  const form = new FormData()
  const add = (name: string, value: unknown) => {
    if (isEmpty(value)) return
    if (value instanceof Blob) form.append(name, value, value instanceof File ? value.name : 'file')
    else form.append(name, String(value))
  }
  for (const [name, value] of Object.entries(body)) {
    if (Array.isArray(value)) for (const item of value) add(`${name}[]`, item)
    else add(name, value)
  }
  return form
}

/** The encoded body, and its content type where the browser does not set it. */
export function encodeBody(endpoint: Endpoint, body: unknown): { body?: BodyInit; type?: string } {
  if (endpoint.multipart) return { body: formData((body ?? {}) as Values) }
  if (endpoint.method === 'GET' || body === undefined) return {}
  return { body: JSON.stringify(body), type: 'application/json' }
}

/** The page's cookies. A frame without an origin has none, and asking for them throws. */
function readCookies(): string {
  try {
    return globalThis.document?.cookie ?? ''
  } catch {
    return ''
  }
}

/** The CSRF token from its readable cookie (Calls 1.2). */
export function antiForgeryToken(cookies: string = readCookies()): string | null {
  const found = /(?:^|;\s*)XSRF-TOKEN=([^;]*)/.exec(cookies)?.[1]
  return found ? decodeURIComponent(found) : null
}
