import { Trans, useLingui } from '@lingui/react/macro'
import { useHost } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Dialog } from '@portal/ui/Dialog'
import { Notice } from '@portal/ui/Notice'
import { Code } from '../sync/Code.tsx'

type Props = { name: string; token: string; onClose: () => void }

/** The token of a server: shown this once, kept nowhere in the clear. */
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
          It is shown only now. Whoever has it can read and write records as this server; if it is lost,
          revoke it and make another one.
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
      </dl>
    </Dialog>
  )
}
