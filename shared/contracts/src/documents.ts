import * as v from 'valibot'
import { instant, type Upload } from './fields.ts'

/** 2 MB to the byte (Cases 3.1). */
export const documentLimit = 2_097_152
/** A document as evidence; the server looks at the content, this at ending and size. */
export const documentUpload = v.pipe(
  v.custom<Upload>(
    (file) => typeof file === 'object' && file !== null && 'name' in file && 'size' in file,
    'file_required',
  ),
  v.check((file) => /\.(jpe?g|png|pdf)$/i.test(file.name), 'document_kind'),
  v.check((file) => file.size <= documentLimit, 'document_too_large'),
)
/** What a chosen file is refused for, as a sentence's key; undefined where it may be sent. */
export const documentFault = (file: Upload): string | undefined =>
  v.safeParse(documentUpload, file).issues?.[0].message

/** A document that the reviewer shared, or that the consultant sent; `download_url` after the api's base. */
export const SharedDocument = v.object({
  id: v.number(),
  description: v.string(),
  file_name: v.string(),
  file_type: v.string(),
  size: v.number(),
  download_url: v.string(),
  created_at: instant,
})
export type SharedDocument = v.InferOutput<typeof SharedDocument>
