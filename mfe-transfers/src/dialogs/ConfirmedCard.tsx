import { Trans, useLingui } from '@lingui/react/macro'
import type { Confirmed } from '@portal/contracts/transfers/cohorts'
import { pageLink } from '@portal/screens/ListPage'
import { ButtonLink } from '@portal/ui/Button'
import { Count, Money } from '@portal/ui/Money'
import { ProgressEnded } from '@portal/ui/Progress'
import { paths } from '../paths.ts'
import './words.ts'

type Props = { confirmed: Confirmed; disbursed: number }

/** How much of what was disbursed the agencies' signed statements confirm, drawn and in words (Money 9.5). */
export function ConfirmedCard({ confirmed, disbursed }: Props) {
  const { t } = useLingui()
  const { payments_confirmed, payments_disbursed, total_amount_confirmed: amount } = confirmed
  return (
    <ProgressEnded
      title={t`Confirmed by statements of agencies`}
      total={disbursed}
      parts={[{ key: 'confirmed', label: t`Confirmed`, count: amount, tone: 'good' }]}
      text={
        <>
          <Trans>
            <Money amount={amount} /> of <Money amount={disbursed} /> disbursed,{' '}
            <Count value={payments_confirmed} /> of <Count value={payments_disbursed} /> payments.
          </Trans>{' '}
          <Trans>A statement counts once it is signed.</Trans>
        </>
      }
      action={
        <ButtonLink small variant="plain" href={paths.statements} renderLink={pageLink}>
          <Trans>See statements</Trans>
        </ButtonLink>
      }
    />
  )
}
