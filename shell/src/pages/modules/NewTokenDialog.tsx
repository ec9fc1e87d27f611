import { Trans, useLingui } from '@lingui/react/macro'
import { Sheet } from '@portal/ui/Figures'
import { KeepDialog } from '../KeepDialog.tsx'
import { Code } from '../sync/Code.tsx'

type Props = { name: string; token: string; onClose: () => void }

/** The token of a server: shown this once, kept nowhere in the clear. */
export function NewTokenDialog({ name, token, onClose }: Props) {
  const { t } = useLingui()
  return (
    <KeepDialog
      title={t`Keep this token`}
      description={name}
      secret={token}
      onClose={onClose}
      words={{
        copy: t`Copy`,
        copied: t`The token is copied.`,
        notCopied: t`The browser does not allow copying. Select the token and copy it.`,
        kept: t`I have kept it`,
      }}
      warning={
        <Trans>
          It is shown only now. Whoever has it can read and write records as this server; if it is lost,
          revoke it and make another one.
        </Trans>
      }
    >
      <Sheet facts={[{ key: 'token', label: t`Token`, value: <Code>{token}</Code> }]} />
    </KeepDialog>
  )
}
