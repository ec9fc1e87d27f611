import { Trans, useLingui } from '@lingui/react/macro'
import { type PayeeHold, payeeHolds } from '@portal/contracts/transfers/payee-holds'
import { payrolls } from '@portal/contracts/transfers/payrolls'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { Totals } from '@portal/ui/Dialog'
import { Count, Money } from '@portal/ui/Money'
import './words.ts'

/** Ends the hold of a girl; the server asks for the password first. */
export function ReleasePayeeDialog({ hold, onClose }: { hold: PayeeHold; onClose: () => void }) {
  const { t } = useLingui()
  const form = useEndpointForm(payeeHolds.release, {
    params: { id: hold.id },
    refetches: [payeeHolds.list, payeeHolds.payee, payrolls.read],
    problems: 'approval',
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={t`Release the girl`}
      description={`${hold.first_name} ${hold.last_name} · ${hold.student_code}`}
      form={form}
      onClose={onClose}
      confirmLabel={t`Release`}
    >
      <p>
        <q>{hold.reason}</q>
      </p>
      <Totals
        label={t`Control totals`}
        rows={[
          { key: 'count', label: t`Withheld payments`, value: <Count value={hold.withheld} /> },
          { key: 'amount', label: t`In arrears`, value: <Money amount={hold.withheld_amount} />, sum: true },
        ]}
      />
      <p>
        <Trans>
          The next rounds pay her again. Withheld payments are not sent by this: an approver makes each of
          them again on the page of its round, or writes it off.
        </Trans>
      </p>
    </ConfirmDialog>
  )
}
