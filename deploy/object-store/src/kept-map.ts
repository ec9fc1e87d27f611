import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Stored } from './stored.ts'

type Head = { key: string; etag: string; meta: Record<string, string>; at: string }

function read(file: string): [string, Stored] {
  const bytes = readFileSync(file)
  const end = bytes.indexOf('\n')
  const { key, etag, meta, at } = JSON.parse(bytes.toString('utf8', 0, end)) as Head
  return [key, { content: bytes.subarray(end + 1), etag, meta, at: new Date(at) }]
}

/** The objects of a bucket, also as files of a folder: a line of JSON, then the content. An object is whole or not there. */
class KeptMap extends Map<string, Stored> {
  #folder: string | undefined

  constructor(folder: string) {
    super()
    for (const name of readdirSync(folder)) {
      if (name.endsWith('.part')) continue
      super.set(...read(join(folder, name)))
    }
    this.#folder = folder
  }

  #fileOf(key: string) {
    return join(this.#folder ?? '', createHash('sha256').update(key).digest('hex'))
  }

  override set(key: string, stored: Stored): this {
    const { content, etag, meta, at } = stored
    const head: Head = { key, etag, meta, at: at.toISOString() }
    const file = this.#fileOf(key)
    writeFileSync(`${file}.part`, Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), content]))
    renameSync(`${file}.part`, file)
    return super.set(key, stored)
  }

  override delete(key: string): boolean {
    rmSync(this.#fileOf(key), { force: true })
    return super.delete(key)
  }
}

export function keptMap(folder: string, bucket: string): Map<string, Stored> {
  const own = join(folder, bucket)
  mkdirSync(own, { recursive: true })
  return new KeptMap(own)
}
