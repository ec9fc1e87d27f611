import * as v from 'valibot'
import type { Store } from './store.ts'

/**
 * Reads a JSON file of the store. One that a bad disk has damaged counts as missing, so that it takes nothing with it but what it
 * says: a page without one module is served all the same.
 */
export async function readStored<Schema extends v.GenericSchema>(
  store: Pick<Store, 'read'>,
  key: string,
  schema: Schema,
): Promise<v.InferOutput<Schema> | null> {
  const data = await store.read(key)
  if (!data) return null
  let value: unknown
  try {
    value = JSON.parse(data.toString())
  } catch {
    return null
  }
  const found = v.safeParse(schema, value)
  return found.success ? found.output : null
}
