import type { Endpoint } from '@portal/contracts/endpoint'
import { moduleHeader } from '@portal/contracts/modules'
import type { FastifyRequest } from 'fastify'
import type { Actor } from './session.ts'

/** The build of an isolated module for which a call is made. */
export type Caller = { name: string; build: string }

/** A call as it is checked before its body is read. */
export type AskedCall = { endpoint: Endpoint; params: Readonly<Record<string, string>> }

/** Throws 403 unless this build may make this call for this person. `null` is a header that names none. */
export type CallerCheck = (caller: Caller | null, visitor: Actor | null, call: AskedCall) => Promise<void>

/** The build that a call names as its caller: undefined for a call of the portal itself, null if the header is not in order. */
export function callerOf({ headers }: FastifyRequest): Caller | null | undefined {
  const header = headers[moduleHeader]
  if (header === undefined) return undefined
  const [, name, build] = /^(mfe-[a-z][a-z0-9-]{0,60})\/([a-f0-9]{12})$/.exec(String(header)) ?? []
  return name && build ? { name, build } : null
}
