import { Trans, useLingui } from '@lingui/react/macro'
import { Button, ButtonLink } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { renderLink } from '../../platform/links.tsx'
import { useSessionStore } from '../../session/session.ts'
import { useShowFirstDay } from '../useShowFirstDay.ts'

/** Brings the first day back to the home page; whoever never had one can ask for it here too (Messages 6.2). */
export function FirstDayCard() {
  const { t } = useLingui()
  const shown = useSessionStore((state) => state.session?.user?.first_day ?? false)
  const show = useShowFirstDay()
  return (
    <Card
      title={t`Your first day`}
      text={t`A few steps on the home page that show where your work begins. What you have done stays marked.`}
      padded
    >
      {/* One button that stays, so that the keyboard stays on it. */}
      <div className="actions">
        <Button icon={shown ? 'x' : 'play'} busy={show.isPending} onClick={() => show.mutate(!shown)}>
          {shown ? <Trans>Leave the tour</Trans> : <Trans>Show my first day again</Trans>}
        </Button>
        {shown && (
          <ButtonLink href="/home" renderLink={renderLink}>
            <Trans>Go back home</Trans>
          </ButtonLink>
        )}
      </div>
    </Card>
  )
}
