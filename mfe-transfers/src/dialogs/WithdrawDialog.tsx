import { Trans, useLingui } from '@lingui/react/macro'
import type { Endpoint } from '@portal/contracts/endpoint'
import type { transfers } from '@portal/contracts/transfers'
import type { parameterBudgets } from '@portal/contracts/transfers/parameter-budgets'
import type { paymentSettlements } from '@portal/contracts/transfers/payment-settlements'
import type { recipientCorrections } from '@portal/contracts/transfers/recipient-corrections'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import './words.ts'

type Withdrawal =
  | typeof recipientCorrections.withdraw
  | typeof transfers.withdrawAgencyChange
  | typeof paymentSettlements.withdraw
  | typeof parameterBudgets.withdraw

type Props = {
  endpoint: Withdrawal
  id: number
  /** What was proposed, in a few words. */
  of: string
  refetches: readonly Endpoint[]
  onClose: () => void
}

/** Takes back one's own proposal that waits for a second person. */
export function WithdrawDialog({ endpoint, id, of, refetches, onClose }: Props) {
  const { t } = useLingui()
  const form = useEndpointForm(endpoint, { params: { id }, refetches, problems: 'approval', onDone: onClose })
  return (
    <ConfirmDialog
      title={t`Withdraw the proposal`}
      description={of}
      form={form}
      onClose={onClose}
      danger
      confirmLabel={t`Withdraw the proposal`}
    >
      <p>
        <Trans>Nobody has to decide on it any more, and nothing changes. It can be proposed again.</Trans>
      </p>
    </ConfirmDialog>
  )
}
