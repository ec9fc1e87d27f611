import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'

type Part = { name: string; data: string | Buffer }
/** A part of an archive with given bytes and header values, for archives with false headers. */
type RawPart = {
  name: string
  packed: Buffer
  unpacked: number
  crc: number
  flags?: number
  method?: number
  /** Where the directory says that it stands, in the 64-bit form. */
  offset?: bigint
}

const folder = mkdtempSync(join(tmpdir(), 'workbooks-'))
let files = 0
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

/** Writes bytes to a new file and returns its path. */
export function fileOf(bytes: Buffer | string, name = 'list.xlsx'): string {
  const path = join(folder, `${++files}-${name}`)
  writeFileSync(path, bytes)
  return path
}

/** Writes a zip archive. */
export function zip(parts: (Part | RawPart)[]): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const part of parts) {
    const raw = 'packed' in part ? part : pack(part)
    const name = Buffer.from(raw.name)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(raw.flags ?? 0, 2)
    fields.writeUInt16LE(raw.method ?? 8, 4)
    fields.writeUInt32LE(raw.crc, 10)
    fields.writeUInt32LE(raw.packed.length, 14)
    fields.writeUInt32LE(raw.unpacked, 18)
    fields.writeUInt16LE(name.length, 22)
    const tail = Buffer.alloc(14)
    const extra = Buffer.alloc(raw.offset === undefined ? 0 : 12)
    const listedFields = Buffer.from(fields)
    listedFields.writeUInt16LE(extra.length, 24)
    if (raw.offset === undefined) tail.writeUInt32LE(offset, 10)
    else {
      tail.writeUInt32LE(0xffffffff, 10)
      extra.write('\x01\x00\x08\x00', 'latin1')
      extra.writeBigUInt64LE(raw.offset, 4)
    }
    bodies.push(Buffer.from('PK\x03\x04'), fields, name, raw.packed)
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), listedFields, tail, name, extra)
    offset += 30 + name.length + raw.packed.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...bodies, listed, end])
}

/** A part as it is stored in an archive. */
export function pack({ name, data }: Part): RawPart {
  const bytes = Buffer.from(data)
  return { name, packed: deflateRawSync(bytes, { level: 1 }), unpacked: bytes.length, crc: crc32(bytes) }
}

const rels = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relations = (list: [id: string, type: string, target: string][]) =>
  `<?xml version="1.0"?><Relationships>${list.map(([id, type, target]) => `<Relationship Id="${id}" Type="${rels}/${type}" Target="${target}"/>`).join('')}</Relationships>`

type SheetXml = { name: string; xml: string; state?: string }

/** The minimal parts of a workbook with the given XML of its sheets. */
export function workbookParts(
  sheets: SheetXml[],
  parts: { strings?: string; styles?: string; properties?: string } = {},
): Part[] {
  const listed = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${name}" sheetId="${index + 1}" state="${state ?? 'visible'}" r:id="rId${index + 1}"/>`,
  )
  const related = sheets.map((_, index): [string, string, string] => [
    `rId${index + 1}`,
    'worksheet',
    `worksheets/sheet${index + 1}.xml`,
  ])
  if (parts.strings) related.push(['rId98', 'sharedStrings', '/xl/sharedStrings.xml'])
  if (parts.styles) related.push(['rId99', 'styles', 'styles.xml'])
  return [
    { name: '[Content_Types].xml', data: '<Types/>' },
    { name: '_rels/.rels', data: relations([['rId1', 'officeDocument', 'xl/workbook.xml']]) },
    {
      name: 'xl/workbook.xml',
      data: `<workbook xmlns:r="${rels}">${parts.properties ?? ''}<sheets>${listed.join('')}</sheets></workbook>`,
    },
    { name: 'xl/_rels/workbook.xml.rels', data: relations(related) },
    ...(parts.strings ? [{ name: 'xl/sharedStrings.xml', data: parts.strings }] : []),
    ...(parts.styles ? [{ name: 'xl/styles.xml', data: parts.styles }] : []),
    ...sheets.map(({ xml }, index) => ({ name: `xl/worksheets/sheet${index + 1}.xml`, data: xml })),
  ]
}

/** A sheet's XML around its rows. */
export const sheetXml = (rows: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><worksheet><sheetData>${rows}</sheetData></worksheet>`
/** A row without cell addresses, as some programs write it: inline texts, numbers, and nothing for null. */
export const rowXml = (cells: (string | number | null)[]) =>
  `<row>${cells.map((cell) => (cell === null ? '<c/>' : typeof cell === 'number' ? `<c><v>${cell}</v></c>` : `<c t="inlineStr"><is><t>${cell}</t></is></c>`)).join('')}</row>`

/** A workbook of one sheet, from its rows. */
export const workbook = (rows: (string | number | null)[][]) =>
  fileOf(zip(workbookParts([{ name: 'List', xml: sheetXml(rows.map(rowXml).join('')) }])))
/** A workbook of one sheet, from the XML of its rows. */
export const workbookOf = (rows: string, parts: Parameters<typeof workbookParts>[1] = {}) =>
  fileOf(zip(workbookParts([{ name: 'List', xml: sheetXml(rows) }], parts)))
