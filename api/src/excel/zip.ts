import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { damaged, WorkbookProblem } from '@portal/excel/limits'
import type { Source } from '@portal/excel/source'
import { packedStart, type ZipEntry } from '@portal/excel/zip'

const chunkSize = 131_072

/** An open file as a source for the readers of workbooks. */
export async function fileSource(file: FileHandle): Promise<Source> {
  const { size } = await file.stat()
  return {
    size,
    async read(position, length) {
      const into = Buffer.alloc(length)
      const { bytesRead } = await file.read(into, 0, length, position)
      if (bytesRead < length) throw damaged()
      return into
    },
  }
}

async function* packedBytes(source: Source, start: number, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < length; at += chunkSize)
    yield await source.read(start + at, Math.min(chunkSize, length - at))
}

/**
 * Unpacks the bytes of one entry while they are read. Throws if there are more bytes than the directory declares, if
 * the checksum differs, or if the entry ends too soon. So the limit on the declared sizes, which was checked before,
 * also holds for the real ones.
 */
export async function* unpack(from: Source, entry: ZipEntry): AsyncGenerator<Buffer> {
  const start = await packedStart(from, entry)
  const source = Readable.from(packedBytes(from, start, entry.packed), { objectMode: false })
  const stream: Readable = entry.method === 8 ? source.pipe(createInflateRaw({ chunkSize })) : source
  source.on('error', (error) => stream.destroy(error))
  let length = 0
  let crc = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > entry.unpacked) throw damaged()
      crc = crc32(chunk, crc)
      yield chunk
    }
    if (length !== entry.unpacked || crc !== entry.crc) throw damaged()
  } catch (error) {
    throw error instanceof WorkbookProblem ? error : damaged()
  } finally {
    source.destroy()
    stream.destroy()
  }
}
