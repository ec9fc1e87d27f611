import type { Text } from './text.ts'

/** How a module's own server is called, by the portal and by `portal-module dev`. */

/** Octets of an answer, milliseconds until it is given up, and calls at once to one server from one process. */
export const backendAnswer = { octets: 1024 * 1024, ms: 10_000, atOnce: 16 }

/** Who calls a server on a developer's machine: `{id, permissions}` in JSON, encoded for a header. For development only. */
export const callerHeader = 'X-Portal-Caller'

/** What people read. `{0}` is the module's title, `{1}` the address of its team. */
export const backendWords = {
  away: {
    en: 'The server of “{0}” does not answer. Try again later. If that does not help, write to its team: {1}',
    fr: 'Le serveur de « {0} » ne répond pas. Réessayez plus tard. Si cela ne suffit pas, écrivez à son équipe : {1}',
  },
  unusable: {
    en: 'The server of “{0}” gave an answer that the portal cannot pass on. Write to its team: {1}',
    fr: 'Le serveur de « {0} » a donné une réponse que le portail ne peut pas transmettre. Écrivez à son équipe : {1}',
  },
  refused: {
    en: 'The server of this module has refused this.',
    fr: 'Le serveur de ce module a refusé cela.',
  },
  busy: {
    en: 'The server of this module is busy. Try again in a few seconds.',
    fr: 'Le serveur de ce module est occupé. Réessayez dans quelques secondes.',
  },
} satisfies Record<string, Text>

/** The path below the declared address; null for one that would leave it. */
export function pathBelow(rest: string): string | null {
  const segments = rest.split('/')
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) return null
  return `/${segments.map(encodeURIComponent).join('/')}`
}

/** What the server is told besides the token and, with a body, `content-type`. */
export const backendHeaders = (locale: string, token: string, request_id: string) => ({
  accept: 'application/json',
  'accept-language': locale,
  authorization: `Bearer ${token}`,
  'x-request-id': request_id,
})

export type BackendRefusal = {
  status: number
  /** Its own sentence. */
  message: string | null
  errors: Record<string, string>
  retryAfter: string | null
}

/** An answer that cannot be passed on. */
export class UnusableAnswer extends Error {}

const refusals = [400, 403, 404, 409, 422, 429]

/** The JSON of an answer, or a refusal with its own sentences. Throws `UnusableAnswer` for everything else. */
export function readBackendAnswer(
  status: number,
  retryAfter: unknown,
  text: string,
): { answer: unknown } | { refusal: BackendRefusal } {
  const answer = text === '' && status < 300 ? {} : readJson(text)
  if (status < 300) return { answer }
  if (!refusals.includes(status)) throw new UnusableAnswer(`It answered ${status}.`)
  const { message, errors } = Object(answer) as { message?: unknown; errors?: unknown }
  const after = /^\d{1,5}$/.test(String(retryAfter)) ? String(retryAfter) : '5'
  return {
    refusal: {
      status,
      message: typeof message === 'string' && message !== '' ? message.slice(0, 300) : null,
      errors: status === 422 ? faultsOf(errors) : {},
      retryAfter: status === 429 ? after : null,
    },
  }
}

/** Errors of fields, `{field: ["sentence"]}`; whatever has another form is left out. */
const faultsOf = (errors: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(Object(errors) as object).flatMap(([field, said]) =>
      Array.isArray(said) && typeof said[0] === 'string' ? [[field, said[0].slice(0, 300)]] : [],
    ),
  )

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UnusableAnswer('It did not answer with JSON.')
  }
}
