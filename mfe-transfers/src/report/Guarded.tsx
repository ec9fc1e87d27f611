import { Trans } from '@lingui/react/macro'
import { Count, Nothing } from '@portal/ui/Money'

/** A count of girls. A small one is hidden, and zero is shown as a dash. */
export function Guarded({ count }: { count: number | null }) {
  if (count === null)
    return (
      <span className="muted">
        <Trans>hidden</Trans>
      </span>
    )
  return count === 0 ? <Nothing /> : <Count value={count} />
}
