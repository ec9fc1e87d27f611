import { Trans, useLingui } from '@lingui/react/macro'
import { Card } from '@portal/ui/Card'
import { Sheet } from '@portal/ui/Figures'
import { Code } from './Code.tsx'

/** Where a device sends its messages, and by what it is known. */
export const syncAddress = () => `${window.location.origin}/api/sync/messages`

/** What whoever sets up a device must know. */
export function Connecting() {
  const { t } = useLingui()
  return (
    <Card
      title={<Trans>How a device is connected</Trans>}
      text={
        <Trans>
          RapidPro webhooks, KoboToolbox REST services, CommCare forwarding and the portal’s own messages are
          understood at one address.
        </Trans>
      }
    >
      <Sheet
        facts={[
          {
            key: 'address',
            label: t`Address (POST)`,
            value: <Code>{syncAddress()}</Code>,
          },
          {
            key: 'header',
            label: t`Header`,
            value: <Code>Authorization: Bearer {t`TOKEN`}</Code>,
          },
          {
            key: 'twice',
            label: t`Sent twice`,
            value: t`A message counts once, however often it arrives. Send it again when no answer came.`,
          },
        ]}
      />
    </Card>
  )
}
