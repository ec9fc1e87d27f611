import type { Check as GateCheck } from '@portal/sdk/gates/candidate'
import { authorize, type Key, readKey } from './keys.ts'
import { Refusal } from './refusal.ts'
import type { Place } from './settings.ts'

/** One gate's finding. What only warns closes no gate. */
export type Check = GateCheck & { warns?: boolean }

/** An error response of a portal. */
export class PortalRefusal extends Refusal {
  readonly status: number
  readonly body: { message?: string; checks?: Check[]; generation?: number }

  constructor(status: number, body: PortalRefusal['body']) {
    super(body.message ?? `The portal answered ${status}.`)
    this.status = status
    this.body = body
  }
}

/** The body of a response with its status. */
type Answered<Answer> = Answer & { status: number }

/** The client of a portal's registry. */
export type Portal = ReturnType<typeof connect>

/** Makes the client of a portal's registry. Calls that change something are signed with the key. */
export function connect(address: string, key?: () => Key) {
  async function call<Answer>(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: unknown,
    signed = false,
  ): Promise<Answered<Answer>> {
    const content = Buffer.isBuffer(body) ? body : body === undefined ? '' : JSON.stringify(body)
    const headers: Record<string, string> = { Accept: 'application/json' }
    if (content.length)
      headers['Content-Type'] = Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/json'
    if ((method !== 'GET' || signed) && key)
      headers.Authorization = await authorize(key(), { method, path, body: content })
    const answer = await fetch(address + path, {
      method,
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(60_000),
      ...(method !== 'GET' && { body: new Uint8Array(Buffer.from(content)) }),
    }).catch((fault: Error) => {
      throw new Refusal(
        `The portal at ${address} does not answer (${(fault.cause as Error | undefined)?.message ?? fault.message}). Nothing was changed: check the address and the connection, then try again.`,
      )
    })
    const text = await answer.text()
    let found: unknown
    try {
      found = JSON.parse(text)
    } catch {
      throw new Refusal(
        `${address} answered ${answer.status} to ${path}, and not as a portal does: is this its address?`,
      )
    }
    if (!answer.ok) throw new PortalRefusal(answer.status, found as PortalRefusal['body'])
    return { ...(found as Answer), status: answer.status }
  }

  return {
    address,
    get: <Answer>(path: string) => call<Answer>('GET', path),
    /** Reads what only the module's team may read. */
    getSigned: <Answer>(path: string) => call<Answer>('GET', path, undefined, true),
    /** Reads what anybody may read; whoever has a key also reads names. */
    getNamed: <Answer>(path: string) => call<Answer>('GET', path, undefined, key !== undefined),
    post: <Answer>(path: string, body: unknown = {}) => call<Answer>('POST', path, body),
    put: <Answer>(path: string, body: Buffer) => call<Answer>('PUT', path, body),
  }
}

const orNot = <T>(make: () => T): T | undefined => {
  try {
    return make()
  } catch {
    return undefined
  }
}

/** The client of the portal that is named, if one is. With a key the portal also says whom things belong to. */
export function connectOrNot(place: Place): Portal | undefined {
  const key = orNot(() => readKey(place.key()))
  return orNot(() => connect(place.portal(), key && (() => key)))
}
