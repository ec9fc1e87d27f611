import { Trans, useLingui } from '@lingui/react/macro'
import { roundSteps } from '@portal/contracts/transfers/steps/round'
import { pageLink } from '@portal/screens/ListPage'
import { ButtonLink } from '@portal/ui/Button'
import { Notice } from '@portal/ui/Notice'
import { paths } from '../paths.ts'
import { NextStep } from './NextStep.tsx'
import './words.ts'

/** Nothing is sent for any cohort: why, and where to look. */
export function HoldBanner({ reasons }: { reasons: readonly string[] }) {
  const { t } = useLingui()
  return (
    <Notice
      tone="bad"
      icon="alert"
      title={t`No payments are being sent.`}
      actions={
        <ButtonLink small href={paths.hold} renderLink={pageLink}>
          <Trans>See what to do</Trans>
        </ButtonLink>
      }
    >
      {reasons.join(' ')} <NextStep of={roundSteps} state="held" onlyNext />
    </Notice>
  )
}
