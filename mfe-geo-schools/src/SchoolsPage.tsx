import { Trans } from '@lingui/react/macro'

/** Schools. */
export default function SchoolsPage() {
  return (
    <h1>
      <Trans>Schools</Trans>
    </h1>
  )
}
