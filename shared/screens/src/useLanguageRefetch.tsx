import { invalidate } from '@portal/client/query'
import type { Endpoint } from '@portal/contracts/endpoint'
import { useLingui, useQueryClient } from '@portal/sdk'
import { useEffect, useRef } from 'react'

/** Fetches again, after a change of language, what the server words itself. */
export function useLanguageRefetch(...endpoints: Endpoint[]): void {
  const queries = useQueryClient()
  const { i18n } = useLingui()
  const spoken = useRef(i18n.locale)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of language asks again
  useEffect(() => {
    if (spoken.current === i18n.locale) return
    spoken.current = i18n.locale
    void invalidate(queries, ...endpoints)
  }, [i18n.locale])
}
