import { randomUUID } from 'node:crypto'
import { RegistryRefusal } from './refusals.ts'
import type { Store } from './store.ts'

const file = 'store-id'

/** The id of a store, which tells two stores apart. The first call makes it. */
export async function storeId(store: Store): Promise<string> {
  const known = await store.read(file)
  if (known) return known.toString()
  await store.create(file, randomUUID())
  return (await store.read(file))?.toString() ?? ''
}

/** The store of the portal at an address; null if no portal answers there, or one that does not tell. */
async function storeOfPortal(address: string): Promise<string | null> {
  try {
    const answer = await fetch(new URL('/registry/store', address), { signal: AbortSignal.timeout(3_000) })
    const { id } = (await answer.json()) as { id?: unknown }
    return answer.ok && typeof id === 'string' ? id : null
  } catch {
    return null
  }
}

/** Throws if a portal runs at the address and uses another store: what is written to this one would have no effect. */
export async function refuseOtherStore(store: Store, place: string, address: string): Promise<void> {
  const theirs = await storeOfPortal(address)
  // The portal has made the id if this is its store. Here it is only read, so that a wrong folder stays empty.
  if (theirs === null || theirs === (await store.read(file))?.toString()) return
  throw new RegistryRefusal(
    409,
    `The portal at ${address} uses another store than ${place}: nothing was done. Set PORTAL_DATA_DIR or PORTAL_REGISTRY_DIR as that portal has it. If you mean another portal, set PORTAL_URL to its address; if you mean this store, add --store ${place}.`,
  )
}
