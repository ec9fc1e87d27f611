import { isIP } from 'node:net'
import {
  backendAnswer,
  backendHeaders,
  backendWords,
  pathBelow,
  readBackendAnswer,
  UnusableAnswer,
} from '@portal/contracts/backend-answers'
import type { PortalRegistry } from '@portal/registry'
import { Agent, request } from 'undici'
import { audit } from '../kit/audit/audit.ts'
import { transaction } from '../kit/database/db.ts'
import { isPublicAddress, publicLookup } from '../kit/http/public-address.ts'
import { forbidden, notFound, Refusal } from '../kit/http/refusals.ts'
import type { Actor } from '../kit/http/session.ts'
import type { Context } from '../kit/process/context.ts'
import { askingBuild, liveModule, runningBuilds } from './live-modules.ts'
import { say } from './messages.ts'
import { hashOfBody, vouch } from './vouchers.service.ts'

/** A call of a module to one of its team's servers. `search` is the query as it came, with its `?`, or empty. */
export type BackendCall = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  module: string
  backend: string
  rest: string
  search: string
  body?: Record<string, unknown>
  locale: string
  request_id: string
}

const { atOnce } = backendAnswer
const options = { pipelining: 1, connections: atOnce, maxResponseSize: backendAnswer.octets }

/** Refuses internal addresses at every connection; the other one serves the hosts that the operator has listed. */
const outside = new Agent({ ...options, connect: { timeout: 5000, lookup: publicLookup } })
const listed = new Agent({ ...options, connect: { timeout: 5000 } })

const underWay = new Map<string, number>()

/**
 * Passes a call on to a server that a live module declares, with a token that vouches for the person. Returns its JSON.
 * Throws 404 and 403 like the records of a module, what the server refuses with its own sentence, and otherwise 502, 503
 * while too many calls are under way, or 504.
 */
export async function callBackend(context: Context, actor: Actor, call: BackendCall): Promise<unknown> {
  const { title, contact, url, permissions } = await declaredOrRefuse(context.registry, actor, call)
  const address = addressOf(url, call)
  const at = new URL(address)
  const isListed = [at.host, at.hostname].some((host) => context.settings.backendHosts.includes(host))
  if (!isListed && !isOutside(at)) throw new Refusal(502, say.backendAddress)
  const body = call.body === undefined ? null : JSON.stringify(call.body)
  const { module, backend, method, request_id } = call
  const token = await vouch(context.settings, actor, {
    ...{ module, backend, method, request_id, permissions },
    path: address.slice(url.length),
    body: body && hashOfBody(body),
  })
  if (method !== 'GET') await noteSending(context, actor, call)
  const release = occupy(`${module}/${backend}`)
  try {
    const answer = await request(address, {
      method,
      body,
      dispatcher: isListed ? listed : outside,
      signal: AbortSignal.timeout(context.settings.backendMs),
      headers: {
        ...backendHeaders(call.locale, token, request_id),
        ...(body !== null && { 'content-type': 'application/json' }),
      },
    })
    return passOn(answer.statusCode, answer.headers, await answer.body.text())
  } catch (error) {
    if (error instanceof Refusal) throw error
    context.log.warn({ err: error, module, backend }, 'a server of a module did not answer')
    const timedOut = error instanceof Error && error.name === 'TimeoutError'
    throw new Refusal(
      timedOut ? 504 : 502,
      error instanceof UnusableAnswer ? backendWords.unusable : backendWords.away,
      {
        parts: [title, contact],
      },
    )
  } finally {
    release()
  }
}

/** Whether the address may be called. Names are checked at every connection. An IP address is never looked up, so it is checked here. */
const isOutside = ({ protocol, hostname }: URL) =>
  protocol === 'https:' && (!isIP(hostname) || isPublicAddress(hostname))

/**
 * The server as the build declares it that asks, and what the person may of the permissions that this build knows. A build
 * that is no longer in use calls the server of the live one. The live build's permissions count as well, so that an older one
 * opens nothing that was closed since.
 */
async function declaredOrRefuse(
  registry: PortalRegistry,
  actor: Actor,
  { module, backend, method, locale }: BackendCall,
) {
  const entry = await liveModule(registry, module)
  if (!entry || entry.disabled || entry.withheld) throw notFound()
  const asks = await askingBuild(registry, actor, entry)
  const build = runningBuilds(entry).find((each) => each.build === asks?.build) ?? entry
  const serverOf = ({ backends }: typeof build) => backends?.find(({ name }) => name === backend)
  const declared = serverOf(build)
  if (!declared) throw notFound()
  const granted = new Set<string>(actor.permissions)
  for (const { read, write } of [declared, serverOf(entry) ?? declared]) {
    const any = [method === 'GET' ? read : write].flat()
    if (!any.some((name) => granted.has(name))) throw forbidden()
  }
  const asked = new Set([
    ...build.permissions.map(({ name }) => name),
    ...[declared.read, declared.write].flat(),
  ])
  return {
    url: declared.url,
    title: locale === 'fr' ? build.title.fr : build.title.en,
    contact: build.owner.contact,
    permissions: [...asked].filter((name) => granted.has(name)).sort(),
  }
}

/** The address below the declared one. Throws 404 for a path that would leave it. */
function addressOf(url: string, { rest, search }: BackendCall): string {
  const path = pathBelow(rest)
  if (path === null) throw notFound()
  return url + path + search
}

/** Writes down that something is sent, before it is: the portal cannot know what became of a lost answer. */
async function noteSending({ db }: Context, actor: Actor, { module, backend, method, rest }: BackendCall) {
  await transaction(db, (tx) =>
    audit(tx, actor, 'sent to its server', 'module', null, { new: { module, backend, method, path: rest } }),
  )
}

function occupy(key: string): () => void {
  const now = underWay.get(key) ?? 0
  if (now >= atOnce)
    throw new Refusal(503, backendWords.busy, { code: 'server_busy', headers: { 'retry-after': '2' } })
  underWay.set(key, now + 1)
  return () => {
    const left = (underWay.get(key) ?? 1) - 1
    if (left > 0) underWay.set(key, left)
    else underWay.delete(key)
  }
}

/** The server's JSON, or its refusal with its own sentence. */
function passOn(status: number, headers: Record<string, unknown>, text: string): unknown {
  const read = readBackendAnswer(status, headers['retry-after'], text)
  if ('answer' in read) return read.answer
  const { message, errors, retryAfter } = read.refusal
  const inBoth = (words: string) => ({ en: words, fr: words })
  throw new Refusal(read.refusal.status, message === null ? backendWords.refused : inBoth(message), {
    errors: Object.fromEntries(Object.entries(errors).map(([field, words]) => [field, [inBoth(words)]])),
    headers: retryAfter === null ? {} : { 'retry-after': retryAfter },
  })
}
