import { plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { transfers } from '@portal/contracts/transfers'
import { payrolls } from '@portal/contracts/transfers/payrolls'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { Totals } from '@portal/ui/Dialog'
import { Count, Money } from '@portal/ui/Money'
import { Notice } from '@portal/ui/Notice'
import { TextAreaField } from '@portal/ui/TextField'
import { OneEyeNotice } from '../../OneEyeNotice.tsx'
import type { Acted } from '../acted.ts'
import { RefusedPayments } from './RefusedPayments.tsx'
import './words.ts'

type Props = { payments: Acted; of: string; barred: string | null; onDone?: () => void; onClose: () => void }

/** Writes off payments that failed or wait to be sent for good, all of the chosen ones or none of them, with one reason. */
export function WriteOffDialog({ payments, of, barred, onDone, onClose }: Props) {
  const { t } = useLingui()
  const { ids, count, amount, others } = payments
  const form = useEndpointForm(payrolls.writeOff, {
    defaults: { payroll_ids: ids, reason: '' },
    refetches: [payrolls.read, payrolls.list, transfers.summary, transfers.progress, transfers.settings],
    problems: 'approval',
    shows: ['payroll_ids'],
    onDone: () => {
      onDone?.()
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={t`Write off payments`}
      description={of}
      form={form}
      onClose={onClose}
      danger
      barred={barred ?? (count === 0 ? t`None of the selected payments can be written off.` : null)}
      confirmLabel={plural(count, { one: 'Write off # payment', other: 'Write off # payments' })}
    >
      <RefusedPayments form={form} label={t`Payments that cannot be written off`} />
      <OneEyeNotice />
      {others > 0 && count > 0 && (
        <Notice>
          <Plural
            value={others}
            one="# selected payment cannot be written off. It stays as it is."
            other="# selected payments cannot be written off. They stay as they are."
          />
        </Notice>
      )}
      <Totals
        label={t`Control totals`}
        rows={[
          { key: 'count', label: t`Payments to write off`, value: <Count value={count} /> },
          {
            key: 'amount',
            label: t`Amount that is not paid any more`,
            value: <Money amount={amount} />,
            sum: true,
          },
        ]}
      />
      <p>
        <Trans>
          These families do not receive this money: a payment that has been written off is never made again.
          This cannot be undone. Rounds to come still pay them, unless the girl is put on hold.
        </Trans>
      </p>
      <TextAreaField
        control={form.control}
        name="reason"
        label={t`Reason`}
        help={t`It stays beside each payment and in the audit log for good: write no names.`}
        maxLength={500}
        required
      />
    </ConfirmDialog>
  )
}
