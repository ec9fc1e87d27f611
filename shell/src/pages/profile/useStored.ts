import type { Endpoint } from '@portal/contracts/endpoint'
import type { EndpointForm } from '@portal/screens/useEndpointForm'
import { useEffect, useRef } from 'react'

type Name<E extends Endpoint> = Parameters<EndpointForm<E>['fields']['setValue']>[0]

/** Lets a form of a page follow what is stored, which is read again after each change. What was chosen meanwhile stays. */
export function useStored<E extends Endpoint>({ fields }: EndpointForm<E>, stored: object) {
  const { getValues, reset, setValue } = fields
  const text = JSON.stringify(stored)
  const shown = useRef(text)
  useEffect(() => {
    if (shown.current === text) return
    const before: Record<string, unknown> = JSON.parse(shown.current)
    shown.current = text
    const chosen = Object.entries(getValues()).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
    )
    reset(JSON.parse(text))
    for (const [name, value] of chosen) setValue(name as Name<E>, value as never, { shouldDirty: true })
  }, [text, getValues, reset, setValue])
}
