import { Trans, useLingui } from '@lingui/react/macro'
import { Notice } from '@portal/ui/Notice'
import './words.ts'

/** Where one pair of eyes is enough (the demo), the pages of decisions say so. */
export function OneEyeBanner() {
  const { t } = useLingui()
  return (
    <Notice tone="waiting" icon="shield" title={t`The rule of two people is switched off here.`}>
      <Trans>
        Whoever uploads a list or changes an agency may also approve it. That is for demonstrations, never for
        real payments.
      </Trans>
    </Notice>
  )
}
