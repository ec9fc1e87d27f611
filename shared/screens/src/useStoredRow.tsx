import type { Endpoint } from '@portal/contracts/endpoint'
import { useEffect, useState } from 'react'
import type { FieldPath } from 'react-hook-form'
import type { EndpointForm, ValuesOf } from './useEndpointForm.tsx'

/**
 * The row that a confirmation is about, where the page behind it only lists it: after a 409 it is read again, and the next
 * try is about what the dialog shows by then. An answer that fails changes nothing, and another try asks again.
 */
export function useStoredRow<E extends Endpoint, Row extends { version: number }>(
  form: EndpointForm<E>,
  opened: Row,
  read: () => Promise<Row | undefined>,
): Row {
  const [row, setRow] = useState(opened)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal asks once
  useEffect(() => {
    if (form.problem?.status !== 409) return
    let open = true
    const take = (stored: Row | undefined) => {
      if (!open || !stored) return
      setRow(stored)
      form.fields.setValue('version' as FieldPath<ValuesOf<E>>, stored.version as never)
    }
    read().then(take, () => undefined)
    return () => {
      open = false
    }
  }, [form.problem])
  return row
}
