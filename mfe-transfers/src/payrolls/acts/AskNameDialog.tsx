import { Trans, useLingui } from '@lingui/react/macro'
import type { RoundPayment } from '@portal/contracts/transfers/payrolls'
import { DetailsDialog } from '@portal/screens/DetailsDialog'
import { ReceiverNumber, receiverName } from '../../Receiver.tsx'
import { AskName } from './AskName.tsx'
import './words.ts'

/** What the agency says of the name of a payment's recipient. */
export function AskNameDialog({ payment, onClose }: { payment: RoundPayment; onClose: () => void }) {
  const { t } = useLingui()
  return (
    <DetailsDialog title={t`Name at the agency`} description={receiverName(payment)} onClose={onClose}>
      <p>
        <ReceiverNumber of={payment} />
      </p>
      <AskName entryId={payment.master_list_id} wanted={() => ({})} />
      <p className="small muted">
        <Trans>
          The answer is kept and informs whoever decides. Guardians often use the number of a relative, so
          another name alone is no reason to refuse.
        </Trans>
      </p>
    </DetailsDialog>
  )
}
