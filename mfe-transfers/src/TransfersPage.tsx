import { Trans } from '@lingui/react/macro'

/** Transfers. */
export default function TransfersPage() {
  return (
    <h1>
      <Trans>Transfers</Trans>
    </h1>
  )
}
