import { useLingui } from '@lingui/react/macro'
import { type User, users } from '@portal/contracts/access'
import { approvalLimits } from '@portal/contracts/access/approval-limits'
import { currencyName } from '@portal/i18n/format'
import { FormDialog } from '@portal/screens/FormDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { NumberField } from '@portal/ui/NumberField'
import { fullName } from '../words.ts'

/** How much somebody may approve at once; the server asks for the password first. */
export function ApprovalLimitDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useLingui()
  const form = useEndpointForm(approvalLimits.set, {
    params: { id: user.id },
    defaults: { amount: user.approval_limit },
    refetches: [users.list],
    onDone: onClose,
  })
  return (
    <FormDialog
      title={t`Limit of approval`}
      description={fullName(user)}
      form={form}
      onClose={onClose}
      submitLabel={t`Save the limit`}
    >
      <NumberField
        control={form.control}
        name="amount"
        label={t`Francs at once`}
        help={t`Amounts and fees of all rounds of one approval together. Blank means no limit.`}
        suffix={currencyName()}
        whole
      />
    </FormDialog>
  )
}
