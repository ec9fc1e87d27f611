import { useLingui } from '@lingui/react/macro'
import type { ChangeKind } from '@portal/contracts/transfers/cohort-changes'

/** The words of each kind of change. */
export function useChangeKinds(): Record<ChangeKind, string> {
  const { t } = useLingui()
  return {
    joined: t`New girl`,
    left: t`Girl who left`,
    amount: t`Amount changed`,
    number: t`Number changed`,
    name: t`Name changed`,
    held: t`On hold now`,
    owed: t`Owed from before`,
  }
}
