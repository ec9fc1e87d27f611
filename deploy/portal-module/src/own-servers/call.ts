import { randomUUID } from 'node:crypto'
import {
  backendAnswer,
  backendHeaders,
  backendWords,
  pathBelow,
  readBackendAnswer,
  UnusableAnswer,
} from '@portal/contracts/backend-answers'
import { addressLimit, backendLimit, jsonLimit } from '@portal/contracts/limits'
import { longAddressText, tooLargeText } from '@portal/contracts/over-limit'
import { fill, type Locale, type Text } from '@portal/contracts/sentences'
import type { ModuleBuild } from '@portal/sdk/manifest'
import { addressesOf, type OwnAddresses } from './addresses.ts'
import type { Caller, makeSigner } from './token.ts'

/** A call of a page to a server of its module. `rest` is the path below the server's address. */
export type OwnCall = {
  backend: string
  rest: string
  search: string
  method: string
  body: string
  locale: Locale
  caller: Caller
}

export type OwnAnswer = { status: number; body: unknown; headers?: Record<string, string> }

type Options = {
  manifest: Pick<ModuleBuild, 'name' | 'title' | 'owner' | 'permissions' | 'backends'>
  named: OwnAddresses
  signer: Awaited<ReturnType<typeof makeSigner>>
}

/**
 * Passes a call on to a server on this machine as the portal does: the same limits, headers, token and refusals. Answers null if
 * the manifest has no such server here.
 */
export async function callOwn(
  { manifest, named, signer }: Options,
  call: OwnCall,
): Promise<OwnAnswer | null> {
  const { backend, method, locale, search } = call
  const url = addressesOf(manifest, named).get(backend)
  const declared = manifest.backends?.find(({ name }) => name === backend)
  if (!url || !declared) return null
  const say = (status: number, text: Text, ...parts: string[]) => ({
    status,
    body: { message: fill(text, locale, ...parts) },
  })
  const below = pathBelow(call.rest)
  if (below === null) return { status: 404, body: {} }
  const asked = `/modules/${manifest.name}/backend/${backend}${below}${search}`
  if (asked.length > addressLimit) return say(414, longAddressText)
  const granted = new Set(call.caller.permissions)
  const any = [method === 'GET' ? declared.read : declared.write].flat()
  if (!any.some((name) => granted.has(name))) return say(403, forbidden)
  const limit = method === 'DELETE' ? jsonLimit : backendLimit
  if (Buffer.byteLength(call.body) > limit) return say(413, tooLargeText(limit))
  const body = method === 'POST' || method === 'PUT' ? objectIn(call.body) : null
  if (body === undefined) return say(422, notJson)
  const now = underWay.get(backend) ?? 0
  if (now >= backendAnswer.atOnce) return { ...say(503, backendWords.busy), headers: { 'retry-after': '2' } }
  underWay.set(backend, now + 1)
  try {
    return await ask(signer, { ...call, url: url + below + search, path: below + search, body }, manifest)
  } catch (fault) {
    const words = fault instanceof UnusableAnswer ? backendWords.unusable : backendWords.away
    const timedOut = fault instanceof Error && fault.name === 'TimeoutError'
    return say(timedOut ? 504 : 502, words, manifest.title[locale], manifest.owner.contact)
  } finally {
    underWay.set(backend, (underWay.get(backend) ?? 1) - 1)
  }
}

const underWay = new Map<string, number>()

/** The sentences of the portal. */
const forbidden: Text = {
  en: 'You do not have the permission for this.',
  fr: 'Vous n’avez pas la permission de le faire.',
}
const notJson: Text = {
  en: 'The request is not readable JSON.',
  fr: 'La demande n’est pas du JSON lisible.',
}

/** A body as the portal writes it again; undefined for one that is no JSON object. */
function objectIn(text: string): string | undefined {
  try {
    const value = JSON.parse(text || '{}')
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? JSON.stringify(value)
      : undefined
  } catch {
    return undefined
  }
}

type Asked = Omit<OwnCall, 'body'> & { url: string; path: string; body: string | null }

async function ask(
  signer: Options['signer'],
  { url, path, body, method, caller, backend, locale }: Asked,
  { name, permissions, backends = [] }: Options['manifest'],
): Promise<OwnAnswer> {
  const request_id = randomUUID()
  const known = new Set([
    ...permissions.map((each) => each.name),
    ...backends.filter((each) => each.name === backend).flatMap(({ read, write }) => [read, write].flat()),
  ])
  const visible = { ...caller, permissions: caller.permissions.filter((each) => known.has(each)).sort() }
  const audience = `${name}/${backend}`
  const token = await signer.sign({ audience, method, path, body, caller: visible }, request_id)
  const answer = await fetch(url, {
    ...{ method, body, redirect: 'manual' },
    signal: AbortSignal.timeout(backendAnswer.ms),
    headers: {
      ...backendHeaders(locale, token, request_id),
      ...(body !== null && { 'content-type': 'application/json' }),
    },
  })
  const text = await textOf(answer)
  const read = readBackendAnswer(answer.status, answer.headers.get('retry-after'), text)
  if ('answer' in read) return { status: 200, body: read.answer }
  const { status, message, errors, retryAfter } = read.refusal
  return {
    status,
    body: {
      message: message ?? backendWords.refused[locale],
      errors: Object.fromEntries(Object.entries(errors).map(([field, said]) => [field, [said]])),
    },
    ...(retryAfter !== null && { headers: { 'retry-after': retryAfter } }),
  }
}

/** The text of an answer. More than the portal reads is no answer. */
async function textOf(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let octets = 0
  for await (const chunk of answer.body ?? []) {
    octets += chunk.length
    if (octets > backendAnswer.octets) throw new Error('It answered too much.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
