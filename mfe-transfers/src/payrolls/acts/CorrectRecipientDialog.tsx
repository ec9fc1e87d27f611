import { Trans, useLingui } from '@lingui/react/macro'
import type { RoundPayment } from '@portal/contracts/transfers/payrolls'
import { payrolls } from '@portal/contracts/transfers/payrolls'
import { recipientCorrections } from '@portal/contracts/transfers/recipient-corrections'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { Notice } from '@portal/ui/Notice'
import { TextAreaField, TextField } from '@portal/ui/TextField'
import { FailureReason } from '../../PaymentPill.tsx'
import { receiverName } from '../../Receiver.tsx'
import { AskName } from './AskName.tsx'
import './words.ts'

type Props = {
  payment: RoundPayment
  /** Whether the agency tells whose number it is. */
  tellsNames: boolean
  onClose: () => void
}

/** Proposes another name, number or account of a recipient whose payment has failed; a second person approves it. */
export function CorrectRecipientDialog({ payment, tellsNames, onClose }: Props) {
  const { t } = useLingui()
  const { receiver_first_name, receiver_last_name, receiver_phone_number, receiver_account } = payment
  const form = useEndpointForm(recipientCorrections.propose, {
    params: { id: payment.master_list_id },
    defaults: {
      receiver_first_name,
      receiver_last_name,
      ...(receiver_phone_number && { receiver_phone_number }),
      ...(receiver_account && { receiver_account }),
      reason: '',
    },
    refetches: [payrolls.read, recipientCorrections.list],
    problems: 'approval',
    onDone: onClose,
  })
  const wanted = () => {
    const { reason: _, receiver_account: __, ...question } = form.fields.getValues()
    return question
  }
  const about = form.fields
    .watch(['receiver_first_name', 'receiver_last_name', 'receiver_phone_number'])
    .join(' ')
  return (
    <FormDialog
      title={t`Correct the recipient`}
      description={receiverName(payment)}
      form={form}
      quick={false}
      onClose={onClose}
      submitLabel={t`Propose the correction`}
    >
      {payment.failure_reason && (
        <Notice tone="bad">
          <FailureReason strong reason={payment.failure_reason} />
        </Notice>
      )}
      {payment.refused_correction && <Notice tone="waiting">{payment.refused_correction}</Notice>}
      <TextField control={form.control} name="receiver_first_name" label={t`First name`} required />
      <TextField control={form.control} name="receiver_last_name" label={t`Last name`} required />
      {receiver_phone_number && (
        <TextField
          control={form.control}
          name="receiver_phone_number"
          label={t`Recipient number`}
          inputMode="tel"
          required
        />
      )}
      {tellsNames && receiver_phone_number && (
        <AskName entryId={payment.master_list_id} wanted={wanted} about={about} />
      )}
      {receiver_account && (
        <TextField control={form.control} name="receiver_account" label={t`Account`} required />
      )}
      <TextAreaField
        control={form.control}
        name="reason"
        label={t`Reason`}
        help={t`How you know it: whoever approves the correction reads this.`}
        maxLength={500}
        required
      />
      <p>
        <Trans>
          Nothing changes until another person approves it. Then the failed payments of this recipient can be
          made again, and later rounds go there too.
        </Trans>
      </p>
    </FormDialog>
  )
}
