import { t } from '@lingui/core/macro'
import type { MoneyAccount } from '@portal/contracts/transfers/accounting'

/** What an account is called. */
export const accountName = (account: MoneyAccount): string =>
  ({
    programme: t`Programme`,
    float: t`Agency float`,
    fees: t`Fees`,
    recipients: t`Owed to recipients`,
    arrears: t`Arrears`,
    written_off: t`Written off`,
  })[account]
