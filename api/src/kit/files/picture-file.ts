import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { longestSide, pictureLimit, type pictureSizes } from '@portal/contracts/record-pictures'
import { say } from '../http/messages.ts'
import { invalid } from '../http/refusals.ts'
import { jpegMark, pixelLimit, pngMark } from './document-file.ts'
import { type KeptUpload, keepUpload, type StoredUpload } from './files.ts'
import type { Storage } from './storage.ts'

type Size = (typeof pictureSizes)[number]
/** A picture that `acceptPicture` has let in: both of its files are in the storage. */
export type AcceptedPicture = Record<Size, KeptUpload> & { width: number; height: number }

const qualities: Record<Size, number> = { full: 82, small: 70 }

/**
 * Validates a picture by its content: JPEG, PNG or WebP, at most 2 MB. It is drawn anew from its pixels as a JPEG, upright, so
 * that neither its metadata (place, device) nor hidden bytes are kept, and a second time small for lists. The name of the
 * person's file is not kept either: it may say who is to be seen.
 */
export async function acceptPicture(storage: Storage, upload: StoredUpload): Promise<AcceptedPicture> {
  if (upload.size > pictureLimit) throw invalid({ file: 'document_too_large' })
  const content = await readFile(upload.path)
  if (!isPicture(content)) throw invalid({ file: say.pictureContent })
  const full = await draw(content, 'full')
  const small = await draw(full.data, 'small')
  const { width, height } = full.info
  return {
    full: await keep(storage, upload, full.data),
    small: await keep(storage, { ...upload, path: await storage.temp() }, small.data),
    ...{ width, height },
  }
}

async function keep(storage: Storage, upload: StoredUpload, data: Buffer): Promise<KeptUpload> {
  await writeFile(upload.path, data, { mode: 0o600 })
  const sha256 = createHash('sha256').update(data).digest()
  return keepUpload(storage, {
    ...upload,
    ...{ name: 'picture.jpg', type: 'image/jpeg', size: data.length, sha256 },
  })
}

/** Whether the first octets are those of a kind that is taken. The library reads more kinds. */
const isPicture = (content: Buffer) =>
  [jpegMark, pngMark].some((mark) => content.subarray(0, mark.length).equals(mark)) ||
  (content.toString('latin1', 0, 4) === 'RIFF' && content.toString('latin1', 8, 12) === 'WEBP')

async function draw(content: Buffer, size: Size) {
  // The library is loaded with the first picture: most processes never see one.
  const { default: sharp } = await import('sharp')
  const { width, height } = await sharp(content, { limitInputPixels: false })
    .metadata()
    .catch(() => ({ width: 0, height: 0 }))
  if (width * height > pixelLimit) throw invalid({ file: 'document_pixels' })
  const longest = longestSide[size]
  return (
    sharp(content, { limitInputPixels: pixelLimit, failOn: 'error' })
      .autoOrient()
      .resize(longest, longest, { fit: 'inside', withoutEnlargement: true })
      // JPEG has no transparency, and would show it as black.
      .flatten({ background: '#fff' })
      .jpeg({ quality: qualities[size], mozjpeg: true })
      .toBuffer({ resolveWithObject: true })
      .catch(() => {
        throw invalid({ file: say.pictureContent })
      })
  )
}
