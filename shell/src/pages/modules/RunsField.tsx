import { Trans, useLingui } from '@lingui/react/macro'
import { FieldFrame } from '@portal/ui/FieldFrame'
import { Notice } from '@portal/ui/Notice'

type Props = { trusted: boolean; isolates: boolean; onChange: (trusted: boolean) => void }

/** Where a version will run: in a frame, or in the portal's own page. `isolates`: the portal has an origin for frames. */
export function RunsField({ trusted, isolates, onChange }: Props) {
  const { t } = useLingui()
  const choice = (value: boolean, label: string, text: string) => (
    <label className="check">
      <input type="radio" name="runs" checked={trusted === value} onChange={() => onChange(value)} />
      <span className="strong">{label}</span>
      <small>{text}</small>
    </label>
  )
  return (
    <FieldFrame label={t`How it runs`} group>
      {() => (
        <>
          <div className="checks runs">
            {choice(
              false,
              t`Isolated`,
              t`In a frame of its own. It may do what is listed below and the person may do, and nothing else. The audit log names it.`,
            )}
            {choice(
              true,
              t`Trusted`,
              t`In the portal’s own page. It can read and do all that the person who opens the portal may, under their name.`,
            )}
          </div>
          {trusted ? <TrustNotice /> : !isolates && <NoOrigin />}
        </>
      )}
    </FieldFrame>
  )
}

/** What trust in a version means, in plain words. */
export const TrustNotice = () => (
  <Notice tone="waiting">
    <Trans>
      Its code gets the rights of whoever opens the portal, yours too: it can approve payments, read every
      person and change roles. Trust it only if you know this team and have read what changed. The next
      version is isolated again.
    </Trans>
  </Notice>
)

const NoOrigin = () => (
  <Notice tone="bad">
    <Trans>
      This portal has no second address (PORTAL_MODULES_URL), so isolated versions are not shown. Ask whoever
      operates it.
    </Trans>
  </Notice>
)
