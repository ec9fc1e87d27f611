import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { invalidate } from '@portal/client/query'
import { type FirstDay, type FirstDayStep, firstDay } from '@portal/contracts/access/first-day'
import { currentLocale } from '@portal/i18n/locale'
import { useHost, useQueryClient } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { type Flag, Flags } from '@portal/ui/Notice'
import { StatusPill } from '@portal/ui/StatusPill'
import { renderLink } from '../../platform/links.tsx'
import { useShowFirstDay } from '../useShowFirstDay.ts'

/** What a new person does first, each step with the way to it and a mark, until she leaves it (Messages 6.2). */
export function FirstDayCard({ day }: { day: FirstDay }) {
  const { t } = useLingui()
  const { client } = useHost()
  const queries = useQueryClient()
  const leave = useShowFirstDay(focusPage)
  const left = day.steps.filter(({ done }) => !done).length
  const locale = currentLocale()
  // The server marks a step that is done by an act. A step that is only to be looked at is done when its link is followed.
  const opened = async ({ id, by_act }: FirstDayStep) => {
    if (by_act) return
    await client.call(firstDay.open, { body: { step: id }, quiet: true }).catch(() => {})
    // The steps are read again, because she may have come back before this one was marked.
    await invalidate(queries, firstDay.read)
  }
  const flags = day.steps.map<Flag>((step) => ({
    key: step.id,
    tone: step.done ? 'good' : 'info',
    icon: step.done ? 'good' : 'arrow',
    title: renderLink({ href: step.link, children: step.title[locale], onClick: () => void opened(step) }),
    text: step.text[locale],
    // Both have a pill, so that a card with a new mark is as high as before.
    action: (
      <StatusPill tone={step.done ? 'good' : 'neutral'}>
        {step.done ? t({ message: 'Done', context: 'of a step' }) : t`To do`}
      </StatusPill>
    ),
  }))
  return (
    <Card
      title={t`Your first day`}
      text={
        left > 0 ? (
          <Plural
            value={left}
            one="# step is left. Your profile brings this back whenever you like."
            other="# steps are left, in any order. Your profile brings this back whenever you like."
          />
        ) : (
          <Trans>You have done every step. Welcome to the team!</Trans>
        )
      }
      className="needs-me first-day"
      actions={
        <Button small icon="x" busy={leave.isPending} onClick={() => leave.mutate(false)}>
          {left > 0 ? <Trans>Leave the tour</Trans> : <Trans>Close</Trans>}
        </Button>
      }
    >
      {left > 0 && <Flags flags={flags} />}
    </Card>
  )
}

/** The button goes with its card, so the keyboard goes on from the page's title. */
function focusPage() {
  const heading = document.querySelector<HTMLElement>('main h1')
  heading?.setAttribute('tabindex', '-1')
  heading?.focus({ preventScroll: true })
}
