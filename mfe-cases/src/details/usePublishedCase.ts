import { useHost } from '@portal/sdk'
import { useEffect, useRef } from 'react'
import type { CaseAnswer } from './useCase.tsx'

/** Tells modules with a tab on this page that its case has changed, whoever changed it: its history is longer. */
export function usePublishedCase(complain: CaseAnswer['complain'] | undefined): void {
  const { events } = useHost()
  const seen = useRef<{ id: number; acts: number } | null>(null)
  const { id, status, states } = complain ?? {}
  const acts = states?.length
  useEffect(() => {
    if (id === undefined || acts === undefined || !status) return
    const changed = seen.current?.id === id && seen.current.acts !== acts
    seen.current = { id, acts }
    if (changed) void events?.publish('mfe-cases:case-changed', { case: id, status }).catch(lost)
  }, [events, id, status, acts])
}

/** An event is a hint to read again. Without it a tab shows what it has read before. */
const lost = () => undefined
