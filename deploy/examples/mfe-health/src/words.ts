import { msg } from '@lingui/core/macro'
import { i18n } from '@portal/sdk'
import type { IconName } from '@portal/ui/Icon'
import type { Tone } from '@portal/ui/StatusPill'
import { type Outcome, outcomes, type Reason, reasons } from './visits.ts'

const reasonWords: Record<Reason, ReturnType<typeof msg>> = {
  'check-up': msg`Check-up`,
  illness: msg`Illness`,
  injury: msg`Injury`,
  nutrition: msg`Nutrition`,
  vaccination: msg`Vaccination`,
}

const outcomeWords: Record<Outcome, ReturnType<typeof msg>> = {
  'in-class': msg`Back in class`,
  rest: msg`Resting at home`,
  referred: msg`Referred to a health centre`,
}

/** A reason in the person's language. */
export const reasonName = (reason: Reason) => i18n._(reasonWords[reason])

/** An outcome in the person's language. */
export const outcomeName = (outcome: Outcome) => i18n._(outcomeWords[outcome])

/** The closed lists as choices for a form. */
export const reasonOptions = () => reasons.map((value) => ({ value, label: reasonName(value) }))
export const outcomeOptions = () => outcomes.map((value) => ({ value, label: outcomeName(value) }))

/** Tone and icon of an outcome. The word is shown as well, because colour alone is not enough. */
export const outcomeLook: Record<Outcome, { tone: Tone; icon: IconName }> = {
  'in-class': { tone: 'good', icon: 'good' },
  rest: { tone: 'waiting', icon: 'clock' },
  referred: { tone: 'info', icon: 'arrow' },
}
