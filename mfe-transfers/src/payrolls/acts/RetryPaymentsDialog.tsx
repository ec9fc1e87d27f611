import { plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { transfers } from '@portal/contracts/transfers'
import type { PaymentRetry } from '@portal/contracts/transfers/payrolls'
import { payrolls } from '@portal/contracts/transfers/payrolls'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { Totals } from '@portal/ui/Dialog'
import { Count, Money } from '@portal/ui/Money'
import { Notice } from '@portal/ui/Notice'
import { OneEyeNotice } from '../../OneEyeNotice.tsx'
import { FailureReason } from '../../PaymentPill.tsx'
import { RefusedPayments } from './RefusedPayments.tsx'
import './words.ts'

/** Failed payments that somebody wants to be made again, and what else was chosen with them. */
export type Retry = { wanted: PaymentRetry; count: number; amount: number; others: number }

type Props = { retry: Retry; of: string; barred: string | null; onDone?: () => void; onClose: () => void }

/** Makes failed payments again by new orders, all of the chosen ones or none of them. */
export function RetryPaymentsDialog({ retry, of, barred, onDone, onClose }: Props) {
  const { t } = useLingui()
  const { wanted, count, amount, others } = retry
  const form = useEndpointForm(payrolls.retry, {
    defaults: wanted,
    refetches: [payrolls.read, payrolls.list, transfers.summary, transfers.progress],
    problems: 'approval',
    shows: ['payroll_ids'],
    onDone: () => {
      onDone?.()
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={t`Retry failed payments`}
      description={of}
      form={form}
      onClose={onClose}
      barred={barred ?? (count === 0 ? t`None of the selected payments has failed.` : null)}
      confirmLabel={plural(count, { one: 'Retry # payment', other: 'Retry # payments' })}
    >
      <RefusedPayments form={form} label={t`Payments that cannot be made again`} />
      <OneEyeNotice />
      {others > 0 && count > 0 && (
        <Notice>
          <Plural
            value={others}
            one="# selected payment has not failed. It stays as it is."
            other="# selected payments have not failed. They stay as they are."
          />
        </Notice>
      )}
      <Totals
        label={t`Control totals`}
        rows={[
          ...('reason' in wanted
            ? [{ key: 'reason', label: t`Reason`, value: <FailureReason strong reason={wanted.reason} /> }]
            : []),
          { key: 'count', label: t`Failed payments to make again`, value: <Count value={count} /> },
          { key: 'amount', label: t`Sent now, in their rounds`, value: <Money amount={amount} />, sum: true },
        ]}
      />
      <p>
        <Trans>
          The agency refused these payments, so no money has moved. Each is sent once more, to the number of
          the approved list or of an approved correction, by a new order. Whoever was paid is not paid again.
          A payment that has been sent cannot be taken back.
        </Trans>
      </p>
    </ConfirmDialog>
  )
}
