import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { transfers } from '@portal/contracts/transfers'
import type { Cohort, Payable, RoundPlan } from '@portal/contracts/transfers/cohorts'
import { payrolls } from '@portal/contracts/transfers/payrolls'
import { formatDate } from '@portal/i18n/format'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useStoredNow } from '@portal/screens/useStoredNow'
import { Totals } from '@portal/ui/Dialog'
import { Count, Money } from '@portal/ui/Money'
import { OneEyeNotice } from '../OneEyeNotice.tsx'
import { PaidBefore } from './PaidBefore.tsx'
import './words.ts'

type Props = {
  cohort: Cohort & { payable: Payable }
  round: RoundPlan
  barred?: string | null
  onClose: () => void
}

/** Pays a round whose day went by, on a person's word, or records that its agency has paid it. */
export function StartRoundDialog({ cohort, round, barred, onClose }: Props) {
  const { t } = useLingui()
  const { count, amount, fees } = cohort.payable
  const form = useEndpointForm(transfers.startRound, {
    params: { id: cohort.id, n: round.n },
    defaults: { payments: count, amount, fees },
    refetches: [transfers.summary, transfers.progress, payrolls.list],
    problems: 'approval',
    onDone: onClose,
  })
  const paid = form.fields.watch('paid_before')
  const unasked = round.perhaps_paid && paid === undefined ? t`Ask the agency first.` : null
  const [of, due] = [cohort.rounds_total, formatDate(round.due_on)]
  useStoredNow(form, { payments: count, amount, fees })
  const stopped = cohort.stopped ? t`Payments of this cohort are stopped. Resume them first.` : null
  return (
    <ConfirmDialog
      title={t`Start round ${round.n}`}
      description={cohort.name}
      form={form}
      onClose={onClose}
      barred={barred ?? (paid ? null : stopped) ?? unasked}
      confirmLabel={
        paid ? (
          <Plural value={count} one="Record # payment" other="Record # payments" />
        ) : (
          <Plural value={count} one="Send # payment" other="Send # payments" />
        )
      }
    >
      <Totals
        label={t`Control totals`}
        rows={[
          { key: 'count', label: t`Recipients to pay`, value: <Count value={count} /> },
          { key: 'amount', label: t`Expected amount`, value: <Money amount={amount} /> },
          { key: 'fees', label: t`Fees`, value: <Money amount={fees} /> },
          {
            key: 'sent',
            label: paid ? t`Paid before, round ${round.n} of ${of}` : t`Sent now, round ${round.n} of ${of}`,
            value: <Money amount={amount + fees} />,
            sum: true,
          },
        ]}
      />
      {round.perhaps_paid && (
        <PaidBefore
          agency={cohort.transfer_agency.name}
          paid={paid}
          onAnswer={(answer) => form.fields.setValue('paid_before', answer, { shouldDirty: true })}
        />
      )}
      <OneEyeNotice />
      {!paid && (
        <p>
          {round.perhaps_paid ? (
            <Trans>This round was due on {due}. A payment that has been sent cannot be taken back.</Trans>
          ) : (
            <Trans>
              This round was due on {due} and has not been paid. Whoever was paid in another round is paid
              again for this one. A payment that has been sent cannot be taken back.
            </Trans>
          )}
        </p>
      )}
    </ConfirmDialog>
  )
}
