import * as v from 'valibot'
import { Label } from './manifest-search.ts'

/** A switch of the module: an administrator decides who has it, `useFlag` asks. */
export const DeclaredFlag = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,39}$/, 'A flag is named in small letters.')),
  title: Label,
  /** What it changes for whoever has it, in a sentence. */
  text: Label,
  /** Whether people have it until somebody decides. */
  default: v.boolean(),
})
export type DeclaredFlag = v.InferOutput<typeof DeclaredFlag>
