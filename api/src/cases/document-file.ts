import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { documentLimit } from '@portal/contracts/cases'
import type { StoredUpload } from '../kit/files.ts'
import { invalid } from '../kit/refusals.ts'

/** Limit of pixels, against images that exhaust the memory of the reader's device. */
const pixelLimit = 50_000_000
/** Invisible characters and those that change the reading direction, which can make an `exe` look like a picture. */
const deceptive = /[\p{Cc}\p{Cf}\u202a-\u202e\u2066-\u2069/\\:*?"<>|]+/gu

type Kind = {
  type: 'image/jpeg' | 'image/png' | 'application/pdf'
  endings: readonly string[]
  bytes: Buffer
}

/**
 * Validates a document by its content: jpg, png or pdf, at most 2 MB. The metadata of a photo (place, device, name) is
 * removed. The uploaded file is rewritten, with a new type, name, size and hash.
 */
export async function acceptDocument(upload: StoredUpload, field = 'file'): Promise<StoredUpload> {
  if (upload.size > documentLimit) throw invalid({ [field]: 'document_too_large' })
  const content = await readFile(upload.path)
  const kind = readJpeg(content) ?? readPng(content) ?? readPdf(content)
  if (!kind) throw invalid({ [field]: 'document_content' })
  if (kind === 'too many pixels') throw invalid({ [field]: 'document_pixels' })
  if (kind.bytes !== content) await writeFile(upload.path, kind.bytes, { mode: 0o600 })
  return {
    ...upload,
    name: nameFor(upload.name, kind.endings),
    type: kind.type,
    size: kind.bytes.length,
    sha256: createHash('sha256').update(kind.bytes).digest(),
  }
}

/** A safe file name with the extension of its real type. */
function nameFor(name: string, endings: readonly string[]): string {
  const plain =
    name.normalize('NFC').replace(deceptive, ' ').replace(/\s+/g, ' ').trim().slice(-150) || 'document'
  return endings.some((ending) => plain.toLowerCase().endsWith(ending)) ? plain : `${plain}${endings[0]}`
}

/** Keeps a document from its head to its last end. Readers accept bytes around it, which may be another file. */
function readPdf(content: Buffer): Kind | null {
  const start = content.subarray(0, 1024).indexOf('%PDF-')
  const end = content.lastIndexOf('%%EOF')
  if (start < 0 || end < Math.max(start, content.length - 1024)) return null
  const line = /^\r?\n?/.exec(content.toString('latin1', end + 5, end + 7))?.[0].length ?? 0
  const whole = start === 0 && end + 5 + line === content.length
  const bytes = whole ? content : content.subarray(start, end + 5 + line)
  return { type: 'application/pdf', endings: ['.pdf'], bytes }
}

/** Keeps picture, colours and orientation. Removes comments, places, devices, thumbnails and what stands behind the end. */
function readJpeg(content: Buffer): Kind | 'too many pixels' | null {
  if (content.readUIntBE(0, Math.min(3, content.length || 1)) !== 0xffd8ff) return null
  const parts: Buffer[] = [content.subarray(0, 2)]
  let orientation = 1
  let pixels = 0
  let scans = 0
  const picture = (): Kind => {
    if (orientation !== 1) parts.splice(1, 0, orientationOnly(orientation))
    return { type: 'image/jpeg', endings: ['.jpg', '.jpeg'], bytes: Buffer.concat([...parts, endOfImage]) }
  }
  for (let at = 2; at + 4 <= content.length; ) {
    if (content[at] !== 0xff) return null
    const marker = content[at + 1] as number
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === 0xd9) break
    let end = at + 2 + content.readUInt16BE(at + 2)
    if (end > content.length) break
    if (marker === 0xda) {
      if (pixels === 0) return null
      if (pixels > pixelLimit) return 'too many pixels'
      scans++
      end = endOfScan(content, end)
    }
    const frame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (frame && end - at >= 9) pixels = content.readUInt16BE(at + 5) * content.readUInt16BE(at + 7)
    if (marker === 0xe1) orientation = orientationOf(content.subarray(at + 4, end)) ?? orientation
    // APP0 (JFIF), APP2 (colour profile) and APP14 (Adobe's colour transform) belong to the picture.
    const aside = (marker >= 0xe1 && marker <= 0xef && marker !== 0xe2 && marker !== 0xee) || marker === 0xfe
    if (!aside) parts.push(content.subarray(at, end))
    at = end
  }
  // Whatever comes after the last scan is no part of the picture.
  return scans > 0 ? picture() : null
}

const endOfImage = Buffer.from([0xff, 0xd9])

/** Where the data of a scan end: at a marker that is neither an escaped 0xff nor a restart. */
function endOfScan(content: Buffer, from: number): number {
  for (let at = content.indexOf(0xff, from); at >= 0; at = content.indexOf(0xff, at + 1)) {
    const next = content[at + 1] ?? 0xff
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return content.length
}

/** The orientation in an Exif block, 1 to 8. */
function orientationOf(block: Buffer): number | null {
  if (block.length < 22 || block.toString('latin1', 0, 6) !== 'Exif\0\0') return null
  const tiff = block.subarray(6)
  const little = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) =>
    at + 2 > tiff.length ? 0 : little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)
  const start = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  for (let n = 0; n < Math.min(short(start), 100); n++) {
    const entry = start + 2 + n * 12
    const value = short(entry + 8)
    if (short(entry) === 0x0112) return value >= 1 && value <= 8 ? value : null
  }
  return null
}

/** An Exif block with the orientation only. */
function orientationOnly(orientation: number): Buffer {
  const exif = Buffer.from(
    'ffe1002245786966000049492a00080000000100120103000100000000000000000000000000',
    'hex',
  ).subarray(0, 36)
  exif.writeUInt16LE(orientation, 28)
  return exif
}

const pngMark = Buffer.from('89504e470d0a1a0a', 'hex')
/** The chunks of the picture. Text, time and Exif chunks are removed. */
const pngKept = new Set([
  'IHDR',
  'PLTE',
  'IDAT',
  'IEND',
  'tRNS',
  'gAMA',
  'cHRM',
  'sRGB',
  'sBIT',
  'pHYs',
  'bKGD',
])

function readPng(content: Buffer): Kind | 'too many pixels' | null {
  if (!content.subarray(0, 8).equals(pngMark)) return null
  const parts: Buffer[] = [pngMark]
  for (let at = 8; at + 12 <= content.length; ) {
    const end = at + 12 + content.readUInt32BE(at)
    const type = content.toString('latin1', at + 4, at + 8)
    if (end > content.length || (at === 8 && type !== 'IHDR')) return null
    if (type === 'IHDR' && content.readUInt32BE(at + 8) * content.readUInt32BE(at + 12) > pixelLimit)
      return 'too many pixels'
    if (pngKept.has(type)) parts.push(content.subarray(at, end))
    if (type === 'IEND') return { type: 'image/png', endings: ['.png'], bytes: Buffer.concat(parts) }
    at = end
  }
  return null
}
