import { damaged, limits, tooMuch, WorkbookProblem } from './limits.ts'
import { type Source, viewOf } from './source.ts'

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

/** The bytes of one entry, unpacked as they are read: zlib on the server, DecompressionStream in the browser. */
export type Unpack = (source: Source, entry: ZipEntry) => AsyncIterable<Uint8Array>

const endMark = 0x06054b50
const end64Mark = 0x06064b50
const entryMark = 0x02014b50
const localMark = 0x04034b50
const utf8 = new TextDecoder()

/** Reads the directory of a zip file before anything in it is unpacked, and refuses what cannot be a workbook. */
export async function readZipDirectory(source: Source): Promise<ZipEntry[]> {
  const { size } = source
  const { start, length, count } = await findDirectory(source)
  if (count > limits.parts) throw new WorkbookProblem('workbook_parts')
  if (start + length > size) throw damaged()
  const directory = await source.read(start, length)
  const view = viewOf(directory)
  const entries: ZipEntry[] = []
  let at = 0
  for (let index = 0; index < count; index++) {
    if (at + 46 > length || view.getUint32(at, true) !== entryMark) throw damaged()
    const nameLength = view.getUint16(at + 28, true)
    const extraLength = view.getUint16(at + 30, true)
    const next = at + 46 + nameLength + extraLength + view.getUint16(at + 32, true)
    if (next > length) throw damaged()
    const name = utf8.decode(directory.subarray(at + 46, at + 46 + nameLength))
    const entry: ZipEntry = {
      name: name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase(),
      method: view.getUint16(at + 10, true),
      encrypted: (view.getUint16(at + 8, true) & 1) === 1,
      crc: view.getUint32(at + 16, true),
      packed: view.getUint32(at + 20, true),
      unpacked: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    }
    widen(entry, viewOf(directory.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength)))
    entries.push(entry)
    at = next
  }
  // Overlapping entries let a small file unpack to petabytes; honest ones fit beside each other.
  if (entries.reduce((sum, entry) => sum + entry.packed, 0) > size) throw tooMuch()
  if (entries.reduce((sum, entry) => sum + entry.unpacked, 0) > limits.unpackedBytes) throw tooMuch()
  return entries
}

async function findDirectory(source: Source) {
  const { size } = source
  const tailLength = Math.min(size, 65_557)
  const tail = viewOf(await source.read(size - tailLength, tailLength))
  let end = tailLength - 22
  while (end >= 0 && tail.getUint32(end, true) !== endMark) end--
  if (end < 0) throw damaged()
  const plain = {
    count: tail.getUint16(end + 10, true),
    length: tail.getUint32(end + 12, true),
    start: tail.getUint32(end + 16, true),
  }
  if (plain.count !== 0xffff && plain.length !== 0xffffffff && plain.start !== 0xffffffff) return plain
  // Some writers use the 64-bit form whatever the size.
  if (end < 20) throw damaged()
  const at = Number(tail.getBigUint64(end - 12, true))
  if (!(at + 56 <= size)) throw damaged()
  const end64 = viewOf(await source.read(at, 56))
  if (end64.getUint32(0, true) !== end64Mark) throw damaged()
  return {
    count: Number(end64.getBigUint64(32, true)),
    length: Number(end64.getBigUint64(40, true)),
    start: Number(end64.getBigUint64(48, true)),
  }
}

/** Takes the 64-bit sizes out of an entry's extra field, in the order the format gives them. */
function widen(entry: ZipEntry, extra: DataView) {
  const { byteLength } = extra
  for (let at = 0; at + 4 <= byteLength; at += 4 + extra.getUint16(at + 2, true)) {
    if (extra.getUint16(at, true) !== 1) continue
    let from = at + 4
    for (const field of ['unpacked', 'packed', 'offset'] as const) {
      if (entry[field] !== 0xffffffff || from + 8 > byteLength) continue
      entry[field] = Number(extra.getBigUint64(from, true))
      from += 8
    }
  }
}

/** Where the packed bytes of an entry start; refuses what cannot be unpacked. */
export async function packedStart(source: Source, entry: ZipEntry): Promise<number> {
  if (entry.encrypted) throw new WorkbookProblem('workbook_password')
  if (entry.method !== 0 && entry.method !== 8) throw damaged()
  // The 64-bit form names places that no file has, and a read there fails before it finds too few bytes.
  if (entry.offset + 30 > source.size) throw damaged()
  const local = viewOf(await source.read(entry.offset, 30))
  if (local.getUint32(0, true) !== localMark) throw damaged()
  return entry.offset + 30 + local.getUint16(26, true) + local.getUint16(28, true)
}
