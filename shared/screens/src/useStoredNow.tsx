import type { Endpoint } from '@portal/contracts/endpoint'
import { useEffect } from 'react'
import type { FieldPath } from 'react-hook-form'
import type { EndpointForm, ValuesOf } from './useEndpointForm.tsx'

/**
 * Brings hidden fields of a confirmation up to date after a 409: the next try is about what the dialog shows by then. Before
 * it the form keeps what it was opened with, so that nobody confirms what changed without being told.
 */
export function useStoredNow<E extends Endpoint>(form: EndpointForm<E>, stored: Partial<ValuesOf<E>>) {
  const refused = form.problem?.status === 409
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other values are set
  useEffect(() => {
    if (!refused) return
    for (const [name, value] of Object.entries(stored))
      form.fields.setValue(name as FieldPath<ValuesOf<E>>, value as never)
  }, [refused, JSON.stringify(stored)])
}
