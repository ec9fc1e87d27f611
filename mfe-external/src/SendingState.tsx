import { useLingui } from '@lingui/react/macro'
import { formatPercent } from '@portal/i18n/format'
import { Notice } from '@portal/ui/Notice'

type Sending = { busy: boolean; share: number | null; failure: string | null }

/** The progress of sending the form, or why it was refused. */
export function SendingState({ sending }: { sending: Sending }) {
  const { t } = useLingui()
  const { busy, share, failure } = sending
  if (busy) {
    return (
      <p className="muted" role="status">
        {share !== null && share < 1
          ? `${t`Uploading file...`} ${formatPercent(share)}`
          : t`The request is being processed...`}
      </p>
    )
  }
  return (
    failure && (
      <Notice tone="bad" alert>
        {failure}
      </Notice>
    )
  )
}
