import { readFileSync } from 'node:fs'
import { deflateRawSync } from 'node:zlib'
import { CFB } from '@e965/xlsx'
import { fileOf, workbookParts, zip } from './workbooks.ts'

/** A file beside the tests, as another program wrote it. */
export const fixture = (name: string) => new URL(`../fixtures/excel/${name}`, import.meta.url).pathname

/** A sheet that unpacks to `length` bytes, made by repeating one compressed block. */
export function bomb(length: number, promised = length) {
  const block = deflateRawSync(Buffer.alloc(16 * 1024 * 1024, '<row/>'), { finishFlush: 2, level: 9 })
  const packed = Buffer.concat([
    ...Array.from({ length: Math.ceil(length / (16 * 1024 * 1024)) }, () => block),
    Buffer.from([3, 0]),
  ])
  const parts = workbookParts([{ name: 'List', xml: '' }]).slice(0, -1)
  return fileOf(zip([...parts, { name: 'xl/worksheets/sheet1.xml', packed, unpacked: promised, crc: 0 }]))
}

/** A container of the old Office format (OLE) with these streams. */
export function ole(...streams: [string, Buffer][]) {
  const container = CFB.utils.cfb_new()
  for (const [name, bytes] of streams) CFB.utils.cfb_add(container, name, bytes)
  return fileOf(CFB.write(container, { type: 'buffer' }) as Buffer, 'list.xls')
}

/** The .xls of the fixtures, marked as encrypted after its first record. */
export function lockedXls() {
  const stream = Buffer.from(
    CFB.find(CFB.read(readFileSync(fixture('libreoffice.xls')), { type: 'buffer' }), 'Workbook')?.content ??
      [],
  )
  const first = 4 + stream.readUInt16LE(2)
  return ole([
    'Workbook',
    Buffer.concat([
      stream.subarray(0, first),
      Buffer.from('2f00060000001234abcd', 'hex'),
      stream.subarray(first),
    ]),
  ])
}

/** Changes one byte in the middle of a part. */
export function flip(archive: Buffer, name: string): Buffer {
  const copy = Buffer.from(archive)
  const at = copy.indexOf(name) + name.length + 12
  copy[at] = (copy[at] ?? 0) ^ 0x55
  return copy
}
