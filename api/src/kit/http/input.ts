import { importSentences } from '@portal/contracts/imports/import-sentences'
import type { Text } from '@portal/contracts/sentences'
import { say } from './messages.ts'
import { invalid, Refusal } from './refusals.ts'

/** How deeply the values of a call may be nested. Everything that walks or stores them is written recursively. */
const deepest = 20

/** The first reason why a value cannot be stored, with the path to it. */
type Fault = { path: string[]; reason: Text }

/**
 * Finds texts that PostgreSQL cannot store (NUL, half a character), values that are nested too deeply, and empty files.
 * It keeps its own list of what is left, because recursion would end at the same values that it looks for.
 */
export function inputFaults(value: unknown): Fault[] {
  const faults: Fault[] = []
  const rest: { value: unknown; path: string[] }[] = [{ value, path: [] }]
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { value, path } = next
    if (typeof value === 'string' && !storable(value)) faults.push({ path, reason: say.strangeText })
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue
    if (path.length > deepest) return [{ path: path.slice(0, 1), reason: say.tooDeep }]
    if (isEmptyFile(value)) faults.push({ path, reason: importSentences.workbook_empty_file })
    for (const [key, inner] of Object.entries(value)) {
      if (storable(key)) rest.push({ value: inner, path: [...path, key] })
      else faults.push({ path, reason: say.strangeText })
    }
  }
  return faults
}

const storable = (text: string) => !text.includes('\u0000') && text.isWellFormed()

const isEmptyFile = (value: object) =>
  'sha256' in value && ArrayBuffer.isView(value.sha256) && 'size' in value && value.size === 0

/** Refuses a value that cannot be stored with a 422 that names the fields. `field` is the one that the value is in. */
export function refuseBadInput(value: unknown, field?: string): void {
  const faults = inputFaults(value)
  const [first] = faults
  if (!first) return
  if (field && first.reason === say.tooDeep) throw invalid({ [field]: say.tooDeep })
  const nameOf = (path: string[]) => [...(field ? [field] : []), ...path].join('.')
  const named = faults.slice(0, 20).map(({ path, reason }) => [nameOf(path), [reason]] as [string, Text[]])
  if (named.some(([name]) => name === '')) throw new Refusal(422, first.reason)
  throw new Refusal(422, say.invalid, { errors: Object.fromEntries(named) })
}
