import { useLingui } from '@lingui/react'
import { StatusPill } from '@portal/ui/StatusPill'
import type { Outcome } from './visits.ts'
import { outcomeLook, outcomeName } from './words.ts'

/** The outcome of a visit, as icon and word. */
export function OutcomePill({ outcome }: { outcome: Outcome }) {
  useLingui()
  return <StatusPill {...outcomeLook[outcome]}>{outcomeName(outcome)}</StatusPill>
}
