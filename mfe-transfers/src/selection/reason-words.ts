import { t } from '@lingui/core/macro'
import type { LeftOutReason } from '@portal/contracts/transfers/target-selection'

/** Why a student is not on the list. */
export const reasonName = (reason: LeftOutReason): string =>
  ({
    not_a_girl: t`Not recorded as a girl`,
    no_guardian: t`No guardian in the register`,
    no_number: t`No guardian with a number of the country`,
    held: t`The girl is on hold`,
    attendance_unknown: t`Attendance of her class is not known`,
    attendance_low: t`Attendance of her class is too low`,
  })[reason]
