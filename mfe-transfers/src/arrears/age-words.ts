import { t } from '@lingui/core/macro'
import type { ArrearAge } from '@portal/contracts/transfers/arrears'

/** What an age of arrears is called. */
export const ageName = (age: ArrearAge): string =>
  ({
    '0-30': t`0 to 30 days`,
    '31-60': t`31 to 60 days`,
    '61-90': t`61 to 90 days`,
    'over-90': t`More than 90 days`,
  })[age]
