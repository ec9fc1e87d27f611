import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { Profile } from '@portal/contracts/access/profile'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useSession } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { Notice } from '@portal/ui/Notice'
import { StatusPill } from '@portal/ui/StatusPill'
import { CodesReason } from './CodesReason.tsx'
import { NewRecoveryCodesDialog } from './NewRecoveryCodesDialog.tsx'
import { TurnOffCodesDialog } from './TurnOffCodesDialog.tsx'

// Lazy, because it may open with the page, which does not wait for the styles of dialogs.
const SetUpCodesDialog = lazy(() => import('./SetUpCodesDialog.tsx'), 'SetUpCodesDialog')

/** One-time codes at sign-in: whether they are on, and the way to turn them on or off. It opens by itself for whoever needs them. */
export function CodesCard({ user }: { user: Profile }) {
  const { t } = useLingui()
  const { user: me } = useSession()
  const needed = Boolean(me.totp_needed) && !user.totp
  const settingUp = useDialog(needed ? true : null)
  const turningOff = useDialog()
  const renewing = useDialog()
  const { recovery_codes: left, totp_required: stays } = user
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
        {needed && <CodesReason />}
        {user.totp && left < 3 && (
          <Notice tone="waiting">{t`Get new recovery codes before you need the last one.`}</Notice>
        )}
        {user.totp && stays && (
          <p className="muted">
            <Trans>A role of yours asks for one-time codes, so they cannot be turned off.</Trans>
          </p>
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
              {!stays && (
                <Button variant="danger" onClick={() => turningOff.open(true)}>
                  <Trans>Turn off</Trans>
                </Button>
              )}
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
