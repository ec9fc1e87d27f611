import { Trans, useLingui } from '@lingui/react/macro'
import { pageLink } from '@portal/screens/ListPage'
import { ButtonLink } from '@portal/ui/Button'
import { Notice } from '@portal/ui/Notice'
import { paths } from './paths.ts'
import { useHold } from './useHold.tsx'

/** Nothing is sent for any cohort: why, and where to look. */
export function HoldNotice() {
  const { t } = useLingui()
  const { hold } = useHold()
  if (!hold) return null
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
      {hold.reasons.join(' ')}
    </Notice>
  )
}
