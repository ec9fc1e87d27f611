import { hkdfSync } from 'node:crypto'

/** A secret, from which one key per purpose is derived. What it seals or signs carries its `id`. */
export type Key = { id: string; derive(purpose: string): Buffer }

/**
 * The keys of a process. `current` seals and signs, and each of `all` opens and verifies. `oldest` reads what carries no id,
 * because it was written before keys had ids.
 */
export type KeyRing = {
  current: Key
  next: Key | undefined
  former: Key | undefined
  oldest: Key
  all: ReadonlyMap<string, Key>
}

/** The number of octets of a key's id. */
export const idLength = 4

/** Makes the key of a secret. The id follows from the secret, so nobody has to invent names. */
export function makeKey(secret: string): Key {
  const keys = new Map<string, Buffer>()
  const derive = (purpose: string) => {
    const known = keys.get(purpose)
    if (known) return known
    const key = Buffer.from(hkdfSync('sha256', secret, 'portal', purpose, 32))
    keys.set(purpose, key)
    return key
  }
  return { id: derive('key id').toString('hex', 0, idLength), derive }
}

/** Makes the keys of the current secret, and of the next and the former one while the secret is being rotated. */
export function keyRing(secrets: {
  current: string
  next?: string | undefined
  former?: string | undefined
}): KeyRing {
  const current = makeKey(secrets.current)
  const next = secrets.next === undefined ? undefined : makeKey(secrets.next)
  const former = secrets.former === undefined ? undefined : makeKey(secrets.former)
  const all = [current, next, former].filter((key) => key !== undefined)
  return { current, next, former, oldest: former ?? current, all: new Map(all.map((key) => [key.id, key])) }
}

/** Derives the key of one purpose from the current secret. */
export const deriveKey = (keys: Pick<KeyRing, 'current'>, purpose: string): Buffer =>
  keys.current.derive(purpose)
