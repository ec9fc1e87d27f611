import * as v from 'valibot'
import type { ChosenHeadings } from './sheet.ts'

/** Headings that a person named, as answers carry them. */
export const Headings = v.record(v.pipe(v.string(), v.maxLength(1000)), v.pipe(v.string(), v.maxLength(100)))

/** Headings that a person named, out of the text of a form's field; undefined where it is none. */
export function readHeadings(text: string): ChosenHeadings | undefined {
  try {
    const read = v.safeParse(Headings, JSON.parse(text))
    return read.success ? read.output : undefined
  } catch {
    return undefined
  }
}

/** The field of an upload with the headings that a person named, as JSON: a form with a file carries texts only. */
export const headingsField = v.optional(
  v.pipe(
    v.string('invalid'),
    v.maxLength(50_000, 'invalid'),
    v.check((text) => readHeadings(text) !== undefined, 'invalid'),
  ),
  '{}',
)
