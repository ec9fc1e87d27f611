import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { payrolls } from '@portal/contracts/transfers/payrolls'
import {
  type CorrectionDecision,
  recipientCorrections,
  type WaitingCorrection,
} from '@portal/contracts/transfers/recipient-corrections'
import { formatPhone } from '@portal/i18n/format'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { Totals } from '@portal/ui/Dialog'
import { Count, Money } from '@portal/ui/Money'
import { Notice } from '@portal/ui/Notice'
import { Table } from '@portal/ui/Table'
import { TextAreaField } from '@portal/ui/TextField'
import { fullName } from '../../words.tsx'
import { AskName } from './AskName.tsx'
import './words.ts'

type Props = {
  correction: WaitingCorrection
  action: CorrectionDecision['action']
  onClose: () => void
}

/** The second person's decision on the correction of a recipient, with old and new values. */
export function DecideCorrectionDialog({ correction, action, onClose }: Props) {
  const { t } = useLingui()
  const approves = action === 'approved'
  const form = useEndpointForm(recipientCorrections.decide, {
    params: { id: correction.id },
    defaults: { action, ...(!approves && { comment: '' }) },
    refetches: [recipientCorrections.list, payrolls.read],
    problems: 'approval',
    onDone: onClose,
  })
  const barred = approves ? correction.barred : null
  const who = fullName(correction.user)
  return (
    <ConfirmDialog
      title={approves ? t`Approve the correction` : t`Refuse the correction`}
      description={correction.cohort_name}
      form={form}
      onClose={onClose}
      danger={!approves}
      barred={barred}
      confirmLabel={approves ? t`Approve the correction` : t`Refuse the correction`}
    >
      <p>
        <Trans>
          {who} proposed it: {correction.reason}
        </Trans>
      </p>
      <Changes of={correction} />
      {approves && correction.shared > 0 && (
        <Notice tone="waiting">
          <Plural
            value={correction.shared}
            one="# other recipient of this list has the new number."
            other="# other recipients of this list have the new number."
          />
        </Notice>
      )}
      {approves && correction.tells_names && correction.new_values.receiver_phone_number && (
        <AskName
          entryId={correction.master_list_id}
          wanted={() => ({
            receiver_first_name: correction.new_values.receiver_first_name,
            receiver_last_name: correction.new_values.receiver_last_name,
            receiver_phone_number: correction.new_values.receiver_phone_number ?? undefined,
          })}
          known={correction.name_answer}
        />
      )}
      <Totals
        label={t`Control totals`}
        rows={[
          {
            key: 'count',
            label: t`Failed payments of this recipient`,
            value: <Count value={correction.failed} />,
          },
          { key: 'amount', label: t`In arrears`, value: <Money amount={correction.amount} />, sum: true },
        ]}
      />
      <p>
        {approves ? (
          <Trans>
            Check the new number with the family by another way than the one it came by. No money is sent yet:
            the failed payments are then made again from this page. Later rounds go there by themselves.
          </Trans>
        ) : (
          <Trans>
            The recipient stays as approved with the list, and another correction can be proposed.
          </Trans>
        )}
      </p>
      {!approves && (
        <TextAreaField
          control={form.control}
          name="comment"
          label={t`Reason (optional)`}
          help={t`${who} is notified of it, and it stands beside the payment.`}
          maxLength={500}
        />
      )}
    </ConfirmDialog>
  )
}

function Changes({ of }: { of: WaitingCorrection }) {
  const { t } = useLingui()
  const lines = [
    { key: 'receiver_first_name', label: t`First name` },
    { key: 'receiver_last_name', label: t`Last name` },
    { key: 'receiver_phone_number', label: t`Recipient number` },
    { key: 'receiver_account', label: t`Account` },
  ] as const
  const shown = (key: (typeof lines)[number]['key'], text: string | null) =>
    text && key === 'receiver_phone_number' ? formatPhone(text) : (text ?? '–')
  return (
    <Table
      compact
      label={t`Old and new`}
      rows={lines.filter(({ key }) => of.old_values[key] !== of.new_values[key])}
      rowKey={({ key }) => key}
      empty={t`No data available`}
      columns={[
        { key: 'label', header: t`Field`, wrap: true },
        { key: 'old', header: t`Old`, wrap: true, cell: ({ key }) => shown(key, of.old_values[key]) },
        { key: 'next', header: t`New`, wrap: true, cell: ({ key }) => shown(key, of.new_values[key]) },
      ]}
    />
  )
}
