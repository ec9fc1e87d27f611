import { Trans, useLingui } from '@lingui/react/macro'
import { statements } from '@portal/contracts/statements'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { TextAreaField } from '@portal/ui/TextField'
import { touched } from './touched.ts'

/** Takes back a statement that is not signed, such as one of the wrong agency. */
export function WithdrawDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useLingui()
  const form = useEndpointForm(statements.withdraw, {
    params: { id },
    defaults: { reason: '' },
    refetches: touched,
    problems: 'approval',
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={t`Withdraw statement`}
      form={form}
      onClose={onClose}
      danger
      confirmLabel={t`Withdraw`}
    >
      <p>
        <Trans>Its lines and what was resolved are deleted. The file can be uploaded again.</Trans>
      </p>
      <TextAreaField control={form.control} name="reason" label={t`Reason`} maxLength={500} required />
    </ConfirmDialog>
  )
}
