import type { Call } from '../kit/serve.ts'
import { admitToken } from './module-tokens.service.ts'
import type { Keying, Shelf } from './record-keys.service.ts'
import { admitTo, type Keeper, openShelf } from './records.service.ts'

/** Checks that a person, or a server with its token, may use this collection. Throws 403 or 404. */
export async function admitted(
  call: Pick<Call, 'db' | 'registry' | 'visitor' | 'author' | 'machine'>,
  shelf: Shelf,
  act: 'read' | 'write',
): Promise<{ keying: Keying; by: Keeper }> {
  const { db, registry, visitor, author, machine } = call
  if (visitor) {
    const keying = await admitTo(registry, visitor, shelf, act)
    return { keying, by: { author: visitor, user_id: visitor.id, token: null } }
  }
  const { user_id, ...token } = await admitToken(db, machine, shelf, act)
  const { keying } = await openShelf(registry, shelf)
  return { keying, by: { author, user_id, token } }
}
