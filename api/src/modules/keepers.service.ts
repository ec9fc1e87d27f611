import type { FastifyRequest } from 'fastify'
import type { Db } from '../kit/database/db.ts'
import { readBearer } from '../kit/http/bearer.ts'
import type { Call } from '../kit/http/serve.ts'
import { say } from './messages.ts'
import { admitToken } from './module-tokens.service.ts'
import { type Keying, keyingOf } from './record-keys.service.ts'
import type { Keeper } from './records.service.ts'
import { type SandboxShelf, sandboxOf } from './sandboxes.service.ts'
import { openShelf, type Shelf } from './shelves.ts'

/** Lets servers make a call too, with a token of the module. */
export const orServer = (db: Db) => ({
  orServer: (request: FastifyRequest) => readBearer(db, request, 'module_tokens', say.token),
})

/** A collection as whoever calls may use it: that of a sandbox, for a browser with the module from a developer's machine, or the live one. */
export type Opened = { sandbox: SandboxShelf } | { sandbox: null; keying: Keying; by: Keeper }

/** Opens a collection for a person, or for a server with its token. Throws 403 or 404. */
export async function openFor(call: Call, shelf: Shelf, act: 'read' | 'write'): Promise<Opened> {
  const sandbox = await sandboxOf(call, shelf, act)
  return sandbox ? { sandbox } : { sandbox: null, ...(await admitted(call, shelf, act)) }
}

/** Checks that a person, or a server with its token, may use this collection. Throws 403 or 404. */
export async function admitted(
  call: Pick<Call, 'db' | 'registry' | 'visitor' | 'author' | 'machine'>,
  shelf: Shelf,
  act: 'read' | 'write',
): Promise<{ keying: Keying; by: Keeper }> {
  const { db, registry, visitor, author, machine } = call
  const token = visitor ? null : await admitToken(db, machine, shelf, act)
  const { builds, asking } = await openShelf(registry, visitor, shelf, act)
  const keying = keyingOf(builds, asking)
  if (visitor || !token)
    return { keying, by: { author, person: visitor, user_id: visitor?.id ?? 0, token: null } }
  const { user_id, ...named } = token
  return { keying, by: { author, person: null, user_id, token: named } }
}
