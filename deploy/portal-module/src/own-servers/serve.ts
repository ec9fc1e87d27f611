import type { IncomingMessage, ServerResponse } from 'node:http'
import { callerHeader } from '@portal/contracts/backend-answers'
import { backendLimit } from '@portal/contracts/limits'
import type { ModuleBuild } from '@portal/sdk/manifest'
import * as v from 'valibot'
import { addressesOf, type OwnAddresses, refuseUnknown } from './addresses.ts'
import { callOwn, type OwnAnswer } from './call.ts'
import { type Caller, makeSigner } from './token.ts'

type Options = {
  /** The build that is served now. */
  record: () => ModuleBuild
  named: OwnAddresses
  /** The address of this command, which tokens name as the portal that vouches. */
  address: string
}

const Calling = v.object({ id: v.number(), permissions: v.array(v.string()) })

/** Where servers find the public key, at the same path as at a portal. */
const keysPath = '/api/modules/keys.json'

/** Stands for the portal between a module's pages and its own servers on this machine. */
export async function ownServers({ record, named, address }: Options) {
  refuseUnknown(record(), named)
  const signer = await makeSigner(address)
  const names = () => [...addressesOf(record(), named).keys()]

  /** What a call asks for: the keys, or a server that is here. Null for every other call. */
  function find(url = '') {
    const [path = '', query] = url.split('?')
    if (path === keysPath && names().length > 0) return { keys: true as const }
    const [, backend = '', rest = ''] =
      new RegExp(`^/api/modules/${record().name}/backend/([^/]+)/(.*)$`).exec(path) ?? []
    if (!names().includes(backend)) return null
    return { backend, rest: decoded(rest), search: query === undefined ? '' : `?${query}` }
  }

  async function answerTo(
    request: IncomingMessage,
    callerOf: () => Promise<Caller | null>,
  ): Promise<OwnAnswer> {
    const found = find(request.url)
    if (!found) return { status: 404, body: {} }
    if ('keys' in found) return { status: 200, body: signer.keys }
    const caller = await callerOf()
    if (!caller) return { status: 401, body: {} }
    const locale = /^fr/i.test(request.headers['accept-language'] ?? '') ? 'fr' : 'en'
    const body = await bodyOf(request)
    const call = { ...found, method: request.method ?? 'GET', body, locale, caller } as const
    return (await callOwn({ manifest: record(), named, signer }, call)) ?? { status: 404, body: {} }
  }

  return {
    names,
    has: ({ url }: IncomingMessage) => find(url) !== null,
    /** Answers a call. By default the page says who makes it. */
    answer(request: IncomingMessage, reply: ServerResponse, callerOf = async () => callerIn(request)): void {
      void answerTo(request, callerOf)
        .catch((fault: Error): OwnAnswer => ({ status: 500, body: { message: fault.message } }))
        .then(({ status, body, headers }) =>
          reply
            .writeHead(status, {
              ...headers,
              'content-type': 'application/json',
              'cache-control': 'no-store',
            })
            .end(JSON.stringify(body)),
        )
    },
  }
}
export type OwnServers = Awaited<ReturnType<typeof ownServers>>

/** Whether a call is made by a page of this machine's own, at the address that it asks. */
export const isOfOwnPage = ({ headers: { host = '', origin } }: IncomingMessage): boolean =>
  /^localhost(:\d+)?$/.test(host) && (origin === undefined || origin === `http://${host}`)

/** Who calls, as the page says. The command believes it: everything here is on the developer's own machine. */
function callerIn({ headers }: IncomingMessage): Caller | null {
  try {
    const given = headers[callerHeader.toLowerCase()]
    return v.parse(Calling, JSON.parse(decodeURIComponent(String(given))))
  } catch {
    return null
  }
}

/** A path as the portal reads it; one that cannot be read leads nowhere. */
function decoded(rest: string): string {
  try {
    return decodeURIComponent(rest)
  } catch {
    return '..'
  }
}

/** The body of a call, and a little more than the limit of one that is too large. */
async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let octets = 0
  for await (const chunk of request) {
    octets += (chunk as Buffer).length
    if (octets <= 2 * backendLimit) chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString()
}
