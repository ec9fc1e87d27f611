import * as v from 'valibot'
import { documentLimit } from './documents.ts'
import { upload } from './fields.ts'

/** The largest picture that is taken, in bytes. The form makes photographs smaller before it sends them. */
export const pictureLimit = documentLimit
/** The most pictures of one record: each field of type picture has one. */
export const mostPictures = 6
/** The longest description of a picture, in characters. */
export const longestAlt = 200

/**
 * A picture as a record has it: its number, and what is to be seen on it for whoever does not see it. A form that has chosen
 * one and is still sending it has the number 0, which nothing accepts.
 */
export const Picture = v.strictObject(
  {
    id: v.pipe(v.number('file_required'), v.safeInteger('invalid'), v.minValue(1, 'file_required')),
    alt: v.optional(
      v.pipe(v.string('invalid'), v.trim(), v.maxLength(longestAlt, `too_long|${longestAlt}`)),
      '',
    ),
  },
  'file_required',
)
export type Picture = v.InferOutput<typeof Picture>

/** A picture that a form sends. The server looks at the content, this only at the size. */
const pictureUpload = v.pipe(
  upload,
  v.check((file) => file.size <= pictureLimit, 'document_too_large'),
)

/** A picture that was sent: its number for the record, and its size as it is kept, in pixels. */
export const SentPicture = v.object({ id: v.number(), width: v.number(), height: v.number() })
export type SentPicture = v.InferOutput<typeof SentPicture>

export const pictureSizes = ['full', 'small'] as const
/** Longer side of a picture as it is kept, in pixels. */
export const longestSide: Record<(typeof pictureSizes)[number], number> = { full: 1600, small: 320 }

/** What both calls for pictures share, those of the portal and those of a module's own collection. */
export const pictureCalls = {
  body: v.object({ file: pictureUpload }),
  sent: v.object({ message: v.string(), picture: SentPicture }),
  query: v.object({ size: v.optional(v.picklist(pictureSizes, 'choose'), 'full') }),
}
