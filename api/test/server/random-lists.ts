import type { Endpoint } from '@portal/contracts/endpoint'
import * as v from 'valibot'

type Entries = Record<string, v.GenericSchema>
/** What a call may be asked with, by name. */
export const entriesOf = ({ query }: Endpoint): Entries => {
  const schema = query as { entries?: Entries; pipe?: { entries?: Entries }[] } | undefined
  return schema?.entries ?? schema?.pipe?.[0]?.entries ?? {}
}
export type Query = Record<string, unknown>
export type Row = Record<string, unknown>
export type Paged = { data: Row[]; current_page: number; last_page: number; total: number; per_page: number }

/** The page in an answer, wherever its contract has it. */
export function pageIn(body: unknown): Paged | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  if ('current_page' in body && 'data' in body) return body as Paged
  return Object.values(body).map(pageIn).find(Boolean)
}

/** The values of a choice, or none if the schema has no closed list. */
export function optionsOf(schema: v.GenericSchema): unknown[] {
  const inner = schema as unknown as {
    wrapped?: v.GenericSchema
    pipe?: v.GenericSchema[]
    options?: unknown[]
    literal?: unknown
  }
  if (inner.wrapped) return optionsOf(inner.wrapped)
  if (inner.literal !== undefined) return [inner.literal]
  if (inner.options && typeof inner.options[0] === 'string') return inner.options
  return inner.pipe?.[0] && inner.pipe[0] !== schema && !('pipe' in inner.pipe[0])
    ? optionsOf(inner.pipe[0])
    : []
}
export const isRequired = (schema: v.GenericSchema) => !v.is(schema, undefined)

/** The id of a row, or all that it says. */
export const keyOf = (row: Row) => (row.id === undefined ? JSON.stringify(row) : String(row.id))

/** The texts of a row that a person reads as names of things. */
export function textsOf(row: unknown, depth = 0): [string, string][] {
  if (typeof row !== 'object' || row === null || depth > 2) return []
  return Object.entries(row).flatMap(([key, value]) =>
    typeof value === 'string' &&
    /name|code|number|title|reference|email|school/.test(key) &&
    value.trim().length > 2
      ? [[key, value] as [string, string]]
      : textsOf(value, depth + 1),
  )
}
