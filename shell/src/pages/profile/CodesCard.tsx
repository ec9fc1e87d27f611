import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { Profile } from '@portal/contracts/profile'
import { useDialog } from '@portal/screens/useDialog'
import { useSession } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { Notice } from '@portal/ui/Notice'
import { StatusPill } from '@portal/ui/StatusPill'
import { NewRecoveryCodesDialog } from './NewRecoveryCodesDialog.tsx'
import { SetUpCodesDialog } from './SetUpCodesDialog.tsx'
import { TurnOffCodesDialog } from './TurnOffCodesDialog.tsx'

/** One-time codes at sign-in: whether they are on, and the way to turn them on or off. */
export function CodesCard({ user }: { user: Profile }) {
  const { t } = useLingui()
  const { user: me } = useSession()
  const settingUp = useDialog()
  const turningOff = useDialog()
  const renewing = useDialog()
  const { recovery_codes: left } = user
  return (
    <Card
      title={t`One-time codes`}
      text={t`Besides your password, a code from an app on your phone. Whoever learns your password alone cannot sign in.`}
      actions={
        user.totp ? (
          <StatusPill tone="good">{t`On`}</StatusPill>
        ) : (
          <StatusPill tone="neutral" icon="lock">{t`Off`}</StatusPill>
        )
      }
      padded
    >
      <div className="stack">
        {me.totp_needed && !user.totp && (
          <Notice tone="waiting" title={t`A role of yours asks for one-time codes.`}>
            {t`What it allows is open to you once you have set them up.`}
          </Notice>
        )}
        {user.totp && left < 3 && (
          <Notice tone="waiting">{t`Get new recovery codes before you need the last one.`}</Notice>
        )}
        <div className="actions">
          {user.totp ? (
            <>
              <span className="muted">
                <Plural
                  value={left}
                  _0="No recovery code is left."
                  one="# recovery code is left."
                  other="# recovery codes are left."
                />
              </span>
              <Button icon="shield" onClick={() => renewing.open(true)}>
                <Trans>New recovery codes</Trans>
              </Button>
              <Button variant="danger" onClick={() => turningOff.open(true)}>
                <Trans>Turn off</Trans>
              </Button>
            </>
          ) : (
            <Button icon="shield" onClick={() => settingUp.open(true)}>
              <Trans>Set up one-time codes</Trans>
            </Button>
          )}
        </div>
      </div>
      {settingUp.item && <SetUpCodesDialog onClose={settingUp.close} />}
      {renewing.item && <NewRecoveryCodesDialog onClose={renewing.close} />}
      {turningOff.item && <TurnOffCodesDialog onClose={turningOff.close} />}
    </Card>
  )
}
