import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { done, instant } from './fields.ts'

/** Fields that are never kept, whatever form they stand in. */
export const isSecret = (field: string): boolean =>
  /passw|secret|token|api_key|^code$|^details$|recovery/i.test(field)

/** The most bytes of a draft. */
const draftBytes = 32_768

/** A value of a draft: neither a file nor an object. */
const Value = v.nullable(
  v.union([v.string(), v.number(), v.boolean(), v.array(v.union([v.string(), v.number()]))]),
)
/** Whether a field with this value may be kept. */
export const mayKeep = (field: string, value: unknown): boolean => !isSecret(field) && v.is(Value, value)

const Values = v.pipe(
  v.record(v.pipe(v.string(), v.maxLength(100, 'invalid')), Value),
  v.check((values) => !Object.keys(values).some(isSecret), 'invalid'),
)

/** What was typed, beside what the form was opened with. */
const content = {
  /** Fields that differ from `opened`. */
  values: Values,
  /** All fields as the form was opened with them, its `version` too. */
  opened: Values,
}
/** Which form: its call, and what it is about. The server compares it and reads nothing from it. */
const form = v.pipe(v.string('required'), v.nonEmpty('required'), v.maxLength(200, 'too_long|200'))

export const Draft = v.object({ ...content, saved_at: instant })
export type Draft = v.InferOutput<typeof Draft>
/** A draft as a form makes it. */
export type DraftContent = Omit<Draft, 'saved_at'>

/** Long forms of the caller's own session, as they were typed (Access 2.6). */
export const drafts = {
  read: endpoint({
    method: 'GET',
    path: '/drafts',
    access: 'session',
    query: v.object({ form }),
    answer: v.object({ draft: v.nullable(Draft) }),
  }),
  keep: endpoint({
    method: 'PUT',
    path: '/drafts',
    access: 'session',
    body: v.pipe(
      v.object({ form, ...content }),
      v.forward(
        v.check(
          ({ values, opened }) =>
            new TextEncoder().encode(JSON.stringify({ values, opened })).length <= draftBytes,
          'invalid',
        ),
        ['values'],
      ),
    ),
    answer: done,
  }),
  drop: endpoint({
    method: 'DELETE',
    path: '/drafts',
    access: 'session',
    query: v.object({ form }),
    answer: done,
  }),
}
