import { Trans, useLingui } from '@lingui/react/macro'
import { saveFile } from '@portal/screens/ExportButton'
import { useHost } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Dialog } from '@portal/ui/Dialog'
import { Notice } from '@portal/ui/Notice'

/** The codes that replace a lost phone. They are shown this once. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useLingui()
  const { notify } = useHost()
  const text = codes.join('\n')
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => notify.good(t`The recovery codes are copied.`),
      () => notify.bad(t`The browser does not allow copying. Write the codes down.`),
    )
  return (
    <Dialog
      title={t`Keep your recovery codes`}
      description={t`One-time codes are on.`}
      onClose={onClose}
      footer={
        <>
          <span className="grow" />
          <Button icon="copy" onClick={() => void copy()}>
            <Trans>Copy</Trans>
          </Button>
          <Button
            icon="download"
            onClick={() =>
              saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'portal-recovery-codes.txt')
            }
          >
            <Trans>Save as a file</Trans>
          </Button>
          <Button variant="primary" onClick={onClose}>
            <Trans>I have kept them</Trans>
          </Button>
        </>
      }
    >
      <Notice tone="waiting">
        <Trans>
          Without your phone, each of them signs you in once. They are shown only now: keep them where your
          phone is not.
        </Trans>
      </Notice>
      <ul className="recovery-codes mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </Dialog>
  )
}
