import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '@portal/registry/durable'
import * as v from 'valibot'
import type { Settings } from '../process/settings.ts'
import { idLength } from '../secrets/keys.ts'
import { sign, signatureFits } from '../secrets/seal.ts'

/** The id of the key that signed a file of the data folder: null if it carries none, undefined if there is no such file. */
export async function signerOf(dataDir: string, name: string): Promise<string | null | undefined> {
  const text = await readFile(join(dataDir, name), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const signature = Buffer.from(text.split('\n')[1] ?? '', 'base64url')
  return signature.length === 32 ? null : signature.toString('hex', 0, idLength)
}

type Place = Pick<Settings, 'dataDir' | 'secret'>

/** What a signed file has: its value, or that it is missing, or that its signature or its shape is not ours. */
export type SignedValue<T> = { kind: 'read'; value: T } | { kind: 'missing' } | { kind: 'unreadable' }

/**
 * A small file in the data folder that the portal signs, to know outside the database how far the database had come. `name`
 * is the file's, and `purpose` that of its key.
 */
export function signedFile<Schema extends v.GenericSchema>(name: string, purpose: string, schema: Schema) {
  type Value = v.InferOutput<Schema>
  const fileOf = ({ dataDir }: Place) => join(dataDir, name)

  /** Reads the file. Without a valid signature of this portal it is unreadable. */
  async function read(place: Place): Promise<SignedValue<Value>> {
    let text: string
    try {
      text = await readFile(fileOf(place), 'utf8')
    } catch (error) {
      return { kind: (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'unreadable' }
    }
    const [body = '', signature = ''] = text.split('\n')
    if (!signatureFits(place.secret, purpose, body, Buffer.from(signature, 'base64url')))
      return { kind: 'unreadable' }
    const found = v.safeParse(schema, JSON.parse(body))
    return found.success ? { kind: 'read', value: found.output } : { kind: 'unreadable' }
  }

  /** Writes the file atomically and waits until it is synced to disk. */
  async function write(place: Place, value: Value): Promise<void> {
    const body = JSON.stringify(value)
    const text = `${body}\n${sign(place.secret, purpose, body).toString('base64url')}\n`
    await writeDurably(fileOf(place), text, `${fileOf(place)}.${process.pid}`)
  }

  return { read, write }
}
