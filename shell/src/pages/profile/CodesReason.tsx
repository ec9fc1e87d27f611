import { useLingui } from '@lingui/react/macro'
import { Notice } from '@portal/ui/Notice'

/** Why only the profile is open to this person, and what to do. */
export function CodesReason() {
  const { t } = useLingui()
  return (
    <Notice tone="waiting" title={t`Your roles ask for one-time codes.`}>
      {t`Until you have set them up, only your profile is open to you. You need a phone with an authenticator app. After that everything is open to you at once, without signing in again.`}
    </Notice>
  )
}
