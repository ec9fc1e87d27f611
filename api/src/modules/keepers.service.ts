import type { Call } from '../kit/serve.ts'
import { admitToken } from './module-tokens.service.ts'
import { type Keying, keyingOf } from './record-keys.service.ts'
import type { Keeper } from './records.service.ts'
import { openShelf, type Shelf } from './shelves.ts'

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
