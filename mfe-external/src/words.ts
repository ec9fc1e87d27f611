import { useLingui } from '@lingui/react/macro'
import type { Consultation } from '@portal/contracts/cases/external'

/** How a consultant is addressed. */
export function useSalutation(salutation: Consultation['salutation']): string {
  const { t } = useLingui()
  const words = { mr: t`Mr`, mrs: t`Mrs`, miss: t`Miss`, prof: t`Prof`, dr: t`Dr` }
  return words[salutation]
}
