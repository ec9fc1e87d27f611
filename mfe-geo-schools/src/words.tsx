import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { disabilities, maternalStatuses, severities } from '@portal/contracts/registers-students'

/** The disability scale (Registers 3.2). */
export const severityWords: Record<(typeof severities)[number], MessageDescriptor> = {
  no_difficulty: msg`No difficulty`,
  some_difficulty: msg`Some difficulty`,
  lot_of_difficulty: msg`Lot of difficulty`,
  cannot_do: msg`Cannot do`,
}

/** Maternal status (Registers 3.2). */
export const maternalWords: Record<(typeof maternalStatuses)[number], MessageDescriptor> = {
  none: msg`None`,
  pregnant: msg`Pregnant`,
  mother: msg`Mother`,
  pregnant_mother: msg`Pregnant plus mother`,
}

/** What a disability is recorded for. */
export const disabilityWords: Record<(typeof disabilities)[number], MessageDescriptor> = {
  disability_vision: msg`Vision`,
  disability_hearing: msg`Hearing`,
  disability_mobility: msg`Mobility`,
  disability_cognition: msg`Cognition`,
  disability_selfcare: msg`Self-care`,
  disability_communication: msg`Communication`,
  disability_other: msg`Other`,
}

export const genderWords: Record<'male' | 'female', MessageDescriptor> = {
  male: msg`Male`,
  female: msg`Female`,
}

export const displacedWords: Record<'displaced' | 'resident', MessageDescriptor> = {
  displaced: msg`Displaced`,
  resident: msg`Resident`,
}

/** The words of a coded value; N/A where there is none. */
export function useWords() {
  const { t, i18n } = useLingui()
  const nothing = t`N/A`
  return {
    nothing,
    of: <Code extends string>(
      words: Record<Code, MessageDescriptor>,
      code: Code | null | undefined,
    ): string => (code ? i18n._(words[code]) : nothing),
    yesNo: (value: boolean | null | undefined): string =>
      value === null || value === undefined ? nothing : value ? t`Yes` : t`No`,
    choices: <Code extends string>(words: Record<Code, MessageDescriptor>) =>
      (Object.entries(words) as [Code, MessageDescriptor][]).map(([value, word]) => ({
        value,
        label: i18n._(word),
      })),
  }
}

/** Some names, and how many more there are. */
export function Names({ names, total = names.length }: { names: readonly string[]; total?: number }) {
  const { t } = useLingui()
  const shown = names.slice(0, 3)
  const more = total - shown.length
  if (total === 0) return <>{t`N/A`}</>
  return (
    <span>
      {shown.join(', ')}
      {more > 0 && <span className="muted nowrap"> {t`and ${more} more`}</span>}
    </span>
  )
}
