import type { CallArgs, Rest } from '@portal/client/client'
import { asProblem, Problem } from '@portal/client/problem'
import { fillPath } from '@portal/client/request'
import type { AnswerOf, BodyOf, Endpoint, ParamsOf } from '@portal/contracts/endpoint'
import { useHost, useQueryClient } from '@portal/sdk'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import {
  type Control,
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  type UseFormReturn,
  useForm,
} from 'react-hook-form'
import type { LongForm } from './draft/draft-of.ts'
import { check, failureText, namesOf, schemaResolver, showFieldErrors } from './form-refusals.ts'
import type { ProblemForm } from './problemText.tsx'
import { refetchTwice } from './refetchTwice.tsx'
import { same } from './same.ts'
import { useErrorsInLanguage, useRefusal } from './useRefusal.ts'

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
  const { client, notify } = useHost()
  const queries = useQueryClient()
  const [sent, setSent] = useState<number | null>(null)
  const [busy, setBusy] = useState(false)
  const calling = useRef(false)
  const ended = useRef(false)
  const key = useRef<string>(undefined)
  const fields = useForm<ValuesOf<E>>({
    defaultValues: (options.defaults ?? {}) as DefaultValues<ValuesOf<E>>,
    resolver: schemaResolver<ValuesOf<E>>(endpoint),
    shouldUnregister: false,
  })
  const { isDirty } = fields.formState
  const withoutGuard = useUnsavedGuard(isDirty)
  useErrorsInLanguage(fields)
  const { problem, elsewhere, setProblem } = useRefusal(fields, options.shows)

  const succeed = (values: ValuesOf<E>, answer: AnswerOf<E>) => {
    const later = typedSince(fields, values)
    ended.current = true
    withoutGuard(() => fields.reset(values))
    options.onDone?.(answer)
    for (const [name, value] of later)
      fields.setValue(name as FieldPath<ValuesOf<E>>, value as never, { shouldDirty: true })
    const message = (answer as { message?: unknown } | null)?.message
    if (typeof message === 'string' && message && !options.quiet) notify.good(message)
    window.scrollTo({ top: 0 })
    refetchTwice(queries, options.refetches)
  }
  // A form that is invalid in the browser shows the same general sentence as a 422, without a call.
  const refused = () => setProblem(new Problem(422))
  const send = fields.handleSubmit(async (values) => {
    // A second click may come before React has rendered the first.
    if (calling.current) return
    calling.current = true
    setBusy(true)
    setProblem(null)
    // An answer may be lost after the server has saved: the next press then makes nothing twice. Only a secure page can make keys.
    if (endpoint.method === 'POST') key.current ??= crypto.randomUUID?.()
    try {
      const args = [
        { ...argsOf(endpoint, options, values, setSent), form: key.current },
      ] as unknown as Rest<E>
      const answer = await client.call(endpoint, ...args)
      // A form that stays on its page makes another thing next.
      key.current = undefined
      succeed(values, answer)
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

/**
 * Guards what was typed, also while it is sent: the call may fail. The answer resets the form and ends the guard at once, and
 * with it a question whether to leave: what follows a success closes this dialog or leads to another page, and must not be
 * asked about.
 */
function useUnsavedGuard(isDirty: boolean): (reset: () => void) => void {
  const { registerDirty } = useHost()
  const unguard = useRef<() => void>(undefined)
  useEffect(() => {
    if (!isDirty) return
    unguard.current = registerDirty()
    return unguard.current
  }, [isDirty, registerDirty])
  return (reset) =>
    flushSync(() => {
      reset()
      unguard.current?.()
    })
}

/** What was typed after these values were sent: a form that stays on its page keeps it. */
const typedSince = <Values extends FieldValues>(fields: UseFormReturn<Values>, sent: Values) =>
  Object.entries(fields.getValues()).filter(([name, value]) => !same(value, sent[name]))

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
