import { Trans, useLingui } from '@lingui/react/macro'
import { type ListedException, paymentExceptions } from '@portal/contracts/transfers/payment-exceptions'
import { payrolls } from '@portal/contracts/transfers/payrolls'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { SelectField } from '@portal/ui/SelectField'
import { TextAreaField } from '@portal/ui/TextField'
import { OneEyeNotice } from '../OneEyeNotice.tsx'
import { receiverName } from '../Receiver.tsx'
import './words.ts'

type Props = { exception: ListedException; onClose: () => void }

/** Notes what a person found out about an answer that does not agree; the server asks for the password first. */
export function CloseExceptionDialog({ exception, onClose }: Props) {
  const { t } = useLingui()
  const form = useEndpointForm(paymentExceptions.close, {
    params: { id: exception.id },
    defaults: { decision: 'status_stands', reason: '' },
    refetches: [paymentExceptions.list, payrolls.read, payrolls.list],
    problems: 'approval',
    onDone: onClose,
  })
  const other =
    exception.status === 'success'
      ? { value: 'money_missing', label: t`The family does not have the money` }
      : { value: 'money_moved', label: t`The family has the money after all` }
  return (
    <ConfirmDialog
      title={t`Decide on the answer`}
      description={`${receiverName(exception)} · ${exception.reference}`}
      form={form}
      onClose={onClose}
      barred={exception.barred}
      confirmLabel={t`Note the decision`}
    >
      <OneEyeNotice />
      <p>
        <Trans>
          Ask the agency first. A failed payment that is as recorded here can be made again; one whose money
          moved is never made again.
        </Trans>
      </p>
      <SelectField
        control={form.control}
        name="decision"
        label={t`What is true`}
        options={[{ value: 'status_stands', label: t`The payment is as recorded here` }, other]}
        required
      />
      <TextAreaField
        control={form.control}
        name="reason"
        label={t`Reason`}
        help={t`Who confirmed it, and how.`}
        maxLength={500}
        required
      />
    </ConfirmDialog>
  )
}
