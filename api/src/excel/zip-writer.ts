import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** A part of an archive: a text, or its pieces as they are made. */
export type ZipPart = { name: string; content: string | AsyncIterable<string> }

// The same rows make the same bytes: files carry no moment of their own.
const options = { mtime: new Date(2026, 0, 1), mode: 0o100600, forceDosTimestamp: true, compressionLevel: 4 }

/** Writes a zip file from beginning to end; pieces are packed while they are made, and never held. */
export async function writeZip(path: string, parts: readonly ZipPart[]): Promise<void> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const sources: Readable[] = []
  // yazl reports the failure of a source on the archive; what waits for the output has to hear of it too.
  zip.on('error', (error) => output.destroy(error))
  for (const { name, content } of parts) {
    if (typeof content === 'string') {
      zip.addBuffer(Buffer.from(content), name, options)
      continue
    }
    const source = Readable.from(content)
    source.on('error', (error) => output.destroy(error))
    sources.push(source)
    zip.addReadStreamLazy(name, options, (given) => given(null, source))
  }
  zip.end()
  try {
    await pipeline(output, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  } finally {
    for (const source of sources) source.destroy()
  }
}
