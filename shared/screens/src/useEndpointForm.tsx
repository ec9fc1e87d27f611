import { t } from '@lingui/core/macro'
import type { CallArgs, Rest } from '@portal/client/client'
import { asProblem, Problem } from '@portal/client/problem'
import { fillPath } from '@portal/client/request'
import type { AnswerOf, BodyOf, Endpoint, ParamsOf } from '@portal/contracts/endpoint'
import { say } from '@portal/contracts/sentences'
import { currentLocale } from '@portal/i18n/locale'
import { useHost, useLingui, useQueryClient } from '@portal/sdk'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import {
  type Control,
  type DefaultValues,
  type Field,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  get,
  type Resolver,
  set,
  type UseFormReturn,
  useForm,
} from 'react-hook-form'
import type { LongForm } from './draft/draft-of.ts'
import { type ProblemForm, problemText } from './problemText.tsx'
import { refetchTwice } from './refetchTwice.tsx'

/** What a form's fields hold: the endpoint's body as it is typed, before it is read. */
export type ValuesOf<E extends Endpoint> = BodyOf<E> extends FieldValues ? BodyOf<E> : Record<never, never>

/** What the dialogs need of a form, whatever its fields. */
export type AnyForm = {
  submit: () => void
  busy: boolean
  /** The general sentence of the latest refusal. */
  failure: string | null
  problem: Problem | null
  dirty: boolean
  /** Share of the upload sent so far, 0 to 1; null when nothing travels. */
  sent: number | null
  /** What is said while the call is under way, where it is more than that the request is processed. */
  progress?: string | undefined
  /** Set for a long form, whose words are kept until it is sent or left. */
  draft?: LongForm | undefined
}

/** A form bound to a call. `fields` is the whole of react-hook-form, for `watch`, `setValue` and the like. */
export type EndpointForm<E extends Endpoint> = AnyForm & {
  control: Control<ValuesOf<E>>
  fields: UseFormReturn<ValuesOf<E>>
}

/** A whole object may be given; only fields of the body's schema are sent. */
type Given<E extends Endpoint> = DefaultValues<ValuesOf<E>> | Record<string, unknown>
/** A form on a call that takes a version sends the one that it was opened with. */
type DefaultsOf<E extends Endpoint> = 'version' extends keyof ValuesOf<E>
  ? { defaults: Given<E> & { version: number } }
  : { defaults?: Given<E> }

type FormOptions<E extends Endpoint> = (keyof ParamsOf<E> extends never
  ? { params?: undefined }
  : { params: ParamsOf<E> }) &
  DefaultsOf<E> & {
    /** What the call asks for besides its body, read when it is sent. */
    query?: () => Record<string, string | number>
    /** Fetched again at once, and once more after 3 s (Calls 4.2). */
    refetches: readonly Endpoint[]
    /** After success: closes the dialog. */
    onDone?: (answer: AnswerOf<E>) => void
    /** What opens next says it: no message covers it. */
    quiet?: true
    /** Which general sentences a failure gets. */
    problems?: ProblemForm
    /** Fields without a control of this form, whose errors the dialog shows itself. */
    shows?: readonly string[]
    /** What is said while the call is under way: "Updating school...". */
    progress?: string
    /** A long form survives a closed tab (Access 2.6). Its subject, where the address of the call does not say it. */
    draft?: true | number
  }

/** Validates with the endpoint's schema, makes the call, and shows the server's errors at their fields. */
export function useEndpointForm<E extends Endpoint>(endpoint: E, options: FormOptions<E>): EndpointForm<E> {
  const { client, notify, registerDirty } = useHost()
  const queries = useQueryClient()
  const { i18n } = useLingui()
  const [problem, setProblem] = useState<Problem | null>(null)
  const [sent, setSent] = useState<number | null>(null)
  const [busy, setBusy] = useState(false)
  const calling = useRef(false)
  const ended = useRef(false)
  const fields = useForm<ValuesOf<E>>({
    defaultValues: (options.defaults ?? {}) as DefaultValues<ValuesOf<E>>,
    resolver: schemaResolver<ValuesOf<E>>(endpoint),
    shouldUnregister: false,
  })
  const { errors, isDirty } = fields.formState
  const rest = (of: Problem) => unplaced(of, fields, options.shows)
  // What was typed is guarded while it is sent, too: the call may fail. Once it has succeeded the guard is off at once, and with
  // it a question whether to leave: what follows closes this dialog or leads to another page, and must not be asked about.
  const unguard = useRef<() => void>(undefined)
  useEffect(() => {
    if (!isDirty) return
    unguard.current = registerDirty()
    return unguard.current
  }, [isDirty, registerDirty])

  // Validation sentences follow the language; the server's sentences stay in the language of the call.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of language asks again
  useEffect(() => {
    const stale = Object.entries(errors).filter(
      ([, error]) => error && (error as { type?: unknown }).type !== 'server',
    )
    if (stale.length > 0) void fields.trigger(stale.map(([name]) => name as FieldPath<ValuesOf<E>>))
  }, [i18n.locale])

  // Once every field that was refused is mended, its general sentence would be wrong.
  const isRefused = Object.keys(errors).length > 0
  const wasRefused = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a mended field asks
  useEffect(() => {
    if (wasRefused.current && !isRefused)
      setProblem((latest) => (latest && isOfFields(latest, rest(latest)) ? null : latest))
    wasRefused.current = isRefused
  }, [isRefused])

  // Read once the refusal is drawn, because a field may be drawn only then.
  const [elsewhere, setElsewhere] = useState('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal is placed once
  useLayoutEffect(() => setElsewhere(problem ? rest(problem).join(' ') : ''), [problem])

  // A form that is invalid in the browser shows the same general sentence as a 422, without a call.
  const refused = () => setProblem(new Problem(422))
  const send = fields.handleSubmit(async (values) => {
    // A second click may come before React has rendered the first.
    if (calling.current) return
    calling.current = true
    setBusy(true)
    setProblem(null)
    try {
      const answer = await client.call(
        endpoint,
        ...([argsOf(endpoint, options, values, setSent)] as unknown as Rest<E>),
      )
      fields.reset(values)
      ended.current = true
      flushSync(() => unguard.current?.())
      options.onDone?.(answer)
      const message = (answer as { message?: unknown } | null)?.message
      if (typeof message === 'string' && message && !options.quiet) notify.good(message)
      window.scrollTo({ top: 0 })
      refetchTwice(queries, options.refetches)
    } catch (thrown) {
      const failed = asProblem(thrown)
      setProblem(failed)
      showFieldErrors(failed, endpoint, fields)
      // What lies behind the dialog is not what is stored: closing it must show what is.
      if (failed.status === 409) refetchTwice(queries, options.refetches)
    } finally {
      calling.current = false
      setBusy(false)
      setSent(null)
    }
  }, refused)

  return {
    control: fields.control,
    fields,
    submit: () => void send(),
    busy,
    problem,
    failure: problem && failureText(problem, elsewhere, options.problems ?? 'request'),
    dirty: isDirty,
    sent,
    progress: options.progress,
    draft: options.draft === undefined ? undefined : longForm(endpoint, options, fields, ended),
  }
}

const longForm = <Values extends FieldValues>(
  endpoint: Endpoint,
  { params, draft }: { params?: unknown; draft?: true | number },
  fields: UseFormReturn<Values>,
  ended: LongForm['ended'],
): LongForm => ({
  form: `${endpoint.method} ${fillPath(endpoint.path, params as Record<string, unknown>)} ${Number(draft)}`,
  names: namesOf(endpoint),
  fields: fields as unknown as UseFormReturn<FieldValues>,
  ended,
})

type Issue = { message: string; path?: readonly (PropertyKey | { key: PropertyKey })[] }
type Checked = { value: unknown; issues?: undefined } | { issues: readonly Issue[] }
const check = (schema: NonNullable<Endpoint['body']>, values: unknown) =>
  schema['~standard'].validate(values) as Checked

/** The first message per field, in the current language. Values stay as typed: the call reads them. */
function schemaResolver<Values extends FieldValues>(endpoint: Endpoint): Resolver<Values> {
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

function argsOf(
  endpoint: Endpoint,
  { params, query }: { params?: unknown; query?: () => Record<string, string | number> },
  values: FieldValues,
  onUploadProgress: (share: number) => void,
) {
  const read = endpoint.body ? check(endpoint.body, values) : null
  const body = read && !read.issues ? read.value : undefined
  return {
    params,
    query: query?.(),
    body,
    ...(endpoint.multipart && { onUploadProgress }),
  } as unknown as CallArgs<Endpoint>
}

const namesOf = (endpoint: Endpoint) =>
  Object.keys((endpoint.body as { entries?: object } | undefined)?.entries ?? {})

/** Maps `details.api_key` to the field of that name or, if there is none, to `details`; errors without a field are shown above the form. */
function showFieldErrors<Values extends FieldValues>(
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
function unplaced<Values extends FieldValues>(
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
const isOfFields = (problem: Problem, rest: string[]) =>
  problem.kind === 'invalid' &&
  (Object.keys(problem.errors).length > 0 ? rest.length === 0 : problem.message === '')

function failureText(problem: Problem, elsewhere: string, form: ProblemForm): string {
  // The shell shows the sign-in over the form, so the form's state must be right afterwards.
  if (problem.kind === 'signed-out') return t`Your session had ended, so nothing was saved. Send it again.`
  if (problem.disconnected)
    return t`There is no connection to the portal. Nothing is lost: what you typed stays here, send it again when the connection is back.`
  return [problemText(problem, form), elsewhere].filter(Boolean).join(' ')
}
