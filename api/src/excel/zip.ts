import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { damaged, limits, tooMuch, WorkbookProblem } from './limits.ts'

/** One file of an archive, as its directory tells. Names are lower-cased: part names ignore case. */
export type ZipEntry = {
  name: string
  method: number
  encrypted: boolean
  crc: number
  packed: number
  unpacked: number
  offset: number
}

const endMark = 0x06054b50
const end64Mark = 0x06064b50
const entryMark = 0x02014b50
const localMark = 0x04034b50

const chunkSize = 131_072

async function* packedBytes(file: FileHandle, start: number, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < length; at += chunkSize)
    yield await readAt(file, start + at, Math.min(chunkSize, length - at))
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const into = Buffer.alloc(length)
  const { bytesRead } = await file.read(into, 0, length, position)
  if (bytesRead < length) throw damaged()
  return into
}

/** Reads the directory of a zip file before anything in it is unpacked, and refuses what cannot be a workbook. */
export async function readZipDirectory(file: FileHandle, size: number): Promise<ZipEntry[]> {
  const { start, length, count } = await findDirectory(file, size)
  if (count > limits.parts) throw new WorkbookProblem('workbook_parts')
  if (start + length > size) throw damaged()
  const directory = await readAt(file, start, length)
  const entries: ZipEntry[] = []
  let at = 0
  for (let index = 0; index < count; index++) {
    if (at + 46 > length || directory.readUInt32LE(at) !== entryMark) throw damaged()
    const nameLength = directory.readUInt16LE(at + 28)
    const extraLength = directory.readUInt16LE(at + 30)
    const next = at + 46 + nameLength + extraLength + directory.readUInt16LE(at + 32)
    if (next > length) throw damaged()
    const name = directory.toString('utf8', at + 46, at + 46 + nameLength)
    const entry: ZipEntry = {
      name: name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase(),
      method: directory.readUInt16LE(at + 10),
      encrypted: (directory.readUInt16LE(at + 8) & 1) === 1,
      crc: directory.readUInt32LE(at + 16),
      packed: directory.readUInt32LE(at + 20),
      unpacked: directory.readUInt32LE(at + 24),
      offset: directory.readUInt32LE(at + 42),
    }
    widen(entry, directory.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength))
    entries.push(entry)
    at = next
  }
  // Overlapping entries let a small file unpack to petabytes; honest ones fit beside each other.
  if (entries.reduce((sum, entry) => sum + entry.packed, 0) > size) throw tooMuch()
  if (entries.reduce((sum, entry) => sum + entry.unpacked, 0) > limits.unpackedBytes) throw tooMuch()
  return entries
}

async function findDirectory(file: FileHandle, size: number) {
  const tailLength = Math.min(size, 65_557)
  const tail = await readAt(file, size - tailLength, tailLength)
  let end = tail.length - 22
  while (end >= 0 && tail.readUInt32LE(end) !== endMark) end--
  if (end < 0) throw damaged()
  const plain = {
    count: tail.readUInt16LE(end + 10),
    length: tail.readUInt32LE(end + 12),
    start: tail.readUInt32LE(end + 16),
  }
  if (plain.count !== 0xffff && plain.length !== 0xffffffff && plain.start !== 0xffffffff) return plain
  // Some writers use the 64-bit form whatever the size.
  if (end < 20) throw damaged()
  const at = Number(tail.readBigUInt64LE(end - 12))
  if (!(at + 56 <= size)) throw damaged()
  const end64 = await readAt(file, at, 56)
  if (end64.readUInt32LE(0) !== end64Mark) throw damaged()
  return {
    count: Number(end64.readBigUInt64LE(32)),
    length: Number(end64.readBigUInt64LE(40)),
    start: Number(end64.readBigUInt64LE(48)),
  }
}

/** Takes the 64-bit sizes out of an entry's extra field, in the order the format gives them. */
function widen(entry: ZipEntry, extra: Buffer) {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    let from = at + 4
    for (const field of ['unpacked', 'packed', 'offset'] as const) {
      if (entry[field] !== 0xffffffff || from + 8 > extra.length) continue
      entry[field] = Number(extra.readBigUInt64LE(from))
      from += 8
    }
  }
}

/**
 * The bytes of one entry, unpacked as they are read. More bytes than the directory promised, another checksum or
 * an end that comes too soon make the archive damaged: the sum of promises was checked before.
 */
export async function* unpack(file: FileHandle, entry: ZipEntry): AsyncGenerator<Buffer> {
  if (entry.encrypted) throw new WorkbookProblem('workbook_password')
  if (entry.method !== 0 && entry.method !== 8) throw damaged()
  const local = await readAt(file, entry.offset, 30)
  if (local.readUInt32LE(0) !== localMark) throw damaged()
  const start = entry.offset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28)
  const source = Readable.from(packedBytes(file, start, entry.packed), { objectMode: false })
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
