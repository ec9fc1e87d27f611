import { damaged } from './limits.ts'
import { type Source, viewOf } from './source.ts'

/** First bytes of the container of .xls, .doc, and of every password-protected Office file. */
export const oleMark = Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)
const utf16 = new TextDecoder('utf-16le')

/** Names of the streams of an OLE container, for telling what made it; contents are not read. */
export async function readOleNames(source: Source): Promise<string[]> {
  const { size } = source
  const header = viewOf(await source.read(0, 512))
  const shift = header.getUint16(30, true)
  if (shift !== 9 && shift !== 12) throw damaged()
  const sector = 1 << shift
  const last = Math.ceil(size / sector)
  const perSector = sector / 4
  const tables = await tableSectors(source, header, sector, last)
  const names: string[] = []
  let at = header.getUint32(48, true)
  for (let step = 0; at < last && step < 1_000; step++) {
    const bytes = await bytesAt(source, (at + 1) * sector, sector)
    const entries = viewOf(bytes)
    for (let entry = 0; entry < sector; entry += 128) {
      const length = entries.getUint16(entry + 64, true)
      if (length >= 2 && length <= 64) names.push(utf16.decode(bytes.subarray(entry, entry + length - 2)))
    }
    const table = tables[Math.floor(at / perSector)]
    if (table === undefined) break
    at = viewOf(await bytesAt(source, (table + 1) * sector + (at % perSector) * 4, 4)).getUint32(0, true)
  }
  return names
}

/** Where the allocation table stands: 109 sectors are named in the header, the rest in a chain behind it. */
async function tableSectors(
  source: Source,
  header: DataView,
  sector: number,
  last: number,
): Promise<number[]> {
  const tables = Array.from({ length: 109 }, (_, index) => header.getUint32(76 + index * 4, true))
  let at = header.getUint32(68, true)
  for (let step = 0; at < last && step < 100; step++) {
    const block = viewOf(await bytesAt(source, (at + 1) * sector, sector))
    for (let entry = 0; entry < sector - 4; entry += 4) tables.push(block.getUint32(entry, true))
    at = block.getUint32(sector - 4, true)
  }
  return tables.filter((table) => table < last)
}

/** A sector, filled up with zeros: the last one of a file may be short. */
async function bytesAt(source: Source, position: number, length: number): Promise<Uint8Array> {
  const there = Math.min(length, source.size - position)
  if (there <= 0) throw damaged()
  const into = new Uint8Array(length)
  into.set(await source.read(position, there))
  return into
}
