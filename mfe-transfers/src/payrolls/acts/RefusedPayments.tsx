import type { AnyForm } from '@portal/screens/useEndpointForm'

/** The payments for which an act was refused, each with its reason. */
export function RefusedPayments({ form, label }: { form: AnyForm; label: string }) {
  const refusals = Object.entries(form.problem?.errors ?? {})
    .filter(([field]) => field.startsWith('payroll_ids.'))
    .flatMap(([, sentences]) => sentences)
  if (refusals.length === 0) return null
  return (
    <ul className="lines" aria-label={label}>
      {refusals.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  )
}
