import { Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { type EvidenceLine, paymentSettlements } from '@portal/contracts/transfers/payment-settlements'
import type { RoundPayment } from '@portal/contracts/transfers/payrolls'
import { payrolls } from '@portal/contracts/transfers/payrolls'
import { formatDate } from '@portal/i18n/format'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useHost, useQuery } from '@portal/sdk'
import { FileField } from '@portal/ui/FileField'
import { Notice } from '@portal/ui/Notice'
import { SelectField } from '@portal/ui/SelectField'
import { TextAreaField } from '@portal/ui/TextField'
import { useEffect } from 'react'
import { FailureReason } from '../../PaymentPill.tsx'
import { receiverName } from '../../Receiver.tsx'
import './words.ts'

/** Proposes what became of a payment without an answer, with evidence; a second person approves it. */
export function SettlePaymentDialog({ payment, onClose }: { payment: RoundPayment; onClose: () => void }) {
  const { t } = useLingui()
  const { client } = useHost()
  const params = { id: payment.id }
  const evidence = useQuery(queryOf(client, paymentSettlements.lines, { params }))
  const lines = evidence.data?.lines ?? []
  const form = useEndpointForm(paymentSettlements.propose, {
    params,
    defaults: { reason: '' },
    refetches: [payrolls.read, paymentSettlements.list],
    problems: 'approval',
    onDone: onClose,
  })
  const { control, fields } = form
  const [outcome, line] = [fields.watch('outcome'), fields.watch('line_id')]
  const byLine = outcome === 'paid' && lines.length > 0
  // A field that is not drawn any more sends nothing.
  useEffect(() => {
    if (!byLine) fields.setValue('line_id', undefined)
    else if (line) fields.setValue('file', undefined)
  }, [byLine, line, fields])
  return (
    <FormDialog
      title={t`Settle with evidence`}
      description={`${receiverName(payment)} · ${payment.reference}`}
      form={form}
      quick={false}
      onClose={onClose}
      submitLabel={t`Propose the settlement`}
    >
      {payment.failure_reason && (
        <Notice tone="waiting">
          <FailureReason strong reason={payment.failure_reason} />
        </Notice>
      )}
      <SelectField
        control={control}
        name="outcome"
        label={t`What the evidence says`}
        options={[
          { value: 'paid', label: t`The family was paid` },
          { value: 'not_paid', label: t`The family was not paid` },
        ]}
        required
      />
      {byLine && (
        <SelectField
          control={control}
          name="line_id"
          label={t`Line of a statement`}
          placeholder={t`None: a document shows it`}
          options={lines.map((each) => ({ value: each.id, label: lineText(each) }))}
        />
      )}
      {outcome && !(byLine && line) && (
        <FileField
          control={control}
          name="file"
          label={t`Document`}
          help={t`A letter or a screenshot of the agency: PDF, JPG or PNG, 2 MB at most.`}
          accept=".pdf,.jpg,.jpeg,.png"
          required
        />
      )}
      <TextAreaField
        control={control}
        name="reason"
        label={t`Reason`}
        help={t`Who confirmed it, and how: whoever approves the settlement reads this.`}
        maxLength={500}
        required
      />
      <p>
        <Trans>
          Nothing changes until another person approves it. Until then the agency is only asked, and its
          answer comes first.
        </Trans>
      </p>
    </FormDialog>
  )
}

const lineText = ({ file_name, row, day, number, transaction_id }: EvidenceLine) =>
  [`${file_name}, ${row}`, formatDate(day), number ?? transaction_id].filter(Boolean).join(' · ')
