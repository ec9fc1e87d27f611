import { Trans, useLingui } from '@lingui/react/macro'
import { useHost } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Dialog } from '@portal/ui/Dialog'
import { Notice } from '@portal/ui/Notice'
import { Code } from './Code.tsx'
import { syncAddress } from './Connecting.tsx'

type Props = { name: string; token: string; onClose: () => void }

/** The token of a new device: shown this once, kept nowhere in the clear. */
export function NewTokenDialog({ name, token, onClose }: Props) {
  const { t } = useLingui()
  const { notify } = useHost()
  const copy = () =>
    navigator.clipboard.writeText(token).then(
      () => notify.good(t`The token is copied.`),
      () => notify.bad(t`The browser does not allow copying. Select the token and copy it.`),
    )
  return (
    <Dialog
      title={t`Keep this token`}
      description={name}
      onClose={onClose}
      footer={
        <>
          <span className="grow" />
          <Button icon="copy" onClick={() => void copy()}>
            <Trans>Copy</Trans>
          </Button>
          <Button variant="primary" onClick={onClose}>
            <Trans>I have kept it</Trans>
          </Button>
        </>
      }
    >
      <Notice tone="waiting">
        <Trans>
          It is shown only now. Whoever has it can send messages in this device’s name; if it is lost, revoke
          it and add the device anew.
        </Trans>
      </Notice>
      <dl className="sheet-list">
        <div>
          <dt>
            <Trans>Token</Trans>
          </dt>
          <dd>
            <Code>{token}</Code>
          </dd>
        </div>
        <div>
          <dt>
            <Trans>Address</Trans>
          </dt>
          <dd>
            <Code>{syncAddress()}</Code>
          </dd>
        </div>
      </dl>
    </Dialog>
  )
}
