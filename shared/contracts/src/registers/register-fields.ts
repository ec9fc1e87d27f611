import * as v from 'valibot'
import { excelUpload, id, whole } from '../fields.ts'
import { headingsField } from '../imports/headings.ts'

/** A code as it is stored: upper case, without spaces, so that `ml-001 ` and `ML-001` are one. */
export const plainCode = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Cc}\s]/gu, '')
    .toUpperCase()

/** A code that must be there. */
export const code = v.pipe(
  v.string('required'),
  v.transform(plainCode),
  v.nonEmpty('required'),
  v.maxLength(255, 'too_long|255'),
)

const blank = <Value>(value: Value | '') => (value === '' ? null : value)

/** Text that may be empty: '' and null both take it away, absent leaves it. */
export const optionalText = v.optional(
  v.nullable(v.pipe(v.string('invalid'), v.trim(), v.maxLength(255, 'too_long|255'), v.transform(blank))),
)
/** A value that may be empty, like such a text. */
export const orEmpty = <Schema extends v.GenericSchema>(schema: Schema, message: string) =>
  v.optional(
    v.nullable(v.pipe(v.union([v.literal(''), schema], message), v.transform(blank<v.InferOutput<Schema>>))),
  )
/** A whole number that may be empty. */
export const optionalWhole = (min: number, max: number) => orEmpty(whole(min, max), `between|${min}|${max}`)
/** A row that may be chosen. */
export const optionalId = orEmpty(id, 'choose')
/** One of a list, or none. */
export const optionalOf = <const Options extends readonly string[]>(...options: Options) =>
  v.optional(
    v.nullable(
      v.pipe(
        v.picklist(['', ...options], 'choose'),
        v.transform((value) => (value === '' ? null : value)),
      ),
    ),
  )
/** Yes, no or unknown; a form's select sends words. */
export const optionalFlag = v.optional(
  v.nullable(
    v.pipe(
      v.union([v.boolean(), v.picklist(['true', 'false', ''])], 'boolean'),
      v.transform((value) => (value === '' ? null : value === true || value === 'true')),
    ),
  ),
)

/** School year of a school or student. */
export const academicYear = v.pipe(
  v.string('required'),
  v.trim(),
  v.nonEmpty('required'),
  v.regex(/^\d{4}-\d{4}$/, 'academic_year'),
  v.check((text) => Number(text.slice(5)) === Number(text.slice(0, 4)) + 1, 'academic_year'),
)

/** `?review=1` of an import: it stops in `review` until confirmed (Imports 3.1). */
export const reviewQuery = v.object({
  review: v.optional(
    v.pipe(
      v.picklist(['0', '1'], 'invalid'),
      v.transform((word) => word === '1'),
    ),
    '0',
  ),
})
/** Body of an import: its one file, and the headings of it that a person named. */
export const fileBody = <const Field extends string>(field: Field) =>
  v.object({
    ...({ [field]: excelUpload } as Record<Field, typeof excelUpload>),
    headings: headingsField,
  })
/** An import answers at once; `imports.read` tells the rest. */
export const importStarted = v.object({ message: v.string(), import: v.object({ id: v.number() }) })
/** An export answers at once; the file follows under `storage.exported`. */
export const exportStarted = v.object({ message: v.string(), file_name: v.string() })

/** A place, school or person as others name it. */
export const Named = v.object({ id: v.number(), name: v.string() })
export type Named = v.InferOutput<typeof Named>
