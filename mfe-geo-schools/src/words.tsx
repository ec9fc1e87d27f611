import { useLingui } from '@lingui/react/macro'

/** The words of a value that is not there: N/A. */
export function useWords() {
  const { t } = useLingui()
  return { nothing: t`N/A` }
}

/** The last name of somebody whose first name has a column of its own; phones have no room for one. */
export const LastName = ({ user }: { user: { first_name: string; last_name: string } }) => (
  <span>
    {user.last_name}
    <span className="only-phone"> {user.first_name}</span>
  </span>
)

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
