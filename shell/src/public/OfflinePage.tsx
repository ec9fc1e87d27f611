import { Trans, useLingui } from '@lingui/react/macro'
import { WaitingPage } from './WaitingPage.tsx'

/** Stands in for a page that could not be fetched, out of the browser's own store: nothing of a person is on it. */
export function OfflinePage() {
  const { t } = useLingui()
  return (
    <WaitingPage title={t`There is no connection`}>
      <Trans>
        This page could not be fetched. It opens by itself as soon as the connection is back; what you typed
        in other tabs is still there.
      </Trans>
    </WaitingPage>
  )
}
