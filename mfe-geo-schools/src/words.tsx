import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'

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
