import { Trans } from '@lingui/react/macro'

/** Cases. */
export default function CasesPage() {
  return (
    <h1>
      <Trans>Cases</Trans>
    </h1>
  )
}
