import { once } from 'node:events'
import { type FileHandle, open } from 'node:fs/promises'
import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib'

type Written = { name: Buffer; crc: number; packed: number; unpacked: number; offset: number }

// 1 January 2026, 00:00, in the format of MS-DOS: the same rows make the same bytes.
const timestamp = Buffer.from([0, 0, 0x21, 0x5c])

/** Writes a zip file from beginning to end; a part is packed while it is made, and never held. */
export class ZipWriter {
  readonly #file: FileHandle
  readonly #parts: Written[] = []
  #at = 0

  private constructor(file: FileHandle) {
    this.#file = file
  }

  static async create(path: string): Promise<ZipWriter> {
    return new ZipWriter(await open(path, 'wx', 0o600))
  }

  /** Adds a small part at once. */
  async add(name: string, text: string): Promise<void> {
    const bytes = Buffer.from(text)
    const packed = deflateRawSync(bytes)
    const part = {
      name: Buffer.from(name),
      crc: crc32(bytes),
      packed: packed.length,
      unpacked: bytes.length,
      offset: this.#at,
    }
    await this.#put(localHeader(part), packed)
    this.#parts.push(part)
  }

  /** Adds a part piece by piece; its header is filled in when its sizes are known. */
  async addStream(name: string, pieces: AsyncIterable<string>): Promise<void> {
    const part: Written = { name: Buffer.from(name), crc: 0, packed: 0, unpacked: 0, offset: this.#at }
    await this.#put(localHeader(part))
    const deflate = createDeflateRaw({ level: 4, chunkSize: 131_072 })
    const saving = (async () => {
      for await (const chunk of deflate as AsyncIterable<Buffer>) {
        part.packed += chunk.length
        await this.#put(chunk)
      }
    })()
    try {
      for await (const piece of pieces) {
        const bytes = Buffer.from(piece)
        part.crc = crc32(bytes, part.crc)
        part.unpacked += bytes.length
        // A full disk ends the saving side; without the race the writing side would wait for ever.
        if (!deflate.write(bytes)) await Promise.race([once(deflate, 'drain'), saving])
      }
      deflate.end()
      await saving
    } catch (error) {
      deflate.destroy()
      await saving.catch(() => undefined)
      throw error
    }
    await this.#file.write(localHeader(part), 0, undefined, part.offset)
    this.#parts.push(part)
  }

  /** Writes the directory; the file is whole only after this. */
  async close(): Promise<void> {
    const start = this.#at
    for (const part of this.#parts) await this.#put(directoryEntry(part))
    const end = Buffer.alloc(22)
    end.write('PK\x05\x06', 'latin1')
    end.writeUInt16LE(this.#parts.length, 8)
    end.writeUInt16LE(this.#parts.length, 10)
    end.writeUInt32LE(this.#at - start, 12)
    end.writeUInt32LE(start, 16)
    await this.#put(end)
    await this.#file.sync()
    await this.#file.close()
  }

  /** Gives up; what was written so far is no archive. */
  async abandon(): Promise<void> {
    await this.#file.close()
  }

  async #put(...buffers: Buffer[]) {
    for (const bytes of buffers) {
      const at = this.#at
      this.#at += bytes.length
      await this.#file.write(bytes, 0, bytes.length, at)
    }
  }
}

function fields(part: Written): Buffer {
  const bytes = Buffer.alloc(26)
  bytes.writeUInt16LE(20, 0)
  // Names are UTF-8; 8 is deflate.
  bytes.writeUInt16LE(0x800, 2)
  bytes.writeUInt16LE(8, 4)
  timestamp.copy(bytes, 6)
  bytes.writeUInt32LE(part.crc, 10)
  bytes.writeUInt32LE(part.packed, 14)
  bytes.writeUInt32LE(part.unpacked, 18)
  bytes.writeUInt16LE(part.name.length, 22)
  return bytes
}

const localHeader = (part: Written) => Buffer.concat([Buffer.from('PK\x03\x04'), fields(part), part.name])

function directoryEntry(part: Written): Buffer {
  const tail = Buffer.alloc(14)
  tail.writeUInt32LE(part.offset, 10)
  return Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields(part), tail, part.name])
}
