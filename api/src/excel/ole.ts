import type { FileHandle } from 'node:fs/promises'
import { damaged } from './limits.ts'

/** First bytes of the container of .xls, .doc, and of every password-protected Office file. */
export const oleMark = Buffer.from('d0cf11e0a1b11ae1', 'hex')

/** Names of the streams of an OLE container, for telling what made it; contents are not read. */
export async function readOleNames(file: FileHandle, size: number): Promise<string[]> {
  const header = await bytesAt(file, 0, 512)
  const shift = header.readUInt16LE(30)
  if (shift !== 9 && shift !== 12) throw damaged()
  const sector = 1 << shift
  const last = Math.ceil(size / sector)
  const perSector = sector / 4
  const tables = await tableSectors(file, header, sector, last)
  const names: string[] = []
  let at = header.readUInt32LE(48)
  for (let step = 0; at < last && step < 1_000; step++) {
    const entries = await bytesAt(file, (at + 1) * sector, sector)
    for (let entry = 0; entry < sector; entry += 128) {
      const length = entries.readUInt16LE(entry + 64)
      if (length >= 2 && length <= 64) names.push(entries.toString('utf16le', entry, entry + length - 2))
    }
    const table = tables[Math.floor(at / perSector)]
    if (table === undefined) break
    at = (await bytesAt(file, (table + 1) * sector + (at % perSector) * 4, 4)).readUInt32LE(0)
  }
  return names
}

/** Where the allocation table stands: 109 sectors are named in the header, the rest in a chain behind it. */
async function tableSectors(
  file: FileHandle,
  header: Buffer,
  sector: number,
  last: number,
): Promise<number[]> {
  const tables = Array.from({ length: 109 }, (_, index) => header.readUInt32LE(76 + index * 4))
  let at = header.readUInt32LE(68)
  for (let step = 0; at < last && step < 100; step++) {
    const more = await bytesAt(file, (at + 1) * sector, sector)
    for (let entry = 0; entry < sector - 4; entry += 4) tables.push(more.readUInt32LE(entry))
    at = more.readUInt32LE(sector - 4)
  }
  return tables.filter((table) => table < last)
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const into = Buffer.alloc(length)
  const { bytesRead } = await file.read(into, 0, length, position)
  // The last sector may be short.
  if (bytesRead === 0 || (position === 0 && bytesRead < length)) throw damaged()
  return into
}
