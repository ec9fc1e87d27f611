import type { Problem } from '@portal/client/problem'
import { useLingui } from '@portal/sdk'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import { isOfFields, unplaced } from './form-refusals.ts'

/** Why a form was refused last, and what of that no field of it says; `shows` are fields without a control of this form. */
export function useRefusal<Values extends FieldValues>(
  fields: UseFormReturn<Values>,
  shows?: readonly string[],
) {
  const [problem, setProblem] = useState<Problem | null>(null)
  const rest = (of: Problem) => unplaced(of, fields, shows)

  // Once every field that was refused is mended, its general sentence would be wrong.
  const isRefused = Object.keys(fields.formState.errors).length > 0
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
  return { problem, elsewhere, setProblem }
}

/** Validation sentences follow the language; the server's sentences stay in the language of the call. */
export function useErrorsInLanguage<Values extends FieldValues>(fields: UseFormReturn<Values>): void {
  const { i18n } = useLingui()
  const { errors } = fields.formState
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of language asks again
  useEffect(() => {
    const stale = Object.entries(errors).filter(
      ([, error]) => error && (error as { type?: unknown }).type !== 'server',
    )
    if (stale.length > 0) void fields.trigger(stale.map(([name]) => name as FieldPath<Values>))
  }, [i18n.locale])
}
