import { t } from '@lingui/core/macro'
import type { Problem } from '@portal/client/problem'
import type { Endpoint } from '@portal/contracts/endpoint'
import { say } from '@portal/contracts/sentences'
import { currentLocale } from '@portal/i18n/locale'
import {
  type Field,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  get,
  type Resolver,
  set,
  type UseFormReturn,
} from 'react-hook-form'
import { type ProblemForm, problemText } from './problemText.tsx'

type Issue = { message: string; path?: readonly (PropertyKey | { key: PropertyKey })[] }
type Checked = { value: unknown; issues?: undefined } | { issues: readonly Issue[] }
/** A form's values as the schema of a call reads them, or why it does not. */
export const check = (schema: NonNullable<Endpoint['body']>, values: unknown) =>
  schema['~standard'].validate(values) as Checked

/** The first message per field, in the current language. Values stay as typed: the call reads them. */
export function schemaResolver<Values extends FieldValues>(endpoint: Endpoint): Resolver<Values> {
  return (values) => {
    const result = endpoint.body ? check(endpoint.body, values) : { value: values }
    if (!result.issues) return { values, errors: {} }
    const errors: FieldErrors<Values> = {}
    for (const { message, path = [] } of result.issues) {
      const name = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.') || 'root'
      if (!get(errors, name))
        set(errors, name, { type: 'schema', message: say(message, currentLocale(), name) })
    }
    return { values: {}, errors }
  }
}

/** The names of the fields that a call takes. */
export const namesOf = (endpoint: Endpoint) =>
  Object.keys((endpoint.body as { entries?: object } | undefined)?.entries ?? {})

/** Maps `details.api_key` to the field of that name or, if there is none, to `details`; errors without a field are shown above the form. */
export function showFieldErrors<Values extends FieldValues>(
  problem: Problem,
  endpoint: Endpoint,
  fields: UseFormReturn<Values>,
) {
  const names = namesOf(endpoint)
  const shown = new Set<string>()
  for (const [path, [message]] of Object.entries(problem.errors)) {
    const [first = path] = path.split('.')
    const name = fields.control._names.mount.has(path) ? path : first
    if (!names.includes(first) || shown.has(name)) continue
    fields.setError(name as FieldPath<Values>, { type: 'server', message }, { shouldFocus: shown.size === 0 })
    shown.add(name)
  }
}

/** Sentences of a refusal that no field of the dialog shows. */
export function unplaced<Values extends FieldValues>(
  problem: Problem,
  { control }: UseFormReturn<Values>,
  shows: readonly string[] = [],
): string[] {
  const isMounted = (name: string) => Boolean((get(control._fields, name) as Field | undefined)?._f?.mount)
  return Object.entries(problem.errors).flatMap(([path, messages]) => {
    const [first = path] = path.split('.')
    return isMounted(path) || isMounted(first) || shows.includes(first) ? [] : messages.slice(0, 1)
  })
}

/** Whether a refusal is about fields alone: the form's own, which says nothing itself, or one of the server that names them. */
export const isOfFields = (problem: Problem, rest: string[]) =>
  problem.kind === 'invalid' &&
  (Object.keys(problem.errors).length > 0 ? rest.length === 0 : problem.message === '')

/** The sentence above a form that was refused; `elsewhere` is what no field of it says. */
export function failureText(problem: Problem, elsewhere: string, form: ProblemForm): string {
  // The shell shows the sign-in over the form, so the form's state must be right afterwards.
  if (problem.kind === 'signed-out') return t`Your session had ended, so nothing was saved. Send it again.`
  if (problem.disconnected)
    return t`There is no connection to the portal. Nothing is lost: what you typed stays here, send it again when the connection is back.`
  return [problemText(problem, form), elsewhere].filter(Boolean).join(' ')
}
