import { useLingui } from '@lingui/react'
import { StatusPill } from '@portal/ui/StatusPill'
import type { Outcome } from './visits.ts'
import { outcomeLook, outcomeName } from './words.ts'

/** How a visit ended, as icon and word. */
export function OutcomePill({ outcome }: { outcome: Outcome }) {
  useLingui()
  return <StatusPill {...outcomeLook[outcome]}>{outcomeName(outcome)}</StatusPill>
}
