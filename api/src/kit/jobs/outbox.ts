import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Bucket } from '@portal/registry/bucket'
import { syncFolder, writeDurably } from '@portal/registry/durable'
import { bucketCalls } from '../files/bucket-calls.ts'
import { filesOf, hashHeader, isOther } from '../files/bucket-list.ts'
import { fileLost } from '../http/refusals.ts'

/** A letter in the outbox, such as `2026-11-24T10-00-00-000Z-12.eml`. */
export type OutboxLetter = { name: string; keptAt: Date }

/** Letters that were written because there is no mail server: beside the other files, on this disk or in the bucket (decision 169). */
export type Outbox = {
  /** Writes a letter in one step. Under a name that is there already it takes the place of the other one. */
  write(name: string, text: string): Promise<void>
  read(name: string): Promise<string>
  remove(name: string): Promise<void>
  list(): AsyncIterable<OutboxLetter>
}

const isLetter = (name: string) => /^[^./][^/]*\.eml$/.test(name)

/** Files that only their owner can read (Messages 4.2). */
export function diskOutbox(folder: string): Outbox {
  return {
    async write(name, text) {
      const made = await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeDurably(join(folder, name), text, join(folder, `.${name}`))
      if (made) await syncFolder(dirname(folder))
    },
    read: (name) =>
      readFile(join(folder, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? fileLost(error) : error
      }),
    remove: (name) => rm(join(folder, name), { force: true }),
    async *list() {
      for (const name of await readdir(folder).catch(() => [])) {
        // A letter may be removed while the folder is read.
        const found = isLetter(name) && (await stat(join(folder, name)).catch(() => undefined))
        if (found) yield { name, keptAt: found.mtime }
      }
    },
  }
}

const prefix = 'outbox/'

/** Objects below `outbox/`, each with the SHA-256 of its content as every file of the bucket. */
export function bucketOutbox(bucket: Bucket): Outbox {
  const { call } = bucketCalls(bucket)
  return {
    async write(name, text) {
      const sha256 = createHash('sha256').update(text).digest('hex')
      await call('PUT', `${prefix}${name}`, { body: text, headers: { [hashHeader]: sha256 } })
    },
    async read(name) {
      const answer = await call('GET', `${prefix}${name}`)
      if (!answer) throw fileLost(new Error(`The bucket has no ${prefix}${name}`))
      const text = await answer.text()
      if (isOther(answer, createHash('sha256').update(text).digest('hex')))
        throw fileLost(new Error(`The content of ${prefix}${name} in the bucket is not what was written`))
      return text
    },
    async remove(name) {
      await call('DELETE', `${prefix}${name}`)
    },
    async *list() {
      for await (const { key, keptAt } of filesOf(call, prefix)) {
        const name = key.slice(prefix.length)
        if (isLetter(name)) yield { name, keptAt }
      }
    },
  }
}
