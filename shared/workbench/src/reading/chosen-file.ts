import { damaged, WorkbookProblem } from '@portal/excel/limits'
import type { Source } from '@portal/excel/source'
import { packedStart, type ZipEntry } from '@portal/excel/zip'

/** A file that somebody chose, read in pieces. */
export function chosenFile(file: Blob): Source {
  return {
    size: file.size,
    async read(position, length) {
      const bytes = new Uint8Array(await file.slice(position, position + length).arrayBuffer())
      if (bytes.length < length) throw damaged()
      return bytes
    },
  }
}

/** Unpacks an entry by the browser's own means; checksums are left to the server. */
export function unpackFrom(file: Blob) {
  return async function* unpack(source: Source, entry: ZipEntry): AsyncGenerator<Uint8Array> {
    const start = await packedStart(source, entry)
    const packed: ReadableStream<BufferSource> = file.slice(start, start + entry.packed).stream()
    const stream = entry.method === 8 ? packed.pipeThrough(new DecompressionStream('deflate-raw')) : packed
    const reader = stream.getReader()
    let length = 0
    try {
      while (true) {
        const { done, value } = await reader.read()
        if (done) break
        const bytes = value as Uint8Array
        length += bytes.length
        if (length > entry.unpacked) throw damaged()
        yield bytes
      }
      if (length !== entry.unpacked) throw damaged()
    } catch (fault) {
      throw fault instanceof WorkbookProblem ? fault : damaged()
    } finally {
      void reader.cancel().catch(() => undefined)
    }
  }
}
