import { Trans } from '@lingui/react/macro'

/** Preview. */
export default function PreviewPage() {
  return (
    <h1>
      <Trans>Preview</Trans>
    </h1>
  )
}
