import { Trans, useLingui } from '@lingui/react/macro'
import { asProblem, type Problem } from '@portal/client/problem'
import { profile } from '@portal/contracts/access/profile'
import { totp } from '@portal/contracts/session'
import { DetailsDialog } from '@portal/screens/DetailsDialog'
import { FormDialog } from '@portal/screens/FormDialog'
import { problemText } from '@portal/screens/problemText'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useHost, useSession } from '@portal/sdk'
import { Skeleton } from '@portal/ui/Blank'
import { Notice } from '@portal/ui/Notice'
import { TextField } from '@portal/ui/TextField'
import { useEffect, useState } from 'react'
import { client } from '../../session/client.ts'
import { refreshSession } from '../../session/refresh.ts'
import { CodesReason } from './CodesReason.tsx'
import { QrCode } from './QrCode.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

type Secret = { secret: string; uri: string }

/** Shows a new secret as a picture and as text, takes the first code of it, then gives the recovery codes once. */
export function SetUpCodesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const [codes, setCodes] = useState<string[] | null>(null)
  const { user } = useSession()
  const { secret, problem } = useSecret()
  const form = useEndpointForm(totp.confirm, {
    defaults: { code: '' },
    refetches: [profile.read],
    quiet: true,
    onDone: (answer) => {
      setCodes(answer.recovery_codes)
      void refreshSession(client)
    },
  })
  if (codes) return <RecoveryCodes first codes={codes} onClose={onClose} />
  if (problem) {
    return (
      <DetailsDialog title={t`Set up one-time codes`} onClose={onClose}>
        <Notice tone="bad" alert>
          {problemText(problem)}
        </Notice>
      </DetailsDialog>
    )
  }
  return (
    <FormDialog
      title={t`Set up one-time codes`}
      description={t`With an authenticator app such as Aegis, FreeOTP, Google Authenticator or Microsoft Authenticator.`}
      form={form}
      onClose={onClose}
      submitLabel={t`Turn on one-time codes`}
    >
      {user.totp_needed && <CodesReason />}
      <p>
        <Trans>1. Scan this picture with the app, or type the key into it.</Trans>
      </p>
      <div className="qr-line">
        {secret ? <QrCode text={secret.uri} /> : <Skeleton width={176} height={176} />}
        <div>
          <p className="muted">
            <Trans>Key</Trans>
          </p>
          <p className="mono qr-key">{secret?.secret.replace(/(.{4})(?=.)/g, '$1 ')}</p>
        </div>
      </div>
      <p>
        <Trans>2. Write the code that the app shows now.</Trans>
      </p>
      <TextField
        control={form.control}
        name="code"
        label={t`Code`}
        help={t`Six digits; a new one every 30 seconds.`}
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={10}
        required
      />
    </FormDialog>
  )
}

/** Asks for one secret per opening, because a second call replaces the first secret. */
function useSecret() {
  const { client } = useHost()
  const [secret, setSecret] = useState<Secret | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  useEffect(() => {
    client.call(totp.start).then(setSecret, (thrown: unknown) => setProblem(asProblem(thrown)))
  }, [client])
  return { secret, problem }
}
