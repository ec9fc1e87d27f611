import { useLingui } from '@lingui/react'
import type { StateStep } from '@portal/contracts/state-step'
import { type SteppedThing, stateSteps } from '@portal/contracts/state-steps'
import { currentLocale } from '@portal/i18n/locale'
import { useCan } from '@portal/sdk'

type Of<Thing extends SteppedThing> = { of: Thing; state: keyof (typeof stateSteps)[Thing] }
type Props = { [Thing in SteppedThing]: Of<Thing> }[SteppedThing] & {
  /** The reason stands beside it already. */
  onlyNext?: boolean
}

/** Why something does not go on by itself, and what the person who reads it can do, or whom to ask. */
export function NextStep({ of, state, onlyNext }: Props) {
  useLingui()
  const can = useCan()
  const steps: Partial<Record<string, StateStep | null>> = stateSteps[of]
  const step = steps[state]
  if (!step) return null
  const locale = currentLocale()
  const next = can(step.by) ? step.can : step.ask
  return <>{onlyNext ? next[locale] : `${step.why[locale]} ${next[locale]}`}</>
}
