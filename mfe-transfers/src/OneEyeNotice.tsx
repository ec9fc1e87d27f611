import { Trans, useLingui } from '@lingui/react/macro'
import { useSession } from '@portal/sdk'
import { Notice } from '@portal/ui/Notice'

/** Where one pair of eyes is enough (the demo), the pages of decisions say so. */
export function OneEyeNotice() {
  const { t } = useLingui()
  const { settings } = useSession()
  if (settings.four_eyes) return null
  return (
    <Notice tone="waiting" icon="shield" title={t`The rule of two people is switched off here.`}>
      <Trans>
        Whoever uploads a list or changes an agency may also approve it. That is for demonstrations, never for
        real payments.
      </Trans>
    </Notice>
  )
}
