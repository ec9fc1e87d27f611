import { useLingui } from '@lingui/react'
import type { StateSteps } from '@portal/contracts/transfers/steps/step'
import { currentLocale } from '@portal/i18n/locale'
import { useCan } from '@portal/sdk'

type Props<Steps extends StateSteps> = {
  of: Steps
  state: keyof Steps & string
  /** The reason stands beside it already. */
  onlyNext?: boolean
}

/** Why something does not go on by itself, and what the person who reads it can do, or whom to ask. */
export function NextStep<Steps extends StateSteps>({ of, state, onlyNext }: Props<Steps>) {
  useLingui()
  const can = useCan()
  const step = of[state]
  if (!step) return null
  const locale = currentLocale()
  const next = can(step.by) ? step.can : step.ask
  return <>{onlyNext ? next[locale] : `${step.why[locale]} ${next[locale]}`}</>
}
