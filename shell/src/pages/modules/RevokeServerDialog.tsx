import { Trans, useLingui } from '@lingui/react/macro'
import { type ModuleToken, moduleTokens } from '@portal/contracts/module-tokens'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'

type Props = { module: string; token: ModuleToken; onClose: () => void }

/** Takes a server's right to call away. */
export function RevokeServerDialog({ module, token, onClose }: Props) {
  const { t } = useLingui()
  const form = useEndpointForm(moduleTokens.revoke, {
    params: { module, id: token.id },
    refetches: [moduleTokens.list],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={t`Revoke the token`}
      description={token.name}
      form={form}
      onClose={onClose}
      confirmLabel={<Trans>Revoke this token</Trans>}
      danger
    >
      <p>
        <Trans>
          The next call of this server is refused. Records that it wrote stay. It cannot be undone: to let it
          call again, make another token.
        </Trans>
      </p>
    </ConfirmDialog>
  )
}
