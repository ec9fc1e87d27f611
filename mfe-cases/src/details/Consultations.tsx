import { Trans, useLingui } from '@lingui/react/macro'
import type { Referral } from '@portal/contracts/cases'
import { formatDate, formatDateTime } from '@portal/i18n/format'
import { pageLink } from '@portal/screens/ListPage'
import { useCan } from '@portal/sdk'
import { Blank } from '@portal/ui/Blank'
import { Button, ButtonLink } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { Notice } from '@portal/ui/Notice'
import { paths } from '../paths.ts'
import { expertName, isAwaited, isUndelivered, ReferralPill } from '../words.tsx'
import type { CaseAct } from './CaseActions.tsx'

type Props = { caseId: number; referrals: Referral[]; may: boolean; onAct: (act: CaseAct) => void }

/** Who was asked outside, and where each request stands. */
export function Consultations({ caseId, referrals, may, onAct }: Props) {
  const { t } = useLingui()
  const can = useCan()
  // The page belongs to another module, which asks for one of these.
  const mayPreview = can(['cases.view', 'cases.manage'])
  return (
    <Card title={t`External consultation input`} note={referrals.some(isAwaited) && t`One request is open`}>
      {referrals.length === 0 && <Blank icon="external" title={t`No external consultations yet`} />}
      {referrals.map((referral) => {
        const asked = formatDateTime(referral.created_at)
        const until = formatDate(referral.expires_at)
        const refused = Boolean(referral.rejected_at && !referral.resolved_at)
        return (
          <section key={referral.id} className="consultation" aria-label={expertName(referral)}>
            <div className="row">
              <span className="grow">
                <b>{expertName(referral)}</b> <span className="muted">· {referral.profession}</span>
                <small className="muted">
                  {isAwaited(referral) ? (
                    <Trans>
                      Asked {asked} · link valid until {until}
                    </Trans>
                  ) : (
                    <Trans>Asked {asked}</Trans>
                  )}
                </small>
              </span>
              <ReferralPill referral={referral} />
            </div>
            <blockquote className="pre-line">{referral.comment}</blockquote>
            {isUndelivered(referral) && <Undelivered referral={referral} may={may} />}
            <div className="row">
              <Button small disabled={refused} onClick={() => onAct({ read: referral })}>
                <Trans>See Details</Trans>
              </Button>
              {mayPreview && isAwaited(referral) && (
                <ButtonLink small icon="eye" href={paths.preview(caseId, referral.id)} renderLink={pageLink}>
                  <Trans>See as the expert</Trans>
                </ButtonLink>
              )}
              {may && isAwaited(referral) && (
                <Button small variant="danger" onClick={() => onAct({ withdraw: referral })}>
                  <Trans>Withdraw</Trans>
                </Button>
              )}
            </div>
          </section>
        )
      })}
    </Card>
  )
}

/** Says that the expert has no link, and to the reviewer what she can do (Cases 4.7). */
function Undelivered({ referral, may }: { referral: Referral; may: boolean }) {
  const { t } = useLingui()
  const { email } = referral
  if (referral.undelivered === 'refused')
    return (
      <Notice tone="bad" title={t`The letter was not delivered: the address ${email} was refused.`}>
        {may && t`Withdraw the request and ask again with the right address.`}
      </Notice>
    )
  return (
    <Notice
      tone="bad"
      title={t`The letter to ${email} was not delivered: no mail server took it within two days.`}
    >
      {may && t`Check the address, withdraw the request and ask again.`}
    </Notice>
  )
}
