import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { createInflateRaw } from 'node:zlib'
import { documentLimit } from '@portal/contracts/documents'
import { invalid } from '../http/refusals.ts'
import { type KeptUpload, keepUpload, type StoredUpload } from './files.ts'
import type { Storage } from './storage.ts'

/** Limit of pixels, against images that exhaust the memory of the server. */
export const pixelLimit = 50_000_000
/** Longer side of a picture as it is kept, in pixels: a page of writing can still be read. */
const longest = 3200
/** Invisible characters and those that change the reading direction, which can make an `exe` look like a picture. */
const deceptive = /[\p{Cc}\p{Cf}\u202a-\u202e\u2066-\u2069/\\:*?"<>|]+/gu

type Kind = {
  type: 'image/jpeg' | 'image/png' | 'application/pdf'
  endings: readonly string[]
  bytes: Buffer
}

declare const accepted: unique symbol
/** A file that `acceptDocument` has let in and kept. No other is evidence. */
export type AcceptedFile = KeptUpload & { readonly [accepted]: true }

/**
 * Validates a document by its content: jpg, png or pdf, at most 2 MB (Cases 3.1). A picture is encoded anew from its
 * pixels, so that neither its metadata (place, device, name) nor hidden bytes are kept. A pdf with programs or attached
 * files is refused. The uploaded file is rewritten, with a new type, name, size and hash, and kept in the storage.
 */
export async function acceptDocument(storage: Storage, upload: StoredUpload): Promise<AcceptedFile> {
  if (upload.size > documentLimit) throw invalid({ file: 'document_too_large' })
  const content = await readFile(upload.path)
  const kind = isPicture(content) ? await readPicture(content) : await readPdf(content)
  if (!kind) throw invalid({ file: 'document_content' })
  if (typeof kind === 'string') throw invalid({ file: kind })
  if (kind.bytes !== content) await writeFile(upload.path, kind.bytes, { mode: 0o600 })
  return (await keepUpload(storage, {
    ...upload,
    name: nameFor(upload.name, kind.endings),
    type: kind.type,
    size: kind.bytes.length,
    sha256: createHash('sha256').update(kind.bytes).digest(),
  })) as AcceptedFile
}

/** The body of a call with its file validated and kept, to be called before a transaction begins. */
export async function acceptFile<B extends { file?: StoredUpload | undefined }>(storage: Storage, body: B) {
  type File = B['file'] extends StoredUpload ? AcceptedFile : AcceptedFile | undefined
  return { ...body, file: (body.file && (await acceptDocument(storage, body.file))) as File }
}

/** A safe file name with the extension of its real type. */
function nameFor(name: string, endings: readonly string[]): string {
  const plain =
    name.normalize('NFC').replace(deceptive, ' ').replace(/\s+/g, ' ').trim().slice(-150) || 'document'
  return endings.some((ending) => plain.toLowerCase().endsWith(ending)) ? plain : `${plain}${endings[0]}`
}

/** Keeps a document from its head to its last end. Readers accept bytes around it, which may be another file. */
async function readPdf(content: Buffer): Promise<Kind | 'document_active' | null> {
  const start = content.subarray(0, 1024).indexOf('%PDF-')
  const end = content.lastIndexOf('%%EOF')
  if (start < 0 || end < Math.max(start, content.length - 1024)) return null
  const line = /^\r?\n?/.exec(content.toString('latin1', end + 5, end + 7))?.[0].length ?? 0
  const whole = start === 0 && end + 5 + line === content.length
  const bytes = whole ? content : content.subarray(start, end + 5 + line)
  if (await isActive(bytes)) return 'document_active'
  return { type: 'application/pdf', endings: ['.pdf'], bytes }
}

/** Names of a pdf that make a reader run a program, open another file, send a form, or show an attached file. */
const active = /\/(JavaScript|Launch|EmbeddedFiles?|RichMedia|XFA|SubmitForm|ImportData|Encrypt)\b/
/** Limits of what is inflated, against files that are small and grow without end. */
const limits = { streams: 10_000, octets: 50_000_000 }

/**
 * Whether a pdf names anything active, in its plain objects or in compressed ones. An encrypted pdf counts as active,
 * because nobody can look into it. This finds what common programs write, not every disguise: files are only ever
 * downloaded, and a scanner of viruses can look at them besides.
 */
async function isActive(content: Buffer): Promise<boolean> {
  const names = (part: Buffer) =>
    active.test(
      part
        .toString('latin1')
        .replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    )
  if (names(content)) return true
  let inflated = 0
  let at = content.indexOf('stream')
  for (let n = 0; at >= 0; at = content.indexOf('stream', at + 6)) {
    const from = content.subarray(at + 6, at + 8).toString('latin1') === '\r\n' ? at + 8 : at + 7
    // Zlib data begin with the method, deflate, in the lower half of the first octet; two octets are a multiple of 31.
    const [first = 0, second = 1] = content.subarray(from)
    if ((first & 0x0f) !== 8 || (first * 256 + second) % 31 !== 0) continue
    if (++n > limits.streams) return true
    const part = await inflate(content.subarray(from), limits.octets - inflated)
    if (part === null) return true
    inflated += part.length
    if (names(part)) return true
  }
  return false
}

/**
 * What zlib data inflate to, up to their end or to damage on the way. Their checksum is not looked at: readers show what has a
 * wrong one. Null if it is longer than `most`; what is damaged counts as well. It is done beside the event loop, piece by piece.
 */
function inflate(packed: Buffer, most: number): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const parts: Buffer[] = []
    let length = 0
    const stream = createInflateRaw()
    stream.on('data', (part: Buffer) => {
      parts.push(part)
      length += part.length
      if (length > most) stream.destroy()
    })
    stream.on('error', () => {})
    stream.on('close', () => resolve(length > most ? null : Buffer.concat(parts)))
    // Two octets say that it is zlib.
    stream.end(packed.subarray(2))
  })
}

/** Whether the first octets are those of a jpg or png. The library reads more kinds, which nobody needs here. */
const isPicture = (content: Buffer) =>
  [jpegMark, pngMark].some((mark) => content.subarray(0, mark.length).equals(mark))
/** The octets at the start of each JPEG file. */
export const jpegMark = Buffer.from('ffd8ff', 'hex')
/** The octets at the start of each PNG file. */
export const pngMark = Buffer.from('89504e470d0a1a0a', 'hex')

/** A picture, upright, drawn anew from its pixels. */
async function readPicture(content: Buffer): Promise<Kind | 'document_pixels' | null> {
  // The library is loaded with the first picture: most processes never see one.
  const { default: sharp } = await import('sharp')
  try {
    const { format, width, height } = await sharp(content, { limitInputPixels: false }).metadata()
    if (format !== 'jpeg' && format !== 'png') return null
    if (width * height > pixelLimit) return 'document_pixels'
    const upright = sharp(content, { limitInputPixels: pixelLimit, failOn: 'error' })
      .autoOrient()
      .resize(longest, longest, { fit: 'inside', withoutEnlargement: true })
    return format === 'jpeg'
      ? {
          type: 'image/jpeg',
          endings: ['.jpg', '.jpeg'],
          bytes: await upright.jpeg({ quality: 85 }).toBuffer(),
        }
      : { type: 'image/png', endings: ['.png'], bytes: await upright.png().toBuffer() }
  } catch {
    return null
  }
}
