import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** A part of an archive: its text, a stream of pieces of it, or a file of the disk. */
export type ZipPart = { name: string } & ({ content: string | AsyncIterable<string> } | { path: string })

// With a fixed time of modification the same rows give the same bytes.
const options = { mtime: new Date(2026, 0, 1), mode: 0o100600, forceDosTimestamp: true, compressionLevel: 4 }

/**
 * Writes a zip file in one pass. Pieces are compressed as they arrive and are not kept in memory. A part is asked for once
 * the one before it was given, so whoever makes them may wait for the end of a stream.
 */
export async function writeZip(
  path: string,
  parts: Iterable<ZipPart> | AsyncIterable<ZipPart>,
): Promise<void> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const sources: Readable[] = []
  // yazl emits the failure of a source on the archive, so it is passed on to the output that `pipeline` waits for.
  zip.on('error', (error) => output.destroy(error))
  const add = (part: ZipPart) => {
    const { name } = part
    if ('path' in part) return zip.addFile(part.path, name, options)
    const { content } = part
    if (typeof content === 'string') return zip.addBuffer(Buffer.from(content), name, options)
    const source = Readable.from(content)
    source.on('error', (error) => output.destroy(error))
    sources.push(source)
    zip.addReadStreamLazy(name, options, (given) => given(null, source))
  }
  const addAll = async () => {
    for await (const part of parts) add(part)
    zip.end()
  }
  const added = addAll().catch((error: Error) => void output.destroy(error))
  try {
    await pipeline(output, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    // After a failure it may wait for the end of a stream that nobody reads any more.
    await added
  } finally {
    for (const source of sources) source.destroy()
  }
}
