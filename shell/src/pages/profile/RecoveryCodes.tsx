import { Trans, useLingui } from '@lingui/react/macro'
import { saveFile } from '@portal/screens/ExportButton'
import { Button } from '@portal/ui/Button'
import { KeepDialog } from '../KeepDialog.tsx'

type Props = {
  codes: readonly string[]
  /** Codes were turned on just now, which ends the person's other sessions. */
  first?: true
  onClose: () => void
}

/** The codes that replace a lost phone. They are shown this once. */
export function RecoveryCodes({ codes, first, onClose }: Props) {
  const { t } = useLingui()
  const text = codes.join('\n')
  const save = () => saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'portal-recovery-codes.txt')
  return (
    <KeepDialog
      title={t`Keep your recovery codes`}
      description={
        first ? t`One-time codes are on, and your other sessions are signed out.` : t`One-time codes are on.`
      }
      secret={text}
      onClose={onClose}
      words={{
        copy: t`Copy`,
        copied: t`The recovery codes are copied.`,
        notCopied: t`The browser does not allow copying. Write the codes down.`,
        kept: t`I have kept them`,
      }}
      ways={
        <Button icon="download" onClick={save}>
          <Trans>Save as a file</Trans>
        </Button>
      }
      warning={
        <Trans>
          Without your phone, each of them signs you in once. They are shown only now: keep them where your
          phone is not.
        </Trans>
      }
    >
      <ul className="recovery-codes mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </KeepDialog>
  )
}
