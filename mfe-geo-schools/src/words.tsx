import { useLingui } from '@lingui/react/macro'

/** The words of a value that is not there: N/A. */
export function useWords() {
  const { t } = useLingui()
  return { nothing: t`N/A` }
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
