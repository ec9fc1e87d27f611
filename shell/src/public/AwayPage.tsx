import { Trans, useLingui } from '@lingui/react/macro'
import { WaitingPage } from './WaitingPage.tsx'

/** Stands in for a page of the portal while the server cannot read who asks for it. */
export function AwayPage() {
  const { t } = useLingui()
  return (
    <WaitingPage title={t`The portal does not answer at the moment`}>
      <Trans>
        Its database cannot be reached. Nothing that was saved is lost. This page opens by itself as soon as
        the database answers; what you typed in other tabs is still there.
      </Trans>
    </WaitingPage>
  )
}
